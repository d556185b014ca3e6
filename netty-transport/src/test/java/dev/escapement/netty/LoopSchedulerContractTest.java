package dev.escapement.netty;

import dev.escapement.fixtures.ConcurrentSchedulerContract;
import dev.escapement.time.Scheduler;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** T6 T7 the scheduler of an event loop keeps the contract of every scheduler. */
class LoopSchedulerContractTest extends ConcurrentSchedulerContract {

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @Override
    protected Scheduler open() {
        return EventLoopSchedulers.of(group).forCall();
    }

    @Override
    protected void close(Scheduler scheduler) {
        Future<?> ended = group.shutdownGracefully(0, 10, TimeUnit.SECONDS);
        ended.awaitUninterruptibly();
    }
}
