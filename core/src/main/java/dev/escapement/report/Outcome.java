package dev.escapement.report;

import dev.escapement.transport.TransportFailure;
import java.util.Optional;

/**
 * How a call ended: one of a closed list (A7). Switch over {@link #kind()}.
 *
 * <p>A timeout or a deadline proves that no result was seen in time, nothing more (E4);
 * {@link Report#ambiguous()} says whether an effect may exist.
 */
public sealed interface Outcome {

    /** The list. */
    enum Kind {
        RESPONSE,
        TRANSPORT_FAILED,
        ATTEMPT_TIMEOUT,
        OVERALL_DEADLINE,
        POLICY_TIME_OVERFLOW,
        CANCELLED,
        REJECTED,
        BROKEN
    }

    Kind kind();

    /** A server answered, with whatever status; the caller owns the response and releases it. */
    record Response(dev.escapement.http.Response response) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.RESPONSE;
        }
    }

    /** The last attempt brought no response. */
    record TransportFailed(TransportFailure failure) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.TRANSPORT_FAILED;
        }
    }

    /** The last attempt saw no result within its attempt timeout. */
    record AttemptTimeout() implements Outcome {
        public static final AttemptTimeout INSTANCE = new AttemptTimeout();

        @Override
        public Kind kind() {
            return Kind.ATTEMPT_TIMEOUT;
        }
    }

    /**
     * The overall deadline passed, or a wished-for retry could not fit before it (R6).
     *
     * @param lastReal the last response or transport failure that was seen, for the caller to use; empty if there was none
     */
    record OverallDeadline(Optional<Outcome> lastReal) implements Outcome {
        public static final OverallDeadline WITHOUT_RESULT = new OverallDeadline(Optional.empty());

        @Override
        public Kind kind() {
            return Kind.OVERALL_DEADLINE;
        }
    }

    /** An instant that the policy asks for lies beyond the clock's range (P4). */
    record PolicyTimeOverflow(Which which) implements Outcome {

        /** The sum that overflowed. */
        public enum Which {
            OVERALL,
            ATTEMPT,
            BACKOFF
        }

        @Override
        public Kind kind() {
            return Kind.POLICY_TIME_OVERFLOW;
        }
    }

    /** The caller cancelled, or the client was closed while the call ran ({@link Report#suppressed()} tells which). */
    record Cancelled() implements Outcome {
        public static final Cancelled INSTANCE = new Cancelled();

        @Override
        public Kind kind() {
            return Kind.CANCELLED;
        }
    }

    /** The call was not let in. No attempt was made. */
    record Rejected(Reason reason) implements Outcome {

        /** Why. */
        public enum Reason {
            /** As many calls wait for a permit as may. */
            QUEUE_FULL,
            /** No permit came within the policy's queue wait. */
            QUEUE_WAIT,
            /** The endpoint's breaker is open, or no endpoint is available (G2). */
            BREAKER_OPEN,
            /** The client is closed, or its scheduler refuses work. */
            SHUTTING_DOWN
        }

        @Override
        public Kind kind() {
            return Kind.REJECTED;
        }
    }

    /** A bug: a transport, scheduler, random source or the engine itself threw. */
    record Broken(Throwable cause) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.BROKEN;
        }
    }
}
