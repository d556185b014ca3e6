package dev.escapement.time;

/** The one home of {@link System#nanoTime()}, whose own readings may be negative and have no origin. */
final class SystemClock implements MonotonicClock {

    static final SystemClock INSTANCE = new SystemClock();

    private final long originNanos = System.nanoTime();

    private SystemClock() {}

    @Override
    public long nanos() {
        return System.nanoTime() - originNanos;
    }
}
