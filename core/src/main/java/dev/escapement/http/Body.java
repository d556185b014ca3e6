package dev.escapement.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/**
 * The content of a message: whole in memory, or streamed in parts.
 *
 * <p>A request's body says whether it can be sent again (R8): {@code of} makes bodies that each attempt reads anew, {@code once} such
 * as can be read a single time. A response's body is in memory unless its call asked for a stream (A8); then it may come in
 * parts, and holds a connection and a permit until it was read whole or released: whoever is left owning one calls {@link #release} if it is not
 * wanted. A request's streamed body is released by its call, when that is clean.
 */
public interface Body {

    /** The length of a body whose end alone tells it. */
    long UNKNOWN_LENGTH = -1L;

    /** The length in bytes, or {@link #UNKNOWN_LENGTH}. */
    long length();

    /**
     * The whole content as a read-only buffer of its own position and limit, over shared bytes.
     *
     * @throws IllegalStateException if it is {@linkplain #isConsumed() consumed}, or {@linkplain #isStreamed() streamed}
     */
    ByteBuffer content();

    /** Whether the content is not in memory and comes in {@link #parts} alone. */
    default boolean isStreamed() {
        return false;
    }

    /**
     * The content in parts, in order, none of them empty. A part is the subscriber's: nobody changes it afterwards. One in memory comes
     * as a single part.
     *
     * <p>Signals come as Reactive Streams has them, one at a time; a streamed response's on the thread that reads its connection, which
     * must not be blocked. Where it fails, {@code onError} is told a {@link BodyException}, or whatever a request's own publisher
     * says. Cancelling drops the rest. A body that can be read once, and a response's, takes one subscriber; the next is told
     * an {@link IllegalStateException}.
     */
    default Flow.Publisher<ByteBuffer> parts() {
        return new WholePart(this);
    }

    /**
     * The fields that follow the content (RFC 9110 §6.5). A response's are there once its parts have completed, and none before; a
     * request's are asked for after its last part, and sent only where the length is unknown.
     */
    default Headers trailers() {
        return Headers.empty();
    }

    /**
     * Whether nobody can read the content any more: it can be read only once, and was taken (R8). A request whose body is
     * consumed is never sent again; any thread may ask.
     */
    default boolean isConsumed() {
        return false;
    }

    /**
     * Gives back what the body holds; a streamed response's rest is dropped, and a subscriber told so. Harmless when repeated; the content must not be
     * read afterwards. Any thread.
     */
    void release();

    /** This body with fields to follow it, so that its length is not told and it travels in chunks. */
    default Body withTrailers(Supplier<Headers> trailers) {
        return new TrailedBody(this, trailers);
    }

    /** A body of no bytes. */
    static Body empty() {
        return BytesBody.EMPTY;
    }

    /** A body over these bytes, which are not copied and must not be changed any more. */
    static Body of(byte[] bytes) {
        return bytes.length == 0 ? BytesBody.EMPTY : new BytesBody(bytes);
    }

    /**
     * A body whose content can be read only once, because the bytes are not the caller's to keep. An attempt that takes it and
     * fails ends its call (R8); one that fails before may be repeated.
     *
     * @param content its remaining bytes are the body; neither copied nor to be changed until it was taken and sent
     */
    static Body once(ByteBuffer content) {
        return new OnceBody(content);
    }

    /** A body of this text in UTF-8. */
    static Body of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A streamed body that each attempt subscribes to anew, and finds whole each time.
     *
     * @param length in bytes, or {@link #UNKNOWN_LENGTH}; an attempt to which the publisher gives more or fewer fails, and its
     *     connection is closed
     */
    static Body of(Flow.Publisher<ByteBuffer> parts, long length) {
        return new StreamedBody(parts, length, false);
    }

    /**
     * A streamed body that is there once. It is consumed from its first subscription on, which a transport makes when the content is
     * about to be sent: an attempt that fails before may be repeated (R8).
     *
     * @param length as {@link #of(Flow.Publisher, long)}
     */
    static Body once(Flow.Publisher<ByteBuffer> parts, long length) {
        return new StreamedBody(parts, length, true);
    }
}
