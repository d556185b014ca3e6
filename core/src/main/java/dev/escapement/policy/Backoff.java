package dev.escapement.policy;

/** Exponential backoff (B1): {@code min(max, initial × 2^(attempts − 1))}, where an overflow is the maximum. Pure. */
public final class Backoff {

    private Backoff() {}

    /**
     * The delay, before jitter, after so many attempts.
     *
     * @param attempts attempts made so far, 1 to {@link Policy#MAX_RETRIES}
     */
    public static long ceilingNanos(long initialNanos, long maxNanos, int attempts) {
        int doublings = attempts - 1;
        // initial × 2^d > max exactly when initial > ⌊max ÷ 2^d⌋; the shift back cannot overflow.
        return initialNanos > maxNanos >> doublings ? maxNanos : initialNanos << doublings;
    }
}
