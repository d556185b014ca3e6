package dev.escapement.netty;

import dev.escapement.transport.TransportFailure.Kind;

/**
 * What it means for an attempt that its connection has ended, or has spoken too early: the whole rule, in pure functions of
 * all the facts (E1, E9, R10).
 */
enum EndRule {
    /** The connection was stale: it gave no sign, had served before, and nothing has left. Another one, once (R10). */
    REPLACE(Kind.STALE, Poison.STALE),
    /** The replacement was no better. */
    STALE(Kind.STALE, Poison.STALE),
    /** It ended with nothing of a response. */
    RESET(Kind.RESET, Poison.RESET),
    /** It ended inside a response. */
    TRUNCATED(Kind.TRUNCATED, Poison.TRUNCATED),
    /** It said something before anybody had asked. */
    UNSOLICITED(Kind.UNSOLICITED, Poison.UNSOLICITED),
    /** Its end was the end of the response (RFC 9112 §6.3): no failure. */
    WHOLE(Kind.RESET, Poison.RESET);

    private final Kind kind;
    private final Poison poison;

    EndRule(Kind kind, Poison poison) {
        this.kind = kind;
        this.poison = poison;
    }

    /**
     * The connection has ended.
     *
     * @param untouched whether it is proven that it accepted no byte of the request
     * @param reused whether it had served an attempt before
     * @param replaced whether it is a replacement itself
     * @param whole whether its end completes the response
     * @param answerBegun whether any byte of the final response had arrived
     */
    static EndRule ended(boolean untouched, boolean reused, boolean replaced, boolean whole, boolean answerBegun) {
        if (untouched) {
            return replaced ? STALE : reused ? REPLACE : RESET;
        }
        return whole ? WHOLE : answerBegun ? TRUNCATED : RESET;
    }

    /** Bytes arrived before one of ours was accepted: they answer nothing, a 408 for lying idle for instance. */
    static EndRule spokeFirst(boolean reused, boolean replaced) {
        return reused && !replaced ? REPLACE : UNSOLICITED;
    }

    Kind kind() {
        return kind;
    }

    Poison poison() {
        return poison;
    }
}
