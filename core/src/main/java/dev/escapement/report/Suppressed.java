package dev.escapement.report;

/**
 * Why a failed attempt was not tried again (R7). The order of the constants is the order in which they are judged; the
 * first that holds is the reason. Only {@link #CANNOT_FIT} changes the outcome.
 */
public enum Suppressed {
    /** The status or the failure is not one that the policy retries. */
    NOT_RETRYABLE,
    /** It is, but the method is not safe to repeat and the request carries no idempotency key. */
    METHOD_NOT_RETRYABLE,
    /** The request may have arrived, no whole reply came, and neither method nor key makes repeating it safe (E3). */
    AMBIGUOUS_EFFECT,
    /** The policy's retries are used up. */
    ATTEMPTS_USED,
    /** No useful attempt fits before the overall deadline (R6): the outcome is {@code OverallDeadline}. */
    CANNOT_FIT,
    /** The server asks for a longer delay than the policy grants (R5). */
    HINT_OVER_CAP,
    /** The retry needed a permit of its own, and none came in time. */
    NO_PERMIT,
    /** The caller cancelled first. */
    CANCELLED,
    /** The client was closed first. */
    SHUTTING_DOWN
}
