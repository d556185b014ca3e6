package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.PlannedCall;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.netty.FaultServer.Behaviour;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many calls over real sockets to a server that breaks in every way it knows: nothing is lost, nothing is left. */
@ExtendWith(LeakWatch.class)
class SoakTest {

    private static final long SEED = 7;
    private static final int WINDOW = 64;

    /**
     * One call in so many is answered by a fault, one in a hundred times as many by silence, which costs the whole window some
     * attempt timeouts.
     */
    private static final int FAULT_EVERY = 20;

    @Test
    @Timeout(300)
    @DisplayName("L3 E6 100,000 calls at home on the loops, with faults: no permit, connection or buffer is lost")
    void onTheLoops() throws Exception {
        try (NettyTransport transport = NettyTransport.builder()
                .eventLoopThreads(2)
                .maxConnectionsPerEndpoint(40)
                .build()) {
            run(100_000, transport, transport.schedulers());
        }
    }

    @Test
    @Timeout(120)
    @DisplayName("L3 E6 20,000 calls at home elsewhere, with faults: no permit, connection or buffer is lost")
    void carried() throws Exception {
        try (WheelScheduler wheel = new WheelScheduler(ForkJoinPool.commonPool());
                NettyTransport transport = NettyTransport.builder()
                        .eventLoopThreads(2)
                        .maxConnectionsPerEndpoint(40)
                        .build()) {
            run(20_000, transport, Schedulers.of(wheel));
        }
    }

    private static void run(int calls, NettyTransport transport, Schedulers schedulers) throws Exception {
        try (FaultServer server = new FaultServer()) {
            // The server misbehaves on purpose: guards would spare it what it is there for.
            Client client = Client.builder(transport, schedulers)
                    .concurrency(WINDOW)
                    .breaker(BreakerSettings.none())
                    .policy(Policy.builder(Duration.ofSeconds(10))
                            .attemptTimeout(Duration.ofMillis(150))
                            .maxRetries(2)
                            .initialBackoff(Duration.ofMillis(1))
                            .budget(BudgetSettings.none())
                            .build())
                    .build();
            Behaviour[] asked = new Behaviour[calls];
            Map<Behaviour, Map<String, Integer>> seen = new EnumMap<>(Behaviour.class);
            client.callAll(plan(server, asked), WINDOW, (index, report) -> {
                        seen.computeIfAbsent(asked[(int) index], behaviour -> new java.util.TreeMap<>())
                                .merge(summary(report), 1, Integer::sum);
                        report.release();
                    })
                    .get(250, TimeUnit.SECONDS);
            client.close(Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);

            String all = "seed " + SEED + ": " + seen;
            assertThat(client.figures().permitsHeld()).as(all).isZero();
            assertThat(client.figures().failedCallOuts()).as(all).isZero();
            PoolStats stats = transport.stats();
            assertThat(stats.active() + stats.waiting()).as("%s %s", all, stats).isZero();
            int ended = 0;
            for (Map.Entry<Behaviour, Map<String, Integer>> entry : seen.entrySet()) {
                assertThat(entry.getValue().keySet()).as(all).noneMatch(outcome -> outcome.startsWith("BROKEN"));
                ended += entry.getValue().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                if (!entry.getKey().isAnswered()) {
                    assertThat(entry.getValue()).as(all).doesNotContainKey("200");
                }
            }
            assertThat(ended).isEqualTo(calls);
            // Nearly all that can be answered is; a stall of this machine may cost some an attempt.
            assertThat(seen.get(Behaviour.OK).get("200")).as(all).isGreaterThan(calls / 2);

            transport.close();
            PoolStats closed = transport.stats();
            assertThat(closed.active() + closed.idle() + closed.connecting() + closed.waiting())
                    .as("%s", closed)
                    .isZero();
            LeakWatch.assertNone();
        }
    }

    private static Iterator<PlannedCall> plan(FaultServer server, Behaviour[] asked) {
        SplittableRandom random = new SplittableRandom(SEED);
        Behaviour[] faults = Behaviour.values();
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < asked.length;
            }

            @Override
            public PlannedCall next() {
                Behaviour behaviour = Behaviour.OK;
                if (random.nextInt(100 * FAULT_EVERY) == 0) {
                    behaviour = Behaviour.HANG;
                } else if (random.nextInt(FAULT_EVERY) == 0) {
                    behaviour = faults[random.nextInt(faults.length - 1)];
                }
                asked[next++] = behaviour;
                URI uri = URI.create(server.uri(behaviour));
                Request request = switch (random.nextInt(3)) {
                    case 0 -> Request.of(Method.GET, uri, Headers.empty(), Body.empty());
                    case 1 -> Request.of(Method.PUT, uri, Headers.of("X-Kind", "put"), Body.of("a body"));
                    default -> Request.of(Method.POST, uri, Headers.empty(), Body.of("once"));
                };
                return new PlannedCall(request, CallOptions.none());
            }
        };
    }

    private static String summary(Report report) {
        Outcome outcome = report.outcome();
        return switch (outcome.kind()) {
            case RESPONSE ->
                Integer.toString(((Outcome.Response) outcome).response().status());
            case TRANSPORT_FAILED ->
                ((Outcome.TransportFailed) outcome).failure().kind().toString();
            case BROKEN -> "BROKEN " + ((Outcome.Broken) outcome).cause();
            case ATTEMPT_TIMEOUT, OVERALL_DEADLINE, POLICY_TIME_OVERFLOW, CANCELLED, REJECTED -> outcome.toString();
        };
    }
}
