package dev.escapement.explorer;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Waits for workers, and tells every few seconds how far they are. Confined to the thread that waits. */
final class Progress {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintStream err;
    private final Exploration exploration;
    private final long scenarios;

    Progress(PrintStream err, Exploration exploration, long scenarios) {
        this.err = err;
        this.exploration = exploration;
        this.scenarios = scenarios;
    }

    /** Returns when all of them have ended; asks them to when this thread is interrupted. */
    void follow(List<Thread> workers) throws InterruptedException {
        long before = 0;
        try {
            for (Thread worker : workers) {
                worker.join(BETWEEN_LINES.toMillis());
                while (worker.isAlive()) {
                    long played = exploration.played();
                    tell(played, (played - before) / BETWEEN_LINES.toSeconds());
                    before = played;
                    worker.join(BETWEEN_LINES.toMillis());
                }
            }
        } finally {
            exploration.stop();
        }
    }

    private void tell(long played, long perSecond) {
        err.println(String.format(
                Locale.ROOT,
                "%s: %d of %d scenarios, %d/s, %d differences",
                ExplorerCommand.NAME,
                played,
                scenarios,
                perSecond,
                exploration.found().size()));
    }
}
