package dev.escapement.netty.scenes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.Streaming;
import dev.escapement.fixtures.ScriptedConnection;
import dev.escapement.fixtures.ScriptedServer;
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
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server that answers with what a {@link Mutator} makes: whatever comes of that call, the next one reads its own answer, and nothing
 * is left. For a second in CI; {@code -Dfuzz.seconds=300} takes its time, {@code -Dfuzz.seed=7} does it again.
 */
@ExtendWith(LeakWatch.class)
class ClientFuzzTest {

    private static final String CANARY = "/canary";

    private final long seed = Long.getLong("fuzz.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Mutator mutator = new Mutator(seed);

    /** Set before a call is made, read by the server's thread that got its request: the request lies between. */
    private volatile byte[] answer = {};

    private volatile int ending;

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // as long as it was asked to
    @DisplayName("E6 E9 whatever a server answers, the next call reads its own answer")
    void theNextCallReadsItsOwnAnswer() throws Exception {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        Map<String, Integer> seen = new TreeMap<>();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise().step(this::serve);
            NettyTransport transport = NettyTransport.builder()
                    .eventLoopThreads(1)
                    .allocator(buffers)
                    .maxHeadBytes(1024)
                    .maxBodyBytes(4096)
                    .build();
            Client hasty = client(transport, Duration.ofMillis(50), 0);
            // It may meet a connection that the server is just closing (RFC 9112 §9.3.1), and tries again.
            Client patient = client(transport, Duration.ofSeconds(20), 3);
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("fuzz.seconds", 1));
            for (int i = 0; System.nanoTime() < endNanos; i++) {
                answer = mutator.next();
                ending = random.nextInt(40);
                String what = "seed " + seed + ", call " + i + ", ending " + ending + ", answer " + Text.whole(answer);
                boolean streamed = random.nextBoolean();
                Report any = call(hasty, server.uri("/any"), streamed);
                seen.merge(outcome(any, what, streamed), 1, Integer::sum);
                String target = CANARY + i;
                Report own = call(patient, server.uri(target), false);
                assertThat(own.outcome())
                        .as(what)
                        .isInstanceOfSatisfying(
                                Outcome.Response.class,
                                whole -> assertThat(Result.text(whole.response().body()))
                                        .as(what)
                                        .isEqualTo(target));
                own.release();
            }
            for (Client client : List.of(hasty, patient)) {
                client.close(Duration.ZERO).get(20, TimeUnit.SECONDS);
                assertThat(client.figures().permitsHeld() + client.figures().failedCallOuts())
                        .isZero();
            }
            transport.close();
            PoolStats stats = transport.stats();
            assertThat(stats.active() + stats.idle() + stats.connecting() + stats.waiting())
                    .as("seed %s: %s", seed, stats)
                    .isZero();
            assertThat(buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory())
                    .as("seed %s", seed)
                    .isZero();
        }
        System.out.println("fuzzed the client, seed " + seed + ": " + seen);
    }

    private static Client client(NettyTransport transport, Duration patience, int retries) {
        return Client.builder(transport, transport.schedulers())
                .breaker(BreakerSettings.none())
                .policy(Policy.builder(Duration.ofSeconds(30))
                        .attemptTimeout(patience)
                        .maxRetries(retries)
                        .initialBackoff(Duration.ZERO)
                        .budget(BudgetSettings.none())
                        .build())
                .build();
    }

    private Report call(Client client, URI uri, boolean streamed) throws Exception {
        Method method = uri.getPath().startsWith(CANARY) || random.nextInt(8) > 0 ? Method.GET : Method.HEAD;
        CallOptions options = streamed
                ? CallOptions.none().withStreaming(Streaming.toHead().withIdleTimeout(Duration.ofMillis(50)))
                : CallOptions.none();
        return client.call(Request.of(method, uri, Headers.empty(), Body.empty()), options)
                .get(30, TimeUnit.SECONDS);
    }

    /** In one case of four a body in parts is dropped unread. */
    private String outcome(Report report, String what, boolean streamed) throws Exception {
        String outcome = Result.word(report.outcome());
        assertThat(report.outcome().kind())
                .as("%s: %s", what, outcome)
                .isIn(Outcome.Kind.RESPONSE, Outcome.Kind.TRANSPORT_FAILED, Outcome.Kind.ATTEMPT_TIMEOUT);
        if (report.outcome() instanceof Outcome.Response answered) {
            outcome = "answered";
            if (streamed && random.nextInt(4) > 0) {
                String read = PartsReader.of(answered.response().body()).read().get(20, TimeUnit.SECONDS);
                outcome = read.replaceFirst("^.* ([A-Z_]+)$", "answered, then $1");
                outcome = outcome.startsWith("answered, then") ? outcome : "answered in parts";
            }
        }
        report.release();
        return outcome;
    }

    /** Canaries get the answer that is theirs alone; anything else the mutated one, and then, mostly, the end. */
    private void serve(ScriptedConnection connection) throws IOException {
        try {
            while (true) {
                String target = connection.readRequest().target();
                if (target.startsWith(CANARY)) {
                    connection.send(ScriptedServer.response(200, target));
                    continue;
                }
                connection.send(answer);
                switch (ending % 4) {
                    case 0 -> connection.close();
                    case 1 -> connection.reset();
                    case 2 -> connection.endOutput();
                    default -> {} // It serves on; an answer that wants more runs into the timeout.
                }
            }
        } catch (EOFException clientIsDone) {
            // It has closed the connection, or the server has.
        }
    }
}
