package dev.escapement.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets a share of attempts through that grows evenly from 10 % to 100 % over one period (G4).
 *
 * <p>Which ones is decided by error diffusion (Floyd &amp; Steinberg 1976, in one dimension): each attempt adds the share of
 * its instant to a credit, and one passes whenever the credit holds a whole. So the share is kept exactly, without a random
 * number, and no run of attempts is refused that is longer than it must be. The credit starts where the first attempt passes.
 *
 * <p>Thread-safety: any thread, lock-free. Cost: one compare-and-set.
 */
final class Ramp {

    /** One attempt; a share is counted in millionths of it, rounded down. */
    private static final long WHOLE = 1_000_000;

    private static final long LEAST_SHARE = WHOLE / 10;

    /** Keeps the product of a time and a share within 63 bits. */
    private static final int TIME_BITS = 40;

    private static final VarHandle CREDIT;

    static {
        try {
            CREDIT = MethodHandles.lookup().findVarHandle(Ramp.class, "credit", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long startNanos;
    private final long periodNanos;

    /** By how much times are coarsened before they are multiplied; 0 for periods up to 18 minutes. */
    private final int shift;

    /** What is left of the shares so far, 0 to {@code WHOLE} − 1. Any thread, by compare-and-set. */
    private volatile long credit = WHOLE - LEAST_SHARE;

    Ramp(long startNanos, long periodNanos) {
        this.startNanos = startNanos;
        this.periodNanos = periodNanos;
        this.shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(periodNanos) - TIME_BITS);
    }

    /** Whether an attempt passes; counts it. */
    boolean admits(long nowNanos) {
        long share = share(nowNanos);
        for (; ; ) {
            long seen = credit;
            long sum = seen + share;
            boolean passes = sum >= WHOLE;
            // Volatile is more than an order among attempts needs, but there is no weaker way to a total order of them.
            if (CREDIT.weakCompareAndSet(this, seen, passes ? sum - WHOLE : sum)) {
                return passes;
            }
        }
    }

    /** The share at an instant, in percent, rounded down. */
    int percent(long nowNanos) {
        return (int) (share(nowNanos) * 100 / WHOLE);
    }

    private long share(long nowNanos) {
        // A thread that read its clock before the closing is at its start.
        long elapsed = Math.max(0, nowNanos - startNanos);
        if (elapsed >= periodNanos) {
            return WHOLE;
        }
        return LEAST_SHARE + (WHOLE - LEAST_SHARE) * (elapsed >> shift) / (periodNanos >> shift);
    }
}
