package dev.escapement.gateway.inbound;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the bytes of a head, or of trailers, and hands over each line when it is whole.
 *
 * <p>No byte is looked at twice, however the bytes arrive, and what is decided about a message depends on its bytes alone, not on how they
 * were split. A line ends with CR LF and holds no other control character but tabs (RFC 9112 §2.2 allows a lone LF; leniency
 * there is how requests are smuggled). Memory is bounded by the limit. Confined to its connection's loop.
 */
final class HeadLines {

    /** Takes lines. */
    interface Sink {

        /**
         * A line that is not empty, in {@code bytes[from, to)}, without its end.
         *
         * @return why it is refused, or null
         */
        @Nullable
        Refusal line(byte[] bytes, int from, int to);

        /** Why a line is refused that has not ended after so many bytes, or null if it may go on. */
        @Nullable
        Refusal tooLong(byte[] bytes, int from, int to);
    }

    private static final int FIRST_BYTES = 512;

    /** What is kept for the next head; a larger array was for a larger head. */
    private static final int KEPT_BYTES = 4096;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int limit;
    private int firstLineLimit;

    /** What has arrived and was looked at. */
    private int length;

    private int lineStart;
    private boolean ended;

    /** Begins anew, with these bounds on the whole and on its first line. */
    void reset(int maxBytes, int maxFirstLineBytes) {
        limit = maxBytes;
        firstLineLimit = maxFirstLineBytes;
        length = 0;
        lineStart = 0;
        ended = false;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    /** How many bytes have arrived. */
    int length() {
        return length;
    }

    /** Whether the empty line has come. */
    boolean isEnded() {
        return ended;
    }

    /** The bytes, up to {@link #length}. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the line that has not ended begins. */
    int lineStart() {
        return lineStart;
    }

    /** Whether the input begins with these bytes. Before anything was taken. */
    boolean isAhead(ByteBuf in, byte[] expected, int count) {
        if (count > bytes.length) {
            bytes = new byte[count];
        }
        in.getBytes(in.readerIndex(), bytes, 0, count);
        return Arrays.equals(bytes, 0, count, expected, 0, count);
    }

    /**
     * Takes bytes up to the empty line, no further.
     *
     * @return why they are refused, or null
     */
    @Nullable
    Refusal take(ByteBuf in, Sink sink) {
        int offered = Math.min(in.readableBytes(), limit + 1 - length);
        int end = length + offered;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, Math.min(2 * bytes.length, limit + 1)));
        }
        in.getBytes(in.readerIndex(), bytes, length, offered);
        int start = length;
        Refusal refusal = scan(end, sink);
        in.skipBytes(length - start);
        return refusal;
    }

    private @Nullable Refusal scan(int end, Sink sink) {
        // A CR may lie at the end of what came before.
        boolean returned = length > lineStart && bytes[length - 1] == '\r';
        int i = length;
        while (i < end) {
            byte b = bytes[i];
            if (i >= limit) {
                length = i + 1;
                return Refusal.HEAD_TOO_LARGE;
            }
            if (returned != (b == '\n') || (Syntax.isControl(b) && b != '\r' && b != '\n')) {
                length = i + 1;
                return Refusal.LINE;
            }
            i++;
            if (b == '\n') {
                returned = false;
                Refusal refusal = lineEnded(i, sink);
                if (refusal != null || ended) {
                    return refusal;
                }
            } else {
                returned = b == '\r';
                if (lineStart == 0 && i - (returned ? 1 : 0) > firstLineLimit) {
                    length = i;
                    return sink.tooLong(bytes, 0, i);
                }
            }
        }
        length = end;
        return null;
    }

    private @Nullable Refusal lineEnded(int next, Sink sink) {
        length = next;
        int from = lineStart;
        lineStart = next;
        if (next - from == 2) {
            ended = true;
            return null;
        }
        return sink.line(bytes, from, next - 2);
    }
}
