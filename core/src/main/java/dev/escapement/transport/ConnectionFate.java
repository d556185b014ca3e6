package dev.escapement.transport;

/** What became of an attempt's connection when the attempt let go of it (E6). */
public enum ConnectionFate {
    /** There was none. */
    NONE,
    /** It serves other attempts: the request was written whole, the response read whole, nothing was left over. */
    REUSED,
    /** It was closed in good order, as one side had asked. */
    CLOSED,
    /** It was closed because nobody could tell any more what belongs to whom. */
    POISONED
}
