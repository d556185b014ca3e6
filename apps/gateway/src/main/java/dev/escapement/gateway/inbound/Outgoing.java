package dev.escapement.gateway.inbound;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * What goes to a client: small pieces are collected in one buffer, large ones pass as they are, and the socket is asked once for all that
 * one turn of the loop brought. Confined to its connection's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be written is told by the end of the connection
final class Outgoing {

    /** Up to this, copying is cheaper than one more buffer for the socket. */
    private static final int COPIED_BYTES = 512;

    private static final int BUFFER_BYTES = 1024;

    private final ChannelHandlerContext context;

    private @Nullable ByteBuf open;
    private boolean unflushed;
    private long bytes;

    Outgoing(ChannelHandlerContext context) {
        this.context = context;
    }

    /** A buffer to write small pieces to, at once; the caller says by {@link #wrote} how much it was. */
    ByteBuf open() {
        ByteBuf buffer = open;
        if (buffer == null) {
            buffer = context.alloc().directBuffer(BUFFER_BYTES);
            open = buffer;
        }
        unflushed = true;
        return buffer;
    }

    void wrote(int count) {
        bytes += count;
    }

    /** Sends a buffer, which belongs to this side from here on. */
    void pass(ByteBuf part) {
        int count = part.readableBytes();
        bytes += count;
        unflushed = true;
        if (count <= COPIED_BYTES) {
            open().writeBytes(part);
            part.release();
        } else {
            close();
            context.write(part, context.voidPromise());
        }
    }

    private void close() {
        ByteBuf buffer = open;
        if (buffer != null) {
            open = null;
            context.write(buffer, context.voidPromise());
        }
    }

    /** Asks the socket to take what there is. */
    void flush() {
        if (unflushed) {
            unflushed = false;
            close();
            context.flush();
        }
    }

    /** Whether there is something that the socket was not asked to take. */
    boolean isUnflushed() {
        return unflushed;
    }

    /** All bytes so far. */
    long bytes() {
        return bytes;
    }

    /** Drops what was not given to the socket. */
    void release() {
        ByteBuf buffer = open;
        if (buffer != null) {
            open = null;
            buffer.release();
        }
        unflushed = false;
    }
}
