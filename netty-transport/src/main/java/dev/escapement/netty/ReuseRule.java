package dev.escapement.netty;

import dev.escapement.transport.ConnectionFate;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a connection whose response is complete (E6): the whole rule, in one pure function of all its facts.
 *
 * <p>Framing conflicts, interim answers beyond their bound and bodies beyond theirs do not get here: they are faults, and
 * a fault closes. Nor does a streamed response that was cut, or dropped with more to come than is worth reading ({@link GivenResponse}). One
 * that was drained to its end is judged as any other.
 */
enum ReuseRule {
    KEEP(ConnectionFate.REUSED, null),
    /** One side had asked for the end, or this side has had the connection long enough. */
    CLOSE(ConnectionFate.CLOSED, null),
    /** Whether the rest of the request is still wanted, and where the next one begins, nobody can tell. */
    UNFINISHED(ConnectionFate.POISONED, Poison.REQUEST_UNFINISHED),
    /**
     * The server framed content where there is none, an interim answer's or a 204's: it may yet send what it believes in, and the next request
     * would find that in front of its answer (RFC 9110 §8.6).
     */
    CONTRADICTED(ConnectionFate.POISONED, Poison.MALFORMED),
    /** Bytes that answer nothing: the next request must not find them in front of its answer (RFC 9112 §9.2). */
    SURPLUS(ConnectionFate.POISONED, Poison.SURPLUS);

    private final ConnectionFate fate;
    private final @Nullable Poison poison;

    ReuseRule(ConnectionFate fate, @Nullable Poison poison) {
        this.fate = fate;
        this.poison = poison;
    }

    /**
     * The rule. The order says which reason is told where several hold; poison goes first, so that it is counted.
     *
     * @param requestSent whether the socket accepted the whole request
     * @param surplusBytes how many bytes followed the response
     * @param contradicted whether the response, or an interim answer before it, framed content where there never is any
     * @param head the response's head
     * @param endedByPeer whether the peer has ended the connection, be it as the framing of this response
     * @param keeping whether the pool keeps connections, and this one: it goes on, and the name still stands for the address
     * @param idleLimitNanos how long the connection could wait for its next request, by our limit and the server's
     * @param lifetimeLeftNanos what is left of the connection's life
     */
    static ReuseRule judge(
            boolean requestSent,
            long surplusBytes,
            boolean contradicted,
            ResponseHead head,
            boolean endedByPeer,
            boolean keeping,
            long idleLimitNanos,
            long lifetimeLeftNanos) {
        if (surplusBytes > 0) {
            return SURPLUS;
        }
        if (!requestSent) {
            return UNFINISHED;
        }
        if (contradicted) {
            return CONTRADICTED;
        }
        if (endedByPeer || !head.keepsConnection() || !keeping || idleLimitNanos <= 0 || lifetimeLeftNanos <= 0) {
            return CLOSE;
        }
        return KEEP;
    }

    ConnectionFate fate() {
        return fate;
    }

    /** How it is counted, where the connection is poisoned. */
    @Nullable
    Poison poison() {
        return poison;
    }
}
