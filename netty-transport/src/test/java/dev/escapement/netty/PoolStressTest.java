package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.http.Request;
import dev.escapement.netty.FaultServer.Behaviour;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Few connections and four loops that all want them: nobody is left waiting, nothing is left over.
 *
 * <p>In the long form each part is as much longer as it is told:
 * {@code mvn -B -ntp -q -pl netty-transport -am test -Dtest=PoolStressTest -Dsurefire.failIfNoSpecifiedTests=false -Dpool.times=10}
 */
@ExtendWith(LeakWatch.class)
class PoolStressTest {

    private static final int TIMES = Integer.getInteger("pool.times", 1);
    private static final int LOOPS = 4;

    @Test
    @Timeout(600)
    @DisplayName(
            "L3 G5 one connection for four loops: each of many calls has one outcome, and every figure returns to 0")
    void oneConnection() throws Exception {
        int calls = 100_000 * TIMES;
        int chains = 32;
        try (FaultServer server = new FaultServer();
                NettyTransport transport = NettyTransport.builder()
                        .eventLoopThreads(LOOPS)
                        .maxConnectionsPerEndpoint(1)
                        .maxWaitersPerEndpoint(chains)
                        .build()) {
            Client client = Client.builder(transport, transport.schedulers())
                    .concurrency(chains)
                    .policy(Policy.builder(Duration.ofMinutes(5)).build())
                    .build();
            Request request = Request.get(server.uri(Behaviour.OK));
            AtomicInteger left = new AtomicInteger(calls);
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger twice = new AtomicInteger();
            AtomicReference<Object> other = new AtomicReference<>();
            CountDownLatch done = new CountDownLatch(chains);
            class Chain {
                void next() {
                    if (left.getAndDecrement() <= 0) {
                        done.countDown();
                        return;
                    }
                    AtomicInteger told = new AtomicInteger();
                    client.call(request, CallOptions.none(), report -> {
                        if (told.incrementAndGet() > 1) {
                            twice.incrementAndGet();
                        }
                        if (report.outcome().kind() == Outcome.Kind.RESPONSE) {
                            answered.incrementAndGet();
                        } else {
                            other.set(report);
                        }
                        report.release();
                        next();
                    });
                }
            }
            List<LoopScheduler> homes = transport.schedulers().all();
            for (int i = 0; i < chains; i++) {
                homes.get(i % LOOPS).execute(new Chain()::next);
            }

            assertThat(done.await(550, TimeUnit.SECONDS))
                    .as("%s", transport.stats())
                    .isTrue();

            assertThat(other.get()).isNull();
            assertThat(answered.get()).isEqualTo(calls);
            assertThat(twice.get()).isZero();
            PoolStats stats = transport.stats();
            assertThat(stats.opened()).as("%s", stats).isEqualTo(1);
            assertThat(stats.stolen()).as("%s", stats).isPositive();
            DestinationStats only = stats.destinations().get(0);
            assertThat(only.uses()).isEqualTo(calls);
            assertThat(List.of(only.open(), only.active(), only.idle(), only.connecting(), only.waiting()))
                    .as("%s", stats)
                    .containsExactly(1, 0, 1, 0, 0);
        }
    }

    @Test
    @Timeout(300)
    @DisplayName(
            "E7 L3 two connections for four loops, half of the attempts abandoned at any moment, some connections broken")
    void abandonedAtAnyMoment() throws Exception {
        int attempts = 6_000 * TIMES;
        SplittableRandom random = new SplittableRandom(11);
        try (FaultServer server = new FaultServer();
                World world = new World(NettyTransport.builder()
                        .eventLoopThreads(LOOPS)
                        .maxConnectionsPerEndpoint(2)
                        .maxWaitersPerEndpoint(64)
                        .build())) {
            List<LoopScheduler> homes = world.transport.schedulers().all();
            Scheduler elsewhere = new AnywhereScheduler();
            List<RecordingExchange> exchanges = new ArrayList<>();
            List<RecordingExchange> running = new ArrayList<>();
            for (int i = 0; i < attempts; i++) {
                int kind = random.nextInt(20);
                Behaviour behaviour = kind == 0
                        ? Behaviour.RESET
                        : kind == 1 ? Behaviour.CLOSE_ASKED : kind == 2 ? Behaviour.CLOSE : Behaviour.OK;
                URI uri = URI.create(server.uri(behaviour));
                int at = random.nextInt(LOOPS + 1);
                boolean abandoned = random.nextBoolean();
                int spins = random.nextInt(6);
                Scheduler home = at < LOOPS ? homes.get(at) : elsewhere;
                RecordingExchange exchange = world.exchange(home, Endpoint.of(uri));
                exchanges.add(exchange);
                running.add(exchange);
                home.execute(() -> {
                    Attempt attempt = world.transport.send(Request.get(uri.toString()), exchange);
                    if (abandoned) {
                        later(home, spins, () -> exchange.abandon(attempt));
                    }
                });
                if (running.size() == 64) {
                    for (RecordingExchange one : running) {
                        one.await(Fact.CLEAN);
                    }
                    running.clear();
                    assertThat(world.transport.stats().destinations())
                            .allSatisfy(stats -> assertThat(stats.open()).isLessThanOrEqualTo(2));
                }
            }
            for (RecordingExchange exchange : exchanges) {
                exchange.await("an end", one -> one.saw(Fact.CLEAN) && (one.abandoned() || one.hasResult()));
                assertThat(exchange.violations()).isEmpty();
                assertThat(exchange.count(Fact.CLEAN)).isEqualTo(1);
            }
            world.awaitStats(stats -> stats.active() + stats.connecting() + stats.waiting() == 0);
        }
    }

    /** Goes round the home so many times first, so that what the other loops do meanwhile comes before. */
    private static void later(Scheduler home, int rounds, Runnable action) {
        if (rounds == 0) {
            action.run();
        } else {
            home.execute(() -> later(home, rounds - 1, action));
        }
    }
}
