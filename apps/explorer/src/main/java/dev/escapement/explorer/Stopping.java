package dev.escapement.explorer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run of hours end in good order when the process is asked to stop: workers end, and what they did is told before the process
 * goes.
 */
final class Stopping {

    /** How long the process waits for what was played to be told, small scenarios included. */
    private static final Duration TELLING = Duration.ofSeconds(10);

    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook;

    Stopping(Exploration exploration) {
        hook = new Thread(
                () -> {
                    exploration.stop();
                    await(told);
                },
                ExplorerCommand.NAME + "-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void await(CountDownLatch told) {
        try {
            boolean unused = told.await(TELLING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All is told: the process may go. */
    void told() {
        told.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already, and lets the process go.
        }
    }
}
