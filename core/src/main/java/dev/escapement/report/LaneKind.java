package dev.escapement.report;

/** Why an attempt was made. */
public enum LaneKind {
    /** The call's first. */
    FIRST,
    /** One before it had failed. */
    RETRY
}
