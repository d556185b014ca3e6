package dev.escapement.permit;

/** What came of joining the queue of a {@link PermitPool}. */
public enum Enqueued {
    /** A permit was free and nobody waited: it is the caller's already, and no signal will come. */
    GRANTED,
    /** The waiter stands in the queue, and will be signalled unless it is cancelled first. */
    WAITING,
    /** Refused: as many wait as may (L2). */
    QUEUE_FULL,
    /** Refused: the pool is closed (S1). */
    CLOSED
}
