package dev.escapement.transport;

/** How far a request got on its way out (E1). Grows only; the order of the constants is the order of growth. */
public enum Progress {
    /** No byte left this process, and none will: proven, so that any request may be sent again. */
    NOT_STARTED,
    /** Some bytes were accepted by the socket, not all. A server may act on a prefix. */
    PREFIX_WRITTEN,
    /** The transport cannot tell what was accepted; counts as written. */
    UNKNOWN,
    /** Every byte was accepted by the socket. Says nothing of delivery. */
    COMPLETE;

    /** Whether the other side may have seen any of the request. */
    public boolean mayHaveArrived() {
        return this != NOT_STARTED;
    }
}
