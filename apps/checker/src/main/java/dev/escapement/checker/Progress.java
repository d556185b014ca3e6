package dev.escapement.checker;

import dev.escapement.time.MonotonicClock;
import java.io.PrintStream;
import java.util.Locale;

/**
 * The line that says how far a run has come, redrawn in place on standard error; silent where nobody would see it.
 * Confined to the thread that writes reports, so that the two never mix on one terminal.
 */
final class Progress {

    private static final long REDRAW_NANOS = 100_000_000L;
    private static final String ERASE = "\r\033[K";

    private final PrintStream err;
    private final boolean seen;
    private final boolean besideReports;
    private final long total;
    private final MonotonicClock clock;

    private boolean drawn;
    private boolean everDrawn;
    private long drawnAtNanos;

    /**
     * @param seen whether someone sees standard error
     * @param besideReports whether reports appear on the same screen, so that the line has to make way for each
     */
    Progress(PrintStream err, boolean seen, boolean besideReports, long total, MonotonicClock clock) {
        this.err = err;
        this.seen = seen;
        this.besideReports = besideReports;
        this.total = total;
        this.clock = clock;
    }

    /** Draws the line, unless that was done a moment ago. */
    void show(long done) {
        if (!seen || (everDrawn && clock.nanos() - drawnAtNanos < REDRAW_NANOS)) {
            return;
        }
        err.print(ERASE + String.format(Locale.ROOT, "checked %,d of %,d", done, total));
        err.flush();
        drawn = true;
        everDrawn = true;
        drawnAtNanos = clock.nanos();
    }

    /** Takes the line away before a report is written, where both would meet. */
    void makeWay() {
        if (besideReports) {
            erase();
        }
    }

    /** Takes the line away for good, or until it is shown again. */
    void erase() {
        if (drawn) {
            err.print(ERASE);
            err.flush();
            drawn = false;
        }
    }
}
