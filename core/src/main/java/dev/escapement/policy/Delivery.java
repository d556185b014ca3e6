package dev.escapement.policy;

/**
 * What may be repeated after an attempt that may have had its effect already (I6). A choice of its own: no number of
 * retries implies it. Where nothing can have been done ({@link dev.escapement.report.Effect#ABSENT}) it asks for nothing.
 */
public enum Delivery {
    /** Nothing: such an attempt is never repeated, not even an idempotent or a keyed one. */
    AT_MOST_ONCE,
    /** What the policy's methods allow, and whatever carries an idempotency key (E3). */
    AT_LEAST_ONCE,
    /** Only what carries an idempotency key: effectively once, where the server honours it. An unkeyed PUT or DELETE is not. */
    KEYED
}
