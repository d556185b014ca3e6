package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.config.InboundTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens for clients, and stops doing so in an orderly way. Settings are asked for at each connection and each request, so that a
 * reload holds for the next; where it listens, and with which certificate, is settled at the start. Any thread but an event loop's.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of a close
public final class InboundServer {

    /** Above the first nothing more is asked of an upstream for one client, below the second it goes on. */
    private static final WriteBufferWaterMark WATER_MARKS = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    private static final int SMALLEST_READ_BYTES = 512;
    private static final int FIRST_READ_BYTES = 2048;

    private final ServerState state;
    private final Listening door;
    private final Channel listening;

    private InboundServer(ServerState state, Listening door, Channel listening) {
        this.state = state;
        this.door = door;
        this.listening = listening;
    }

    /**
     * Listens.
     *
     * @param loops run the connections, and stay the caller's; of epoll, or of the JDK's selectors
     * @throws IOException if the address is taken, or certificate or key cannot be read
     */
    public static InboundServer listen(IoEventLoopGroup loops, Supplier<GatewayConfig> config, RequestHandler handler)
            throws IOException {
        GatewayConfig now = config.get();
        ServerState state = new ServerState(config, handler);
        SslContext tls = tls(now.inbound().tls());
        Listening door = new Listening(state);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(channels(loops))
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(door)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARKS)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(SMALLEST_READ_BYTES, FIRST_READ_BYTES, HeldBytes.READ_BYTES)
                                .maxMessagesPerRead(1))
                .childHandler(new Accepting(state, tls));
        ChannelFuture bound = bootstrap.bind(now.listen()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + now.listen() + ": " + bound.cause().getMessage(), bound.cause());
        }
        bound.channel().closeFuture().addListener(closed -> state.noMore());
        return new InboundServer(state, door, bound.channel());
    }

    private static Class<? extends ServerChannel> channels(IoEventLoopGroup loops) {
        return Epoll.isAvailable() && loops.isCompatible(EpollIoHandle.class)
                ? EpollServerSocketChannel.class
                : NioServerSocketChannel.class;
    }

    private static @Nullable SslContext tls(Optional<InboundTls> settings) throws IOException {
        if (settings.isEmpty()) {
            return null;
        }
        InboundTls files = settings.get();
        try {
            return SslContextBuilder.forServer(
                            files.certificate().toFile(), files.key().toFile())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "certificate " + files.certificate() + " with key " + files.key() + ": " + e.getMessage(), e);
        }
    }

    /** Gives each connection its handlers. */
    private static final class Accepting extends ChannelInitializer<SocketChannel> {

        private final ServerState state;
        private final @Nullable SslContext tls;

        Accepting(ServerState state, @Nullable SslContext tls) {
            this.state = state;
            this.tls = tls;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            SslHandler handshake = tls == null ? null : tls.newHandler(channel.alloc());
            if (handshake != null) {
                InboundConfig limits = state.config.get().inbound();
                handshake.setHandshakeTimeoutMillis(limits.headTimeout().toMillis());
                handshake.setCloseNotifyFlushTimeoutMillis(limits.lingerTime().toMillis());
                channel.pipeline().addLast(handshake);
            }
            channel.pipeline().addLast(new ClientHandler(state, channel, handshake));
        }
    }

    /** Where it listens; the port is the real one. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** From here on every answer says that its connection closes. Harmless when repeated. */
    public void beginDraining() {
        state.drain();
    }

    public boolean isDraining() {
        return state.isDraining();
    }

    /** Accepts what the kernel has queued, and listens no more. Harmless when repeated. */
    public void stopAccepting() {
        door.stop();
    }

    /** Closes each connection when it is idle: now or after its request, at moments spread over that time. */
    public void closeIdle(Duration over) {
        for (ClientHandler connection : state.connections()) {
            long delay = ThreadLocalRandom.current().nextLong(Math.max(1, over.toNanos()));
            connection.loop().schedule(connection::closeWhenIdle, delay, TimeUnit.NANOSECONDS);
        }
    }

    /** The grace is over: requests without a head of an answer are told so and may still have one, others are cut. */
    public void closeAll() {
        for (ClientHandler connection : state.connections()) {
            EventLoop loop = connection.loop();
            loop.execute(connection::graceOver);
        }
    }

    /** Completes when it listens no more and no connection is left. */
    public CompletableFuture<Void> allClosed() {
        return state.allClosed();
    }

    public InboundFigures figures() {
        return state.figures();
    }
}
