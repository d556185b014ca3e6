package dev.escapement.gateway.inbound;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What was read from a client and not yet looked at: the body that nobody has asked for, and pipelined requests. Owns its buffers. Confined
 * to its connection's loop.
 */
final class HeldBytes {

    /** Reading goes on up to here; one read more fits on top. */
    static final int LOW_BYTES = 32 * 1024;

    /** The most that one read brings. */
    static final int READ_BYTES = 32 * 1024;

    /** Up to this, bytes are copied behind those that came before, so that a trickle costs no buffer for each byte. */
    private static final int COPIED_BYTES = 1024;

    private final ArrayDeque<ByteBuf> buffers = new ArrayDeque<>(4);
    private int size;

    /** Takes over a buffer. */
    void add(ByteBuf buffer) {
        int count = buffer.readableBytes();
        size += count;
        ByteBuf last = buffers.peekLast();
        if (count == 0) {
            buffer.release();
        } else if (last != null && count <= COPIED_BYTES && count <= last.writableBytes()) {
            last.writeBytes(buffer);
            buffer.release();
        } else {
            buffers.add(buffer);
        }
    }

    /** How many bytes there are. */
    int size() {
        return size;
    }

    /** What comes next, never empty; null if nothing does. Whoever has read from it says so by {@link #read}. */
    @Nullable
    ByteBuf first() {
        return buffers.peekFirst();
    }

    /** Tells that so many bytes of the first buffer were read. */
    void read(int count) {
        size -= count;
        ByteBuf first = buffers.peekFirst();
        if (first != null && !first.isReadable()) {
            buffers.removeFirst().release();
        }
    }

    /** The next bytes, which are all in the first buffer; the caller's from here on. */
    ByteBuf take(int count) {
        ByteBuf first = buffers.getFirst();
        size -= count;
        return first.readableBytes() == count ? buffers.removeFirst() : first.readRetainedSlice(count);
    }

    /** Gives all of it back. */
    void release() {
        for (ByteBuf buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
        size = 0;
    }
}
