package dev.escapement.checker;

import dev.escapement.time.MonotonicClock;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One run as a process sees it: reports and summary to standard output, progress and trouble to standard error, and an end
 * in good order when the process is asked to stop, or when nobody reads its output any more.
 */
final class Program {

    private static final int OUT_BUFFER_BYTES = 64 * 1024;

    /** How long, beyond the grace, a stopped process waits for what is done to be printed. */
    private static final Duration PRINTING = Duration.ofSeconds(3);

    private final Caller caller;
    private final ReportFormat format;
    private final Extent extent;
    private final OutputStream out;
    private final PrintStream err;
    private final Duration grace;

    /** @param grace how long running calls may go on after the process was asked to stop */
    Program(Caller caller, ReportFormat format, Extent extent, OutputStream out, PrintStream err, Duration grace) {
        this.caller = caller;
        this.format = format;
        this.extent = extent;
        this.out = new BufferedOutputStream(out, OUT_BUFFER_BYTES);
        this.err = err;
        this.grace = grace;
    }

    Checked run(EndpointList list, int window, int concurrency, long seed) throws IOException, InterruptedException {
        Progress progress = new Progress(
                err, Terminal.isStandardError(), Terminal.isStandardOutput(), list.count(), MonotonicClock.system());
        Output output = new Output(out, progress);
        Tally tally = new Tally(caller.policy().attemptTimeoutNanos());
        CheckRun run = new CheckRun(caller, format, tally, output, window);
        output.whenBroken(() -> run.stop(Duration.ZERO));
        CountDownLatch printed = new CountDownLatch(1);
        Thread hook = new Thread(() -> stopAndWait(run, printed), CheckerCommand.NAME + "-stop");
        if (!isHooked(hook)) {
            run.stop(Duration.ZERO);
        }
        // P5: once, and before anything is sent.
        caller.policy().advisories().forEach(advisory -> complain("advice: " + advisory));
        try {
            List<String> broken = run.run(list.endpoints());
            long joined = output.drained();
            boolean complete = joined == list.count();
            output.add(format.summary(new Summary(joined, concurrency, seed, complete)));
            if (extent == Extent.WITH_FIGURES) {
                format.figures(Figures.of(tally, caller)).forEach(output::add);
            }
            output.end();
            output.drain();
            broken.forEach(this::complain);
            output.failure()
                    .filter(failure -> !isClosedPipe(failure))
                    .ifPresent(failure -> complain("standard output: " + failure.getMessage()));
            boolean allWritten = output.failure().isEmpty();
            if (!complete && broken.isEmpty() && allWritten) {
                complain(String.format(Locale.ROOT, "stopped after %d of %d endpoints", joined, list.count()));
            }
            return new Checked(allWritten, allWritten && complete && tally.unanswered() == 0);
        } finally {
            printed.countDown();
            forget(hook);
        }
    }

    /** S1, in the shutdown hook: the process goes when this returns. */
    private void stopAndWait(CheckRun run, CountDownLatch printed) {
        run.stop(grace);
        try {
            if (!printed.await(grace.plus(PRINTING).toMillis(), TimeUnit.MILLISECONDS)) {
                complain("nobody takes the output; the rest is lost");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False where the process is on its way out already. */
    private static boolean isHooked(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already, and lets the process go now that all is printed.
        }
    }

    /** Whether the reader went away, as {@code head} does: no fault of anybody's. */
    private static boolean isClosedPipe(IOException failure) {
        return String.valueOf(failure.getMessage()).contains("Broken pipe");
    }

    private void complain(String message) {
        err.println(CheckerCommand.NAME + ": " + Printable.line(message));
    }
}
