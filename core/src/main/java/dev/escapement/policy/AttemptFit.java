package dev.escapement.policy;

/** When a retry is worth making (R6). Gates retries only; a first attempt takes what time there is. */
public enum AttemptFit {
    /** Its whole attempt timeout must end strictly before the deadline. */
    WHOLE,
    /** At least the minimum attempt must be left, after the reserve; equality fits. */
    CLIPPED
}
