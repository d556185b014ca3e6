package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Turns the parts of a streamed request into buffers for the socket: as they are where the length is declared, and then never
 * a byte more; as chunks where it is not (RFC 9112 §7.1).
 *
 * <p>Bytes of the caller's are copied into direct buffers of our own; a Netty buffer is handed on as it is, unless it is so small that
 * copying costs less than a second component. Confined to the event loop.
 */
final class OutgoingFraming {

    private static final int COPIED_BYTES = 512;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final ByteBufAllocator allocator;
    private final boolean chunked;
    private final long length;
    private long framedBytes;
    private boolean ended;

    OutgoingFraming(ByteBufAllocator allocator, long length) {
        this.allocator = allocator;
        this.chunked = length == Body.UNKNOWN_LENGTH;
        this.length = length;
    }

    /** Whether so many bytes more are within what was declared. */
    boolean admits(long bytes) {
        return chunked || framedBytes + bytes <= length;
    }

    /** Whether everything is framed that the head has promised. */
    boolean isWhole() {
        return chunked ? ended : framedBytes == length;
    }

    boolean isChunked() {
        return chunked;
    }

    /** How many bytes of content were framed. */
    long framedBytes() {
        return framedBytes;
    }

    /** A buffer with the next bytes of a part that is not empty, and whose owner they stay. The caller owns the result. */
    ByteBuf frame(ByteBuffer part) {
        int count = Math.min(part.remaining(), RequestEncoder.MAX_CHUNK_BYTES);
        framedBytes += count;
        byte[] size = size(count);
        ByteBuf framed = allocator.directBuffer(size.length + count + 2);
        int limit = part.limit();
        part.limit(part.position() + count);
        framed.writeBytes(size).writeBytes(part);
        part.limit(limit);
        return chunked ? framed.writeBytes(LINE_END) : framed;
    }

    /** The whole of a part that is not empty. Owns the part from here on; the caller owns the result. */
    ByteBuf frame(ByteBuf part) {
        int count = part.readableBytes();
        framedBytes += count;
        if (!chunked) {
            return part;
        }
        byte[] size = size(count);
        if (count <= COPIED_BYTES) {
            ByteBuf framed = allocator.directBuffer(size.length + count + 2);
            framed.writeBytes(size).writeBytes(part).writeBytes(LINE_END);
            part.release();
            return framed;
        }
        ByteBuf before = allocator.directBuffer(size.length).writeBytes(size);
        ByteBuf after = allocator.directBuffer(2).writeBytes(LINE_END);
        return allocator.compositeDirectBuffer(3).addComponents(true, before, part, after);
    }

    /** The last chunk, with the trailers that may follow it. The caller owns the result. */
    ByteBuf end(Headers trailers) {
        ended = true;
        StringBuilder text = new StringBuilder("0\r\n");
        Headers permitted = Trailers.permitted(trailers);
        for (int i = 0; i < permitted.count(); i++) {
            text.append(permitted.nameAt(i))
                    .append(": ")
                    .append(permitted.valueAt(i))
                    .append("\r\n");
        }
        byte[] bytes = text.append("\r\n").toString().getBytes(ISO_8859_1);
        return allocator.directBuffer(bytes.length).writeBytes(bytes);
    }

    private byte[] size(int count) {
        return chunked ? (Integer.toHexString(count) + "\r\n").getBytes(ISO_8859_1) : new byte[0];
    }
}
