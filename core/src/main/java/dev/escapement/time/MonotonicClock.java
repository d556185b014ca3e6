package dev.escapement.time;

/** A source of nanoseconds that never runs backwards and whose origin means nothing. */
@FunctionalInterface
public interface MonotonicClock {

    /** Returns the current reading, to be compared by subtraction only. */
    long nanos();
}
