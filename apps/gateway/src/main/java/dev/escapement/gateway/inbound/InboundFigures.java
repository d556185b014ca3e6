package dev.escapement.gateway.inbound;

/**
 * What is known of a server's connections at one instant. Immutable.
 *
 */
public final class InboundFigures {

    private final int active;
    private final int idle;
    private final int closing;
    private final long accepted;
    private final long beyondLimit;
    private final long[] refused;

    InboundFigures(int active, int idle, int closing, long accepted, long beyondLimit, long[] refused) {
        this.active = active;
        this.idle = idle;
        this.closing = closing;
        this.accepted = accepted;
        this.beyondLimit = beyondLimit;
        this.refused = refused;
    }

    /** Connections with a request. */
    public int active() {
        return active;
    }

    /** Connections without one. */
    public int idle() {
        return idle;
    }

    /** Connections that are read on until their client's last word (RFC 9112 §9.6). */
    public int closing() {
        return closing;
    }

    /** Connections since the start. */
    public long accepted() {
        return accepted;
    }

    /** Of these, closed at once because there were too many. */
    public long beyondLimit() {
        return beyondLimit;
    }

    /** Requests refused by that rule since the start. */
    public long refused(Refusal rule) {
        return refused[rule.ordinal()];
    }
}
