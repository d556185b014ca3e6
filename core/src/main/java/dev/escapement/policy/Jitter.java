package dev.escapement.policy;

/** How a computed backoff is spread out (B2). Pure but for the source it draws from. */
public enum Jitter {
    /** The ceiling itself. */
    NONE {
        @Override
        long delayNanos(long ceilingNanos, JitterSource source, long callId, int attempt) {
            return ceilingNanos;
        }
    },
    /** Uniform between 0 and the ceiling, both ends included. */
    FULL {
        @Override
        long delayNanos(long ceilingNanos, JitterSource source, long callId, int attempt) {
            long drawn = source.draw(callId, attempt, ceilingNanos);
            return Math.max(0, Math.min(ceilingNanos, drawn));
        }
    };

    abstract long delayNanos(long ceilingNanos, JitterSource source, long callId, int attempt);
}
