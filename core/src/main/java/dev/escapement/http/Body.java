package dev.escapement.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The content of a message.
 *
 * <p>Today every body is whole in memory ({@link #of}); a streamed one will be another implementation of this type, which
 * is why a body is released rather than dropped: whoever is left owning a response's body calls {@link #release} once
 * it is not wanted.
 */
public interface Body {

    /** The length in bytes. */
    long length();

    /**
     * The whole content as a read-only buffer of its own position and limit, over shared bytes.
     *
     * @throws IllegalStateException if it is {@linkplain #isConsumed() consumed}
     */
    ByteBuffer content();

    /**
     * Whether nobody can read the content any more: it can be read only once, and was taken (R8). A request whose body is
     * consumed is never sent again; any thread may ask.
     */
    default boolean isConsumed() {
        return false;
    }

    /** Gives back what the body holds. Harmless when repeated; the content must not be read afterwards. */
    void release();

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
}
