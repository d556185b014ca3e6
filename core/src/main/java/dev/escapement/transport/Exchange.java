package dev.escapement.transport;

import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.time.Scheduler;

/**
 * What a transport knows of one attempt, and how it reports on it. Made by the engine, one per attempt, never reused.
 *
 * <p><b>Order.</b> {@link #connected}, {@link #tryWrite}, {@link #written}, {@link #requestSent}, {@link #replyStarted}, then one
 * of {@link #succeed} and {@link #fail}, and {@link #clean} once, before or after the result: before it, where the
 * connection can be given back first. Steps that a transport cannot see are left out. Facts are told by one thread at a
 * time; none of these methods blocks or throws. The engine may run the whole call, user callbacks included, inside {@code succeed},
 * {@code fail} and {@code clean}: call them last, holding no lock, with state that allows re-entry.
 *
 * <p><b>Streams (A8).</b> Where {@link #takesParts}, the response is reported at its head, with a body that is still to come, unless the whole of it
 * is there. {@code clean} follows when the transport has read the body to its end, or was told to drop or to cut it. Each move of the body is told
 * by {@link #bodyMoved}; how long it may stand still is the engine's to judge ({@link Attempt#cut}).
 */
public interface Exchange {

    /**
     * Where to connect: the origin of the request's URI, unless a picker chose another. Its scheme says whether TLS is spoken;
     * {@code Host} and the name that TLS verifies stay the URI's. A transport that cannot go there fails the attempt as
     * {@link TransportFailure.Kind#REFUSED}, with nothing written. Never changes.
     */
    Endpoint endpoint();

    /** The instant of {@link #scheduler()}'s clock from which on a result is worthless; acquiring a connection counts. */
    long deadlineNanos();

    /** The home of the call: its clock and the context in which {@code send} and {@code abandon} are called. */
    Scheduler scheduler();

    /** Whether the engine has given up on this attempt; then every report but {@link #clean} is ignored. Any thread. */
    boolean abandoned();

    /**
     * Asked just before the first byte can leave on a connection (E1). It races abandonment on one word.
     *
     * @return true: the attempt counts as written from here on, unless the transport later fails it with nothing written;
     *     false: it was abandoned or has a result, and the transport must let nothing leave
     */
    boolean tryWrite();

    /**
     * A connection is ready, TLS included. A second report means that the first connection, a reused one, died before it
     * accepted a byte, and was replaced inside this attempt (R10): the engine counts it, and {@link #tryWrite} is
     * asked again.
     *
     * @param reused whether the connection has served an attempt before
     */
    void connected(boolean reused);

    /** So many bytes of the request in all were accepted by the socket. Grows; 0 says nothing. */
    void written(long totalBytes);

    /** From here on bytes may have left that nobody can count (E1, UNKNOWN). For transports that cannot see the socket. */
    void writtenUnknown();

    /** The whole request was accepted by the socket. */
    void requestSent();

    /** The first byte of a reply arrived, interim answers included. */
    void replyStarted();

    /** Whether the caller takes a response at its head and the body in parts (A8). Never changes. */
    boolean takesParts();

    /** Whether anybody listens to interim answers; if not, they need not be told. Never changes. */
    boolean takesInterim();

    /**
     * An interim answer (RFC 9110 §15.2) arrived. Commits nothing.
     *
     * @param status 100 to 199, but never 101
     */
    void interim(int status, Headers headers);

    /**
     * The body of a streamed response has moved: a part was handed to its reader, or a reader who had nothing outstanding asked for
     * more. Told by one thread at a time, after {@link #succeed} as well.
     */
    void bodyMoved();

    /**
     * The attempt ended with a response: whole, or at its head where {@link #takesParts}.
     *
     * @return true if the engine owns the response now; false if a result was reported before or the attempt was abandoned: the
     *     response is still the transport's to release
     */
    boolean succeed(Response response);

    /**
     * The attempt ended without one. The progress told so far is final: a transport that won {@link #tryWrite} and told
     * no written byte says with this that none was accepted.
     *
     * @return true if this is the attempt's result; false if it came too late
     */
    boolean fail(TransportFailure failure);

    /**
     * The transport owns nothing of this attempt any more: no connection, no buffer, no timer. Exactly once, also after
     * abandonment. The permit may return on this.
     *
     * @param discardedBytes bytes of a reply that were read and thrown away
     */
    void clean(ConnectionFate fate, long discardedBytes);
}
