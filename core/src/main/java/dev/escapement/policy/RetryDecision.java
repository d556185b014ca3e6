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
     * Try again, once so much time has passed since the decision's now; their sum was checked.
     *
     * @param delayNanos at least 0
     */
    record Retry(long delayNanos) implements RetryDecision {
        private static final Retry IMMEDIATE = new Retry(0);

        static Retry after(long delayNanos) {
            return delayNanos == 0 ? IMMEDIATE : new Retry(delayNanos);
        }

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
        static final Stop BODY_NOT_REPLAYABLE = new Stop(Suppressed.BODY_NOT_REPLAYABLE);
        static final Stop SERVER_FORBIDS = new Stop(Suppressed.SERVER_FORBIDS);
        static final Stop OWNED_ABOVE = new Stop(Suppressed.OWNED_ABOVE);
        static final Stop ATTEMPTS_USED = new Stop(Suppressed.ATTEMPTS_USED);
        static final Stop CANNOT_FIT = new Stop(Suppressed.CANNOT_FIT);
        static final Stop HINT_OVER_CAP = new Stop(Suppressed.HINT_OVER_CAP);
        static final Stop BREAKER_OPEN = new Stop(Suppressed.BREAKER_OPEN);
        static final Stop BUDGET_EMPTY = new Stop(Suppressed.BUDGET_EMPTY);

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
