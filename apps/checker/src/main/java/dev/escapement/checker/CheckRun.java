package dev.escapement.checker;

import dev.escapement.call.PlannedCall;
import dev.escapement.call.ReportSink;
import dev.escapement.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends a list through a client and hands a line for each report to the output, in input order (W2), in memory that follows
 * the window.
 *
 * <p>The engine pulls endpoints and delivers reports on its own threads, and those must not wait for standard output: a
 * loop that stands still lets attempts time out whose answers have arrived. So where the output is full, the list pauses instead: the
 * fan-out sees an end, what is in flight ends, the backlog is written, and another fan-out goes on from there.
 *
 * <p>{@link #stop} is for any thread, {@link #run} for one.
 */
final class CheckRun implements ReportSink {

    private final Caller caller;
    private final ReportFormat format;
    private final Tally tally;
    private final Output output;
    private final int window;

    /** Set by {@link #stop}, never cleared: no endpoint is pulled any more. */
    private volatile boolean stopping;

    /** @param tally told of every report, before it is released */
    CheckRun(Caller caller, ReportFormat format, Tally tally, Output output, int window) {
        this.caller = caller;
        this.format = format;
        this.tally = tally;
        this.output = output;
        this.window = window;
    }

    /**
     * Sends every endpoint, unless stopped, and returns when all that were sent have ended and are written.
     *
     * @return what broke, as the engine tells it: empty unless there is a bug, or the list could not be read again
     */
    List<String> run(Iterator<Endpoint> endpoints) throws InterruptedException {
        List<String> broken = new ArrayList<>();
        Pausing pausing = new Pausing(endpoints);
        while (pausing.goesOn()) {
            CompletableFuture<List<String>> trouble = caller.client()
                    .callAll(pausing, window, this)
                    .handle((nothing, failure) -> {
                        output.end();
                        return failure == null ? List.of() : List.of(String.valueOf(failure.getMessage()));
                    });
            output.drain();
            broken.addAll(trouble.join());
        }
        return broken;
    }

    /** Pulls no more endpoints, and ends the calls that still run after the grace (S1). Returns at once. */
    @SuppressWarnings("FutureReturnValueIgnored") // The run itself sees every call end.
    void stop(Duration grace) {
        stopping = true;
        caller.client().close(grace);
    }

    @Override
    public void accept(long index, Report report) {
        Endpoint endpoint = (Endpoint) report.attachment().orElseThrow();
        tally.count(report);
        output.add(format.line(endpoint, report));
        report.release();
    }

    /** The list, which seems to end while the output is full. Used by one thread at a time, as the list is. */
    private final class Pausing implements Iterator<PlannedCall> {

        private final Iterator<Endpoint> endpoints;

        /** Until there is no more, the run was stopped, or the list could not be read. */
        private boolean goesOn = true;

        Pausing(Iterator<Endpoint> endpoints) {
            this.endpoints = endpoints;
        }

        boolean goesOn() {
            return goesOn;
        }

        @Override
        public boolean hasNext() {
            goesOn = false;
            boolean more = !stopping && endpoints.hasNext();
            goesOn = more;
            return more && !output.isFull();
        }

        @Override
        public PlannedCall next() {
            Endpoint next = endpoints.next();
            return new PlannedCall(next.request(), caller.options().apply(next).withAttachment(next));
        }
    }
}
