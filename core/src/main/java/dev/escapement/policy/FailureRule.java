package dev.escapement.policy;

/** Which attempts that brought no response are worth a retry. */
public enum FailureRule {
    /** Connect failures and attempt timeouts, for the policy's methods or a keyed request (R2 alone; the checker's choice). */
    CONNECT_FAILURES,
    /**
     * Every transient failure (R2 with E3): for any method where nothing was written, else for the policy's methods or a
     * keyed request.
     */
    BY_EFFECT
}
