package dev.escapement.call;

import dev.escapement.http.Request;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keeps at most {@code window} calls alive and emits their reports in the order of the input (W1–W3).
 *
 * <p>A call that ends leaves its report in a ring of four windows; a run-once counter lets one thread at a time emit what is
 * next in order and start what there is room for. A call that ends at once is found by the round that started it, so
 * that a hundred thousand instant refusals stand on one stack frame. Memory follows the window, not the input.
 */
final class Fanout {

    /** Running and finished-but-not-emitted calls together, as a multiple of the window (W1). */
    private static final int RING_WINDOWS = 4;

    /** In the ring in place of a report, for a call that could not even be made. */
    private static final Object NO_REPORT = new Object();

    private final Client client;
    private final Iterator<PlannedCall> input;
    private final int window;
    private final ReportSink sink;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** A report set by its call's end, cleared by the round that emits it. */
    private final AtomicReferenceArray<Object> ring;

    private final AtomicInteger running = new AtomicInteger();

    /** Rounds asked for; whoever raises it from 0 runs them all. */
    private final AtomicInteger rounds = new AtomicInteger();

    // Owned by the running round; the counter hands them from one to the next.
    private long started;
    private long emitted;
    private boolean inputEnded;
    private boolean finished;
    private long broken;
    private final List<String> messages = new ArrayList<>();

    private Fanout(Client client, Iterator<PlannedCall> input, int window, ReportSink sink) {
        if (window < 1 || window > Client.MAX_WINDOW) {
            throw new IllegalArgumentException("window = " + window + ": expected 1 to " + Client.MAX_WINDOW);
        }
        this.client = client;
        this.input = input;
        this.window = window;
        this.sink = sink;
        this.ring = new AtomicReferenceArray<>(RING_WINDOWS * window);
    }

    static CompletableFuture<Void> stream(Client client, Iterator<PlannedCall> input, int window, ReportSink sink) {
        Fanout fanout = new Fanout(client, input, window, sink);
        fanout.round();
        return fanout.done;
    }

    static CompletableFuture<List<Report>> collect(Client client, List<Request> requests, int window) {
        List<Report> reports = new ArrayList<>(requests.size());
        Iterator<PlannedCall> input = requests.stream()
                .map(request -> new PlannedCall(request, CallOptions.none()))
                .iterator();
        Fanout fanout = new Fanout(client, input, window, (index, report) -> reports.add(report));
        CompletableFuture<List<Report>> all = fanout.done.handle((nothing, failure) -> {
            if (failure != null) {
                throw fanout.failure(fanout.good(reports));
            }
            return List.copyOf(reports);
        });
        fanout.round();
        return all;
    }

    /** The reports of the calls that did not break; what the others hold is released, since nobody else sees them. */
    private List<Report> good(List<Report> reports) {
        List<Report> good = new ArrayList<>(reports.size());
        for (Report report : reports) {
            if (report.outcome() instanceof Outcome.Broken) {
                release(report);
            } else {
                good.add(report);
            }
        }
        return good;
    }

    private void release(Report report) {
        try {
            report.release();
        } catch (Throwable thrown) {
            client.counters().failedCallOuts.increment();
        }
    }

    /** Runs a round, unless one runs: then that one goes around once more. */
    private void round() {
        if (rounds.getAndIncrement() != 0) {
            return;
        }
        int handled = 1;
        do {
            boolean moved;
            do {
                moved = emit();
                moved |= fill();
            } while (moved);
            if (inputEnded && emitted == started && !finished) {
                finished = true;
                finish();
            }
            handled = rounds.addAndGet(-handled);
        } while (handled != 0);
    }

    private boolean emit() {
        boolean moved = false;
        while (emitted < started) {
            int slot = slotOf(emitted);
            Object left = ring.get(slot);
            if (left == null) {
                break;
            }
            ring.set(slot, null);
            if (left instanceof Report report) {
                hand(report);
            }
            emitted++;
            moved = true;
        }
        return moved;
    }

    private void hand(Report report) {
        if (report.outcome() instanceof Outcome.Broken bug) {
            note("call " + emitted + ": " + describe(bug.cause()));
        }
        try {
            sink.accept(emitted, report);
        } catch (Throwable thrown) {
            note("sink at " + emitted + ": " + describe(thrown));
        }
    }

    private boolean fill() {
        boolean moved = false;
        while (!inputEnded && running.get() < window && started - emitted < ring.length()) {
            PlannedCall planned;
            try {
                if (!input.hasNext()) {
                    inputEnded = true;
                    break;
                }
                planned = input.next();
            } catch (Throwable thrown) {
                inputEnded = true;
                note("input at " + started + ": " + describe(thrown));
                break;
            }
            start(planned);
            moved = true;
        }
        return moved;
    }

    private void start(PlannedCall planned) {
        long index = started++;
        running.incrementAndGet();
        try {
            client.call(planned.request(), planned.options(), report -> ended(index, report));
        } catch (Throwable thrown) {
            note("call " + index + ": " + describe(thrown));
            ended(index, NO_REPORT);
        }
    }

    private void ended(long index, Object left) {
        ring.set(slotOf(index), left);
        running.decrementAndGet();
        round();
    }

    private int slotOf(long index) {
        return (int) (index % ring.length());
    }

    /** A bug may be unable to say what it is. */
    private static String describe(Throwable bug) {
        try {
            return bug.toString();
        } catch (Throwable unspeakable) {
            return bug.getClass().getName();
        }
    }

    private void note(String message) {
        broken++;
        if (messages.size() < FanoutException.MAX_MESSAGES) {
            messages.add(message);
        }
    }

    private void finish() {
        if (broken == 0) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure(List.of()));
        }
    }

    private FanoutException failure(List<Report> good) {
        return new FanoutException(broken, messages.stream().sorted().toList(), good);
    }
}
