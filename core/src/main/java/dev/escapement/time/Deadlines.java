package dev.escapement.time;

/**
 * Arithmetic on deadlines: the only place where policy time is added to an instant.
 *
 * <p>Instants and lengths are non-negative nanoseconds, so a sum overflows exactly when it turns negative. An overflow is
 * answered with {@link #OVERFLOW}, never with a wrapped number (P4). Pure functions; nothing is allocated.
 */
public final class Deadlines {

    /** The answer of {@link #plus} for an instant that a {@code long} cannot hold; less than every instant. */
    public static final long OVERFLOW = -1L;

    /** The answer of {@link #attemptTimeoutNanos} when there is no room for an attempt. */
    public static final long NO_ATTEMPT = 0L;

    private Deadlines() {}

    /** {@code instant + length}, or {@link #OVERFLOW}. Both must be non-negative. */
    public static long plus(long instantNanos, long lengthNanos) {
        long sum = instantNanos + lengthNanos;
        return sum < 0 ? OVERFLOW : sum;
    }

    /**
     * How long an attempt that starts now may take (T4): {@code min(cap, deadline − now − reserve)}, or
     * {@link #NO_ATTEMPT} where that is not positive. Cannot overflow for any four non-negative arguments: what is left
     * is compared with the reserve before the reserve is taken from it.
     */
    public static long attemptTimeoutNanos(long nowNanos, long deadlineNanos, long capNanos, long reserveNanos) {
        long remainingNanos = deadlineNanos - nowNanos;
        return remainingNanos <= reserveNanos ? NO_ATTEMPT : Math.min(capNanos, remainingNanos - reserveNanos);
    }
}
