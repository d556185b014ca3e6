package dev.escapement.time;

/**
 * A clock that only moves forward, read in nanoseconds since an origin of its own.
 *
 * <p>Readings are never negative (T1): two of them compare with {@code <}, and an overflow can only come from an
 * addition. Readings of two clocks have nothing to do with each other. Any thread may read.
 */
@FunctionalInterface
public interface MonotonicClock {

    /** Nanoseconds since this clock's origin, at least 0 and never less than an earlier reading on the same thread. */
    long nanos();

    /**
     * The clock of this process: {@link System#nanoTime()} counted from the moment this class was loaded. All real
     * schedulers share it. One reading costs about 30 ns.
     */
    static MonotonicClock system() {
        return SystemClock.INSTANCE;
    }
}
