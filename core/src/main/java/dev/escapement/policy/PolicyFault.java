package dev.escapement.policy;

/**
 * One thing wrong with a policy or a client's settings (P2): which, the value given, and the range allowed.
 *
 * @param parameter the setting's name, as the builder spells it, or its key where it was read from a map
 * @param value the value given, with its unit
 * @param range what would be allowed
 */
public record PolicyFault(Kind kind, String parameter, String value, String range) {

    /** The kinds, in the order in which an exception lists them. */
    public enum Kind {
        CONCURRENCY_ZERO,
        CONCURRENCY_TOO_LARGE,
        ATTEMPT_TIMEOUT_ZERO,
        ATTEMPT_DEADLINE_OVERFLOW,
        OVERALL_DEADLINE_OVERFLOW,
        BACKOFF_DEADLINE_OVERFLOW,
        RETRY_EXPONENT_TOO_LARGE,
        NEGATIVE_DURATION,
        OUT_OF_RANGE,
        /** A setting that has no default is not given. */
        MISSING,
        /** A text says no value of its setting's type. */
        UNREADABLE,
        /** There is no setting of that name. */
        UNKNOWN
    }

    /** The same fault of a setting that goes by another name. */
    PolicyFault renamed(String other) {
        return new PolicyFault(kind, other, value, range);
    }

    @Override
    public String toString() {
        return parameter + " = " + value + ": expected " + range;
    }
}
