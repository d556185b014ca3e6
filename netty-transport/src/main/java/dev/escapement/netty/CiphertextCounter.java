package dev.escapement.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelProgressivePromise;
import org.jspecify.annotations.Nullable;

/**
 * Counts, below TLS, the bytes that the socket accepts while a request is being written.
 *
 * <p>Above TLS nobody can see them: plaintext is queued and cut into records. As long as nothing of the first record was
 * accepted, nothing of the request was; from then on it may have been (E1). Records that were written before the request began
 * are not counted; one that TLS itself adds meanwhile is, which errs on the safe side. Confined to the event loop.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class CiphertextCounter extends ChannelOutboundHandlerAdapter {

    /** The request that is being written; null between requests. */
    private @Nullable RequestWrite write;

    private @Nullable ChannelHandlerContext context;
    private long accepted;

    /** Counts for this write from here on. */
    void begin(RequestWrite next) {
        write = next;
        accepted = 0;
    }

    void end() {
        write = null;
    }

    /** Closes the socket without a word of TLS: for connections whose peer is not worth waiting for. */
    void closeAbruptly() {
        ChannelHandlerContext here = context;
        if (here != null) {
            here.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void write(ChannelHandlerContext here, Object message, ChannelPromise promise) {
        RequestWrite current = write;
        here.write(
                message,
                current == null || !(message instanceof ByteBuf)
                        ? promise
                        : new Counted(here.channel(), promise, current));
    }

    private void accepted(RequestWrite by, long more) {
        if (by == write) {
            accepted += more;
            by.ciphertextAccepted(accepted);
        }
    }

    /** Stands in for the promise of one record, and passes its end on. */
    private final class Counted extends DefaultChannelProgressivePromise {

        private final ChannelPromise original;
        private final RequestWrite by;
        private long counted;

        Counted(Channel channel, ChannelPromise original, RequestWrite by) {
            super(channel);
            this.original = original;
            this.by = by;
        }

        @Override
        public boolean tryProgress(long progress, long total) {
            long more = progress - counted;
            counted = progress;
            accepted(by, more);
            return true;
        }

        @Override
        public boolean trySuccess(Void result) {
            original.trySuccess();
            return super.trySuccess(null);
        }

        @Override
        public boolean tryFailure(Throwable cause) {
            original.tryFailure(cause);
            return super.tryFailure(cause);
        }
    }
}
