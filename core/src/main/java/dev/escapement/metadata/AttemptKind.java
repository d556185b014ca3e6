package dev.escapement.metadata;

/** Whether an attempt follows the ones before it, or runs beside them. */
public enum AttemptKind {
    /** None of its operation's attempts is running. */
    SEQUENTIAL("sequential"),
    /** Another may still be running (H1). */
    HEDGE("hedge");

    private final String word;

    AttemptKind(String word) {
        this.word = word;
    }

    /** As it is written in a header. */
    public String word() {
        return word;
    }
}
