package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;

/**
 * Answers one request: interim heads, then one head, then its body, then the end; or a cut. Every method is called on the
 * connection's loop; calls out of order are bugs and throw {@link IllegalStateException}; calls after {@link Listener#gone} do nothing and
 * release what they are given.
 *
 * <p>Framing, {@code Connection}, {@code Keep-Alive} and {@code Date} are this side's to write. A client of HTTP/1.0 sees neither interim
 * answers nor chunks. What was written is flushed when the loop has finished what it is doing.
 */
public interface Responder {

    /** What happens to the exchange from outside; told on the loop. */
    interface Listener {

        /** There is room again after {@link Responder#isWritable} was false. */
        void writable();

        /**
         * The request's body will not come whole; its subscriber, if any, is told afterwards. Where no head was sent yet an answer can be, after
         * which the connection closes. Told at most once.
         */
        void bodyRefused(Refusal why);

        /** The grace of a stop is over, and no head was sent: an answer can be, now; the connection closes after it. Told at most once. */
        void graceOver();

        /** The client is lost: nothing more will be sent. Told at most once, never after the end. */
        void gone(Gone why);
    }

    /** How a client was lost. */
    enum Gone {
        /** It closed or reset its connection. */
        CLOSED,
        /** It took nothing for the write idle time. */
        WRITE_IDLE,
        /** The grace of a stop is over, and the head of its answer was sent. */
        SHUTTING_DOWN
    }

    /** Who is told; before anything else. */
    void listen(Listener listener);

    /** Sends an interim answer to a client that understands them. After 100 none of ours follows. */
    void interim(int status, Headers headers);

    /**
     * Sends the head of the answer.
     *
     * @param headers end-to-end fields alone
     * @param contentLength in bytes; {@code Body.UNKNOWN_LENGTH} for chunks, or for a body that ends with the connection at a client of
     *     HTTP/1.0. For HEAD, 204 and 304 it is what is told, and no body follows
     * @param tellsLength whether {@code Content-Length} is written where no body can follow
     */
    void head(int status, Headers headers, long contentLength, boolean tellsLength);

    /** Sends a part of the body, which belongs to this side from here on. */
    void data(ByteBuf part);

    /** Sends the end. Nothing follows. */
    void end(Headers trailers);

    /**
     * Ends an answer whose head was sent so that the client sees it cut: without the last chunk, short of the length, or by a reset where
     * the end of the connection is the end of the body (RFC 9112 §8). Before a head it closes the connection without an answer.
     */
    void cut();

    /** Closes the connection after this answer. */
    void closeAfter();

    /** Whether less than the high water mark waits to be sent. */
    boolean isWritable();

    /** Bytes of this answer handed to the socket, heads and framing included. */
    long bytesOut();

    /** Bytes of this request's body read so far. */
    long bodyBytesIn();

    /** Whether a stop is under way. */
    boolean isDraining();
}
