package dev.escapement.policy;

import dev.escapement.report.Suppressed;

/** What {@link RetryRule} says of an attempt that has ended. Switch over {@link #kind()}. */
public sealed interface RetryDecision {

    /** The variants. */
    enum Kind {
        ACCEPT,
        RETRY,
        STOP,
        OVERFLOW
    }

    Kind kind();

    /** The result is no failure: nothing to retry. */
    record Accept() implements RetryDecision {
        static final Accept INSTANCE = new Accept();

        @Override
        public Kind kind() {
            return Kind.ACCEPT;
        }
    }

    /**
     * Try again.
     *
     * @param delayNanos how long to wait, at least 0
     * @param atNanos the instant the wait is over
     */
    record Retry(long delayNanos, long atNanos) implements RetryDecision {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }
    }

    /** Not again, for this reason; {@link Suppressed#CANNOT_FIT} turns the outcome into the overall deadline's (R7). */
    record Stop(Suppressed reason) implements RetryDecision {
        static final Stop NOT_RETRYABLE = new Stop(Suppressed.NOT_RETRYABLE);
        static final Stop METHOD_NOT_RETRYABLE = new Stop(Suppressed.METHOD_NOT_RETRYABLE);
        static final Stop AMBIGUOUS_EFFECT = new Stop(Suppressed.AMBIGUOUS_EFFECT);
        static final Stop ATTEMPTS_USED = new Stop(Suppressed.ATTEMPTS_USED);
        static final Stop CANNOT_FIT = new Stop(Suppressed.CANNOT_FIT);
        static final Stop HINT_OVER_CAP = new Stop(Suppressed.HINT_OVER_CAP);

        @Override
        public Kind kind() {
            return Kind.STOP;
        }
    }

    /** The end of the backoff lies beyond the clock's range (P4). */
    record Overflow() implements RetryDecision {
        static final Overflow INSTANCE = new Overflow();

        @Override
        public Kind kind() {
            return Kind.OVERFLOW;
        }
    }
}
