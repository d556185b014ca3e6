package dev.escapement.netty.scenes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.netty.LeakWatch;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.PoolStats;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A crowd of connections, most idle and some active, to upstreams that are killed and come up again: every call has exactly one outcome, an
 * answer is the call's own, and every figure returns to its start.
 *
 * <p>Small and short in CI; in the long form 8,000 idle and 500 active connections for five minutes, 17,000 descriptors with both ends:
 *
 * <pre>{@code
 * mvn -B -ntp -q -pl netty-transport -am test -Dtest=CrowdTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dcrowd.idle=8000 -Dcrowd.active=500 -Dcrowd.seconds=300
 * }</pre>
 */
@ExtendWith(LeakWatch.class)
class CrowdTest {

    private static final int UPSTREAMS = 8;
    private static final int IDLE = Integer.getInteger("crowd.idle", 800);
    private static final int ACTIVE = Integer.getInteger("crowd.active", 80);
    private static final int PER_UPSTREAM = (IDLE + ACTIVE) / UPSTREAMS;
    private static final int SECONDS = Integer.getInteger("crowd.seconds", 3);

    /** So long is an answer owed: to those that keep a number of connections busy, and to those that are to leave them idle. */
    private static final int BUSY_MILLIS = 400;

    private static final int SURGE_MILLIS = 1_500;

    private final SplittableRandom random = new SplittableRandom(Long.getLong("crowd.seed", 1));
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final List<Side> sides = new ArrayList<>();
    private NettyTransport transport;
    private volatile boolean running = true;

    /** An upstream, its client, and what came of its calls. */
    private final class Side {

        private final CrowdServer server = new CrowdServer();
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final AtomicLong wrong = new AtomicLong();
        private final Map<String, AtomicLong> outcomes = new ConcurrentSkipListMap<>();
        private final Client client;

        Side() throws IOException {
            client = Client.builder(transport, transport.schedulers())
                    .concurrency(IDLE)
                    .maxQueue(10_000)
                    .breaker(BreakerSettings.none())
                    .policy(Policy.builder(Duration.ofSeconds(20))
                            .attemptTimeout(Duration.ofSeconds(8))
                            .initialBackoff(Duration.ofMillis(50))
                            .maxRetries(1)
                            .budget(BudgetSettings.none())
                            .build())
                    .build();
        }

        /** @param then what follows its end */
        void call(int holdMillis, Runnable then) {
            String id = Long.toString(begun.incrementAndGet());
            AtomicInteger times = new AtomicInteger();
            URI uri = URI.create(server.origin() + "/" + id + "/" + holdMillis);
            Method method = id.endsWith("7") ? Method.POST : Method.GET;
            client.call(Request.of(method, uri, Headers.empty(), Body.empty()), CallOptions.none(), report -> {
                if (times.incrementAndGet() > 1 || !isAnswerOf(report, id)) {
                    wrong.incrementAndGet();
                }
                outcomes.computeIfAbsent(Result.word(report.outcome()), word -> new AtomicLong())
                        .incrementAndGet();
                report.release();
                ended.incrementAndGet();
                then.run();
            });
        }

        /** One call after the other, until the end. */
        void keepBusy() {
            if (running) {
                call(BUSY_MILLIS, this::keepBusy);
            }
        }

        /** So many calls at once as it lacks connections. */
        void surge() {
            int lacking = PER_UPSTREAM - server.connections();
            for (int i = 0; i < lacking; i++) {
                call(SURGE_MILLIS, () -> {});
            }
        }
    }

    private static boolean isAnswerOf(Report report, String id) {
        return !(report.outcome() instanceof Outcome.Response whole)
                || Result.text(whole.response().body()).equals(id);
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // as long as it was asked to
    @DisplayName("E6 L3 a crowd of connections to upstreams that die and come back: one outcome a call, nothing left")
    void everyCallHasOneOutcome() throws Exception {
        long descriptorsBefore = descriptors();
        transport = NettyTransport.builder()
                .eventLoopThreads(2)
                .allocator(buffers)
                .idleLimit(Duration.ofHours(1))
                .lifetimeLimit(Duration.ofDays(1))
                .maxConnectionsPerEndpoint(PER_UPSTREAM)
                .build();
        for (int i = 0; i < UPSTREAMS; i++) {
            sides.add(new Side());
        }
        for (Side side : sides) {
            side.surge();
            for (int i = 0; i < ACTIVE / UPSTREAMS; i++) {
                side.keepBusy();
            }
        }
        long mostIdle = 0;
        long mostActive = 0;
        long mostOpen = 0;
        long mostDescriptors = 0;
        int kills = 0;
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < endNanos) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2 * SURGE_MILLIS));
            PoolStats stats = transport.stats();
            mostIdle = Math.max(mostIdle, stats.idle());
            mostActive = Math.max(mostActive, stats.active());
            mostOpen = Math.max(mostOpen, stats.idle() + stats.active() + stats.connecting());
            mostDescriptors = Math.max(mostDescriptors, descriptors());
            Side victim = sides.get(random.nextInt(UPSTREAMS));
            victim.server.kill(random.nextBoolean());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500)));
            victim.server.restart();
            kills++;
            sides.forEach(Side::surge);
        }
        running = false;
        rest();
        PoolStats atRest = transport.stats();
        for (Side side : sides) {
            side.client.close(Duration.ZERO).get(20, TimeUnit.SECONDS);
            side.server.close();
        }
        transport.close();
        PoolStats closed = transport.stats();
        Map<String, Long> outcomes = new TreeMap<>();
        sides.forEach(side -> side.outcomes.forEach((word, count) -> outcomes.merge(word, count.get(), Long::sum)));
        String all = kills + " kills, at most " + mostIdle + " idle, " + mostActive + " active, " + mostDescriptors
                + " descriptors: " + outcomes + ", " + atRest;
        System.out.println(all);

        for (Side side : sides) {
            assertThat(side.ended.get()).as(all).isEqualTo(side.begun.get());
            assertThat(side.wrong.get()).as(all).isZero();
            assertThat(side.client.figures().permitsHeld()
                            + side.client.figures().asleep())
                    .as(all)
                    .isZero();
            assertThat(side.client.figures().failedCallOuts()
                            + side.client.figures().failedCallbacks())
                    .as(all)
                    .isZero();
        }
        assertThat(outcomes.keySet()).as(all).noneMatch(word -> word.startsWith("BROKEN"));
        assertThat(outcomes.get("200")).as(all).isPositive();
        assertThat(atRest.active() + atRest.connecting() + atRest.waiting())
                .as(all)
                .isZero();
        assertThat(closed.active() + closed.idle() + closed.connecting() + closed.waiting())
                .as("%s", closed)
                .isZero();
        // Figures are read one by one while connections move from one to the other.
        assertThat(mostOpen).as(all).isLessThanOrEqualTo(UPSTREAMS * PER_UPSTREAM + ACTIVE);
        assertThat(mostIdle).as(all).isGreaterThan(IDLE / 2);
        assertThat(buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory())
                .as(all)
                .isZero();
        assertThat(descriptors()).as(all).isLessThan(descriptorsBefore + 50);
    }

    /** Waits for the calls that are under way, whose deadlines end them at the latest. */
    private void rest() {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < endNanos
                && sides.stream()
                        .anyMatch(side -> side.ended.get() < side.begun.get()
                                || side.client.figures().permitsHeld() > 0)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** How many this process has open; 0 where that cannot be told. */
    private static long descriptors() throws IOException {
        Path open = Path.of("/proc/self/fd");
        if (!Files.isDirectory(open)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(open)) {
            return all.count();
        }
    }
}
