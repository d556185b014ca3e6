package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A listening server on loops of its own. */
final class TestServer implements AutoCloseable {

    private final MultiThreadIoEventLoopGroup loops;
    final InboundServer server;

    /** What the next request goes by. */
    volatile GatewayConfig config;

    TestServer(GatewayConfig config, RequestHandler handler) throws IOException {
        this(config, handler, true);
    }

    TestServer(GatewayConfig config, RequestHandler handler, boolean epoll) throws IOException {
        this.config = config;
        loops = new MultiThreadIoEventLoopGroup(2, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        try {
            server = InboundServer.listen(loops, () -> this.config, handler);
        } catch (IOException e) {
            stopLoops();
            throw e;
        }
    }

    RawClient connect() throws IOException {
        return new RawClient(server.address());
    }

    /** Waits until no connection is left, which the end of a client brings about. */
    void awaitNoConnections() {
        awaitThat(() -> server.figures().active()
                        + server.figures().idle()
                        + server.figures().closing()
                == 0);
    }

    /** Waits until that is so; fails in the end if it never is. */
    static void awaitThat(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain");
            }
            Thread.onSpinWait();
        }
    }

    /** Stops in order; fails if a connection stays. */
    @Override
    public void close() {
        server.stopAccepting();
        server.closeAll();
        try {
            server.allClosed().orTimeout(20, TimeUnit.SECONDS).join();
        } finally {
            stopLoops();
        }
    }

    private void stopLoops() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
