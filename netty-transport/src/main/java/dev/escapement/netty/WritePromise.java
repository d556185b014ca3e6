package dev.escapement.netty;

import io.netty.channel.Channel;
import io.netty.channel.DefaultChannelProgressivePromise;

/**
 * The promise of one buffer of a request, through which the socket tells how many of its bytes it accepted.
 *
 * <p>Only a progressive promise hears of partial writes, and only when it is the one that reaches the socket: below TLS a
 * {@link CiphertextCounter} counts instead. The lane is told by overriding, so that no listener is allocated.
 */
final class WritePromise extends DefaultChannelProgressivePromise {

    private final Lane lane;

    /** How many bytes of the request come before this buffer. */
    private final long before;

    WritePromise(Channel channel, Lane lane, long before) {
        super(channel);
        this.lane = lane;
        this.before = before;
    }

    @Override
    public boolean tryProgress(long progress, long total) {
        lane.accepted(this, before + progress);
        return true;
    }

    @Override
    public boolean trySuccess(Void result) {
        boolean first = super.trySuccess(null);
        if (first) {
            lane.bufferAccepted(this);
        }
        return first;
    }

    @Override
    public boolean tryFailure(Throwable cause) {
        boolean first = super.tryFailure(cause);
        if (first) {
            lane.writeFailed(this, cause);
        }
        return first;
    }
}
