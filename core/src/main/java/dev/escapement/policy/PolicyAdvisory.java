package dev.escapement.policy;

/**
 * Something that a policy's author may not have meant (P5): settings that are each allowed and together achieve less, or more,
 * than they seem to. Not an error. An immutable value.
 *
 * @param message what is linked with what, with the numbers
 */
public record PolicyAdvisory(Kind kind, String message) {

    /** The kinds, in the order in which they are told. */
    public enum Kind {
        /** Retries are wanted, but even after an attempt that fails at once there is no time for another (R6). */
        NO_RETRY_FITS,
        /** The cleanup reserve takes half of an attempt that starts at once, or leaves less than the minimum attempt (T4). */
        RESERVE_EATS_ATTEMPT,
        /**
         * In an outage a call asks for several retries, where the budget grants no more than one, or there is none (H5, G1). A single
         * retry is the least there is, and not told.
         */
        RETRIES_OUTGROW_BUDGET,
        /** More than one in a hundred of the attempts seen took longer than the attempt timeout. */
        ATTEMPT_TIMEOUT_BELOW_P99
    }

    @Override
    public String toString() {
        return message;
    }
}
