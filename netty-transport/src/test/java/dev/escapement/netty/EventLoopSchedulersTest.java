package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which loop a call gets, and how little a loop is asked to remember for many calls. */
class EventLoopSchedulersTest {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(3, NioIoHandler.newFactory());
    private final EventLoopSchedulers schedulers = EventLoopSchedulers.of(group);

    @AfterEach
    void end() throws InterruptedException {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }

    @Test
    @DisplayName("A4 a caller on a loop gets that loop, others get them in turn, and all share one clock")
    void homes() throws Exception {
        List<Scheduler> dealt = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            dealt.add(schedulers.forCall());
        }
        assertThat(dealt.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(dealt.subList(3, 6));
        for (Scheduler home : dealt) {
            CompletableFuture<Scheduler> asked = new CompletableFuture<>();
            home.execute(() -> asked.complete(schedulers.forCall()));
            assertThat(asked.get(20, TimeUnit.SECONDS)).isSameAs(home);
            assertThat(home.inContext()).isFalse();
            assertThat(home.nanos()).isLessThanOrEqualTo(schedulers.clock().nanos());
        }
    }

    @Test
    @DisplayName("T5 a thousand calls that arm and disarm cost the loop a task or two, not one each")
    void fewTasksForMany() throws Exception {
        AtomicInteger tasks = new AtomicInteger();
        DefaultEventLoop loop = new DefaultEventLoop() {
            @Override
            public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
                tasks.incrementAndGet();
                return super.schedule(command, delay, unit);
            }
        };
        try {
            Scheduler home = EventLoopSchedulers.of(loop).forCall();
            CompletableFuture<Void> armed = new CompletableFuture<>();
            home.execute(() -> {
                for (int i = 0; i < 1_000; i++) {
                    Timer timer = new Silent();
                    home.arm(timer, home.nanos() + 100 * SECOND_NANOS);
                    if (i % 2 == 0) {
                        home.disarm(timer);
                    }
                }
                armed.complete(null);
            });
            armed.get(20, TimeUnit.SECONDS);
            // One for the first timer alone, and one where the wheel wants to spread a slot ahead of its time.
            assertThat(tasks.get()).isBetween(1, 2);
        } finally {
            loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    @DisplayName("P2 any kind of loop will do for timers; for sockets, one that cannot run NIO needs a channel factory")
    void groups() throws Exception {
        EventLoopGroup other = new DefaultEventLoop();
        try {
            Scheduler home = EventLoopSchedulers.of(other).forCall();
            CompletableFuture<Boolean> fired = new CompletableFuture<>();
            home.execute(() -> home.arm(
                    new Timer() {
                        @Override
                        public void fire() {
                            fired.complete(home.inContext());
                        }
                    },
                    home.nanos() + 1));
            assertThat(fired.get(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> NettyTransport.builder().eventLoops(other).build())
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("channels");
        } finally {
            other.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    private static final class Silent extends Timer {

        @Override
        public void fire() {}
    }
}
