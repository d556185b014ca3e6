package dev.escapement.guard;

/** Whether a {@link CircuitBreaker} lets attempts through (G2). */
public enum BreakerState {

    /** It does: all of them, or a growing share during the ramp (G4). */
    CLOSED,

    /** It does not; from the end of the open period on, the next attempt that asks is a trial. */
    OPEN,

    /** Trials alone. */
    HALF_OPEN,

    /** It does not, until someone closes it. */
    FORCED_OPEN
}
