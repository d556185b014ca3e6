package dev.escapement.gateway.inbound;

import dev.escapement.time.MonotonicClock;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Finds clients that take nothing of their answer: while something waits for the socket, looks now and then whether it is still the same.
 * So writing itself costs no bookkeeping; a client is found out up to a quarter late. Confined to its connection's loop.
 */
final class WriteWatch {

    private static final int LOOKS = 4;

    private final Channel channel;
    private final MonotonicClock clock;
    private final Supplier<Duration> patience;
    private final Runnable stuck;

    // What the last look saw.
    private long pendingBytes;
    private long progress;
    private int looksWithoutProgress;

    /**
     * For a connection.
     *
     * @param patience how long a client may take nothing
     * @param stuck run when one has
     */
    WriteWatch(Channel channel, MonotonicClock clock, Supplier<Duration> patience, Runnable stuck) {
        this.channel = channel;
        this.clock = clock;
        this.patience = patience;
        this.stuck = stuck;
    }

    /** After a flush: looks whether the socket has taken everything; if not, sees to it that somebody looks again. */
    void flushed(Watchdog watchdog) {
        if (!watchdog.isWatchingWriting() && pendingBytes() > 0) {
            looksWithoutProgress = 0;
            remember();
            lookAgain(watchdog);
        }
    }

    /** It is time to look. */
    void look(Watchdog watchdog) {
        if (pendingBytes() == 0) {
            return;
        }
        boolean same = pendingBytes == pendingBytes() && progress == progress();
        looksWithoutProgress = same ? looksWithoutProgress + 1 : 0;
        if (looksWithoutProgress == LOOKS) {
            stuck.run();
            return;
        }
        remember();
        lookAgain(watchdog);
    }

    private void lookAgain(Watchdog watchdog) {
        watchdog.lookAtWriting(clock.nanos() + patience.get().toNanos() / LOOKS);
    }

    private void remember() {
        pendingBytes = pendingBytes();
        progress = progress();
    }

    /** What waits for the socket. */
    long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    private long progress() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.currentProgress();
    }
}
