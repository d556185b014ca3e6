package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.inbound.Watchdog.Watch;
import dev.escapement.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a connection comes to its end, so that its client reads what was sent last (RFC 9112 §9.6): an abrupt close may erase it.
 *
 * <pre>
 *   OPEN ── gently ──▶ FLUSHING: what was written is sent
 *                         ▼
 *                      LINGERING: output shut, input read and dropped until the client's last word, or long enough
 *                         ▼
 *   any ── close ────▶ CLOSED
 * </pre>
 *
 * Confined to its connection's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of a close
final class ConnectionEnd {

    private enum Stage {
        OPEN,
        FLUSHING,
        LINGERING,
        CLOSED
    }

    private final SocketChannel channel;
    private final @Nullable SslHandler tls;
    private final Outgoing outgoing;
    private final Watchdog watchdog;
    private final MonotonicClock clock;
    private final Supplier<InboundConfig> settings;

    private Stage stage = Stage.OPEN;
    private boolean inputEnded;
    private long droppedBytes;

    ConnectionEnd(
            SocketChannel channel,
            @Nullable SslHandler tls,
            Outgoing outgoing,
            Watchdog watchdog,
            MonotonicClock clock,
            Supplier<InboundConfig> settings) {
        this.channel = channel;
        this.tls = tls;
        this.outgoing = outgoing;
        this.watchdog = watchdog;
        this.clock = clock;
        this.settings = settings;
    }

    /** Whether it is not yet near. */
    boolean isOpen() {
        return stage == Stage.OPEN;
    }

    boolean isClosed() {
        return stage == Stage.CLOSED;
    }

    /** Whether the client has said its last word. */
    boolean hasInputEnded() {
        return inputEnded;
    }

    /** Whether what else the client says is still read, to be dropped. */
    boolean isLingering() {
        return stage == Stage.LINGERING && !inputEnded;
    }

    /** The client has said its last word. */
    void inputEnded() {
        inputEnded = true;
        if (stage == Stage.LINGERING) {
            close();
        }
    }

    /** Takes what came too late. */
    void drop(ByteBuf bytes) {
        droppedBytes += bytes.readableBytes();
        bytes.release();
        if (droppedBytes > settings.get().lingerBytes()) {
            close();
        }
    }

    /** Sends what there is, says that nothing follows, and listens until the client has said the same. */
    void gently() {
        if (stage != Stage.OPEN) {
            return;
        }
        stage = Stage.FLUSHING;
        watchdog.rest();
        outgoing.flush();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            if (inputEnded || !sent.isSuccess()) {
                close();
            } else {
                linger();
            }
        });
    }

    private void linger() {
        if (stage != Stage.FLUSHING) {
            return;
        }
        stage = Stage.LINGERING;
        watchdog.watch(Watch.LINGER, clock.nanos() + settings.get().lingerTime().toNanos());
        if (tls == null) {
            shutOutput();
        } else {
            tls.closeOutbound().addListener(told -> shutOutput());
        }
        channel.read();
    }

    private void shutOutput() {
        if (channel.isActive()) {
            channel.shutdownOutput();
        }
    }

    /** At once. Harmless when repeated. */
    void close() {
        if (stage != Stage.CLOSED) {
            stage = Stage.CLOSED;
            watchdog.stop();
            outgoing.release();
            channel.close();
        }
    }

    /** At once, so that nobody takes it for the end of an answer. */
    void reset() {
        outgoing.flush();
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first != null) {
            // Past TLS, which would say that all was sent.
            first.close();
        }
        close();
    }
}
