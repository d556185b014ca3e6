package dev.escapement.netty;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the bytes of response heads up to their empty line, and remembers the last one.
 *
 * <p>Servers repeat themselves: most heads on a connection equal the one before, byte for byte. Parsing is a pure function
 * of the bytes, so an equal head is the same {@link ResponseHead}, and costs one comparison and no garbage.
 *
 * <p>Refuses at the first byte that cannot belong to a head: anything but {@code HTTP/1.} in front, a line feed without its
 * carriage return, an empty first line. Confined to the connection's event loop.
 */
final class HeadBytes {

    private static final byte[] START = {'H', 'T', 'T', 'P', '/', '1', '.'};
    private static final int INITIAL = 512;

    enum Result {
        MORE,
        WHOLE,
        MALFORMED,
        TOO_LARGE
    }

    private final int limit;

    private byte[] bytes = new byte[INITIAL];
    private int length;
    private int lineStart;
    private byte[] lastBytes = new byte[0];
    private int lastLength;
    private @Nullable ResponseHead lastHead;

    HeadBytes(int limit) {
        this.limit = limit;
    }

    /** How many bytes of the present head have arrived. */
    int length() {
        return length;
    }

    void reset() {
        length = 0;
        lineStart = 0;
    }

    /** Takes bytes up to the end of the head, no further. */
    Result take(ByteBuf in) {
        int offered = Math.min(in.readableBytes(), limit + 1 - length);
        if (length + offered > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + offered, Math.min(2 * bytes.length, limit + 1)));
        }
        in.getBytes(in.readerIndex(), bytes, length, offered);
        int end = length + offered;
        for (int i = length; i < end; i++) {
            byte b = bytes[i];
            if (i < START.length && b != START[i]) {
                return Result.MALFORMED;
            }
            if (b == '\n') {
                if (bytes[i - 1] != '\r') {
                    return Result.MALFORMED;
                }
                if (i - lineStart == 1) {
                    in.skipBytes(i + 1 - length);
                    length = i + 1;
                    return length > limit ? Result.TOO_LARGE : Result.WHOLE;
                }
                lineStart = i + 1;
            }
        }
        in.skipBytes(offered);
        length = end;
        return length > limit ? Result.TOO_LARGE : Result.MORE;
    }

    /** The head, once it is whole. */
    ResponseHead parsed() {
        ResponseHead last = lastHead;
        if (last != null && Arrays.equals(bytes, 0, length, lastBytes, 0, lastLength)) {
            return last;
        }
        ResponseHead head = HeadParser.parse(bytes, length);
        byte[] spare = lastBytes;
        lastBytes = bytes;
        lastLength = length;
        lastHead = head;
        bytes = spare.length == 0 ? new byte[INITIAL] : spare;
        return head;
    }
}
