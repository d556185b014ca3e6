package dev.escapement.gateway.inbound;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
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

    private final Channel channel;

    private @Nullable ByteBuf open;
    private boolean unflushed;
    private long bytes;

    Outgoing(Channel channel) {
        this.channel = channel;
    }

    /** A buffer to write small pieces to, at once; the caller says by {@link #wrote} how much it was. */
    ByteBuf open() {
        ByteBuf buffer = open;
        if (buffer == null) {
            buffer = channel.alloc().directBuffer(BUFFER_BYTES);
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
            channel.write(part, channel.voidPromise());
        }
    }

    private void close() {
        ByteBuf buffer = open;
        if (buffer != null) {
            open = null;
            channel.write(buffer, channel.voidPromise());
        }
    }

    /** Asks the socket to take what there is. */
    void flush() {
        if (unflushed) {
            unflushed = false;
            close();
            channel.flush();
        }
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
