package dev.escapement.policy;

/** When the overall deadline starts to count (T3). */
public enum DeadlineOrigin {
    /** When the call enters: waiting for a permit is part of the budget. */
    ENTRY,
    /**
     * When the permit is granted. Until then the queue wait and the caller's own deadline bound the wait. With
     * {@link PermitScope#ATTEMPT} there is no permit for the call, and it starts at entry.
     */
    PERMIT
}
