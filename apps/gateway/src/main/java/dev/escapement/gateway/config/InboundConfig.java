package dev.escapement.gateway.config;

import java.time.Duration;
import java.util.Optional;

/**
 * What clients may ask of a connection, and how long they may take. Immutable.
 *
 * @param headTimeout from the first byte of a head to its last
 * @param bodyIdleTimeout between two reads of a request's body
 * @param writeIdleTimeout how long a client may take nothing of its answer
 * @param keepAliveTimeout between an answer and the next request's first byte
 * @param maxRequests on one connection, ± 10 %
 * @param maxAge of a connection, ± 10 %
 * @param maxHeadBytes of a request's head
 * @param maxFields of a head, and of a trailer section
 * @param maxRequestLineBytes of a request line
 * @param maxBodyBytes of a request's body, where its route says nothing else
 * @param replayBodyBytes a body of known length up to this is read whole before its call starts, so that it can be sent again (R8)
 * @param continueWait how long an upstream may be silent about an expectation before we say 100 ourselves
 * @param maxConnections at once; who comes beyond is refused
 * @param lingerTime how long a refused or closing connection is read on (RFC 9112 §9.6)
 * @param lingerBytes how much of it
 * @param halfClose what the end of a client's input means while its request runs
 * @param tls spoken with clients; in the clear if empty
 */
public record InboundConfig(
        Duration headTimeout,
        Duration bodyIdleTimeout,
        Duration writeIdleTimeout,
        Duration keepAliveTimeout,
        int maxRequests,
        Duration maxAge,
        int maxHeadBytes,
        int maxFields,
        int maxRequestLineBytes,
        long maxBodyBytes,
        int replayBodyBytes,
        Duration continueWait,
        int maxConnections,
        Duration lingerTime,
        int lingerBytes,
        HalfClose halfClose,
        Optional<InboundTls> tls) {

    /** What a client's FIN means while its request runs. */
    public enum HalfClose {
        /** It has gone away: the call is cancelled (E7). */
        CANCEL,
        /** It says no more and still listens. */
        FINISH
    }
}
