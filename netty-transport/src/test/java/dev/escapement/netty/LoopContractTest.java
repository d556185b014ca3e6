package dev.escapement.netty;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.fixtures.StreamingTransportContract;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of every transport for attempts at home on an event loop, where everything happens in place: on borrowed loops of
 * each kind, whose channels the transport has to find out by itself.
 */
@ParameterizedClass
@EnumSource(IoKind.class)
class LoopContractTest extends StreamingTransportContract {

    private final IoKind kind;
    private final EventLoopGroup group;
    private final EventLoopSchedulers schedulers;

    LoopContractTest(IoKind kind) {
        assumeThat(kind.isAvailable()).as("%s is available", kind).isTrue();
        this.kind = kind;
        this.group = new MultiThreadIoEventLoopGroup(1, kind.handlers());
        this.schedulers = EventLoopSchedulers.of(group);
    }

    @Override
    protected boolean countsBytes() {
        return kind != IoKind.IO_URING;
    }

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
