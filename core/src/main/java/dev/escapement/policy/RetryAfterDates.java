package dev.escapement.policy;

/** Whether a {@code Retry-After} may be a date (R4). Seconds are read in either case. */
public enum RetryAfterDates {
    /** A date is read against the client's wall clock; one in the past asks for no delay. */
    READ,
    /** A date is no usable hint: the computed backoff stands. */
    IGNORED
}
