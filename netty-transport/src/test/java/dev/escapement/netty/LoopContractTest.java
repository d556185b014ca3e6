package dev.escapement.netty;

import dev.escapement.fixtures.TransportContract;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;

/** The contract of every transport for attempts at home on an event loop, where everything happens in place. */
class LoopContractTest extends TransportContract {

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopSchedulers schedulers = EventLoopSchedulers.of(group);

    @Override
    protected Scheduler openHome() {
        return schedulers.forCall();
    }

    @Override
    protected void closeHome(Scheduler home) throws InterruptedException {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }

    @Override
    protected Transport openTransport() {
        return NettyTransport.builder().eventLoops(schedulers).build();
    }

    @Override
    protected void closeTransport(Transport transport) {
        ((NettyTransport) transport).close();
    }
}
