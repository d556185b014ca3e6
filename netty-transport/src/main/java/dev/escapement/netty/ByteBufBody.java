package dev.escapement.netty;

import dev.escapement.http.Body;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.Flow;

/**
 * A streamed body whose parts can be had as Netty's buffers without a copy: for gateways that are on Netty themselves.
 *
 * <p>Every streamed response of a {@link NettyTransport} has one; its signals come on the event loop of its connection, so that a
 * gateway whose client is on the same loop hands buffers on without leaving the thread. As {@link #parts} they are
 * copied to the heap.
 *
 * <p>A buffer belongs to whoever was given it, and is released by them, once: a response's by its subscriber, a request's by the
 * transport, which does so also where it sends no more of them.
 */
public interface ByteBufBody extends Body {

    /** The content in buffers, in order, none of them empty; by the rules of {@link #parts}, and instead of them. */
    Flow.Publisher<ByteBuf> buffers();

    /**
     * A request's body of buffers, there once (R8): consumed from its first subscription on, which is made when the content is about to
     * be sent. What is sent is what is readable; direct buffers are handed to the socket as they are.
     *
     * @param length in bytes, or {@link #UNKNOWN_LENGTH}; an attempt that is given more or fewer fails, and its connection is closed
     */
    static ByteBufBody once(Flow.Publisher<ByteBuf> buffers, long length) {
        return new PublishedBuffers(buffers, length);
    }
}
