package dev.escapement.guard;

import dev.escapement.time.Deadlines;

/**
 * One generation of a {@link CircuitBreaker}, from one transition to the next. A transition replaces the phase by one
 * compare-and-set, so what belongs to a generation cannot be mistaken for another's: it lives in here.
 *
 * <p>Immutable, but for what {@link ClosedPhase} counts. Safe to publish through a race: all fields are final.
 */
abstract class BreakerPhase {

    private static final int MAX_SERIAL = (1 << 30) - 1;

    final long generation;
    final long openings;
    final long sinceNanos;

    /**
     * The last serial number given to a closed generation or to a trial; the next one is drawn by whoever replaces this phase.
     * It comes round after 2^30 of them, which no attempt outlives.
     */
    final int serial;

    BreakerPhase(long generation, long openings, long sinceNanos, int serial) {
        this.generation = generation;
        this.openings = openings;
        this.sinceNanos = sinceNanos;
        this.serial = serial;
    }

    /** From 1 up: a stamp made of it is never 0. */
    static int serialAfter(int serial) {
        return serial == MAX_SERIAL ? 1 : serial + 1;
    }

    /** The end of a period, or the end of time. */
    static long endOf(long startNanos, long lengthNanos) {
        long end = Deadlines.plus(startNanos, lengthNanos);
        return end == Deadlines.OVERFLOW ? Long.MAX_VALUE : end;
    }

    abstract BreakerState state();
}
