package dev.escapement.netty;

import dev.escapement.http.Body;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A response body on its way into one array. Grows with what arrives, not with what was promised: a length in a head is no
 * reason to set memory aside. Confined to the connection's event loop.
 */
final class BodyBytes {

    private static final byte[] NONE = {};
    private static final int FIRST = 8 * 1024;

    private byte[] bytes = NONE;
    private int length;

    int length() {
        return length;
    }

    void reset() {
        bytes = NONE;
        length = 0;
    }

    /**
     * Appends bytes of the input.
     *
     * @param most how long the body can become in all
     */
    void append(ByteBuf in, int count, long most) {
        if (length + count > bytes.length) {
            long wanted = Math.max(length + (long) count, Math.max(FIRST, 2L * bytes.length));
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, most));
        }
        in.readBytes(bytes, length, count);
        length += count;
    }

    /** The body; this holds nothing afterwards. */
    Body take() {
        Body body = Body.of(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
        reset();
        return body;
    }
}
