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
    /** The body can be read only once, and some of it was taken (R8). */
    BODY_NOT_REPLAYABLE,
    /** The response carries the header by which the policy lets a server forbid a retry (R5). */
    SERVER_FORBIDS,
    /** The request's owner token says that an outer layer retries (M3). */
    OWNED_ABOVE,
    /** The policy's retries are used up. */
    ATTEMPTS_USED,
    /** No useful attempt fits before the overall deadline (R6): the outcome is {@code OverallDeadline}. */
    CANNOT_FIT,
    /** The server asks for a longer delay than the policy grants (R5). */
    HINT_OVER_CAP,
    /** The endpoint's breaker is open, or no endpoint is available (G2). */
    BREAKER_OPEN,
    /** The population's retry budget is spent (G1). */
    BUDGET_EMPTY,
    /** The retry needed a permit of its own, and none came in time. */
    NO_PERMIT,
    /** The caller cancelled first. */
    CANCELLED,
    /** The client was closed first. */
    SHUTTING_DOWN
}
