package dev.escapement.guard;

/** What an attempt's ending says about the endpoint that it went to (G2). */
public enum Verdict {

    /** The endpoint answered, and the answer is no sign of trouble; a slow one is found by its duration. */
    SUCCESS,

    /** A 5xx, a 429, a timeout or a transport failure. */
    FAILURE,

    /** Nothing is known: the caller cancelled, or the attempt never started. Gives a trial place back, counts nowhere. */
    NEUTRAL
}
