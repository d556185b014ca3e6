package dev.escapement.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Transport;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a call allocates, counted by the virtual machine on the calling thread: its own objects and no more. The bounds are those that
 * the benchmarks measure against; here no optimiser is waited for, so that what is counted is what is written.
 */
class AllocationTest {

    private static final int CALLS = 20_000;

    private static final Request REQUEST = World.GET;
    private static final Response RESPONSE = Response.of(200);

    private final Client inline = client((request, exchange) -> {
        exchange.connected(true);
        exchange.tryWrite();
        exchange.requestSent();
        exchange.clean(ConnectionFate.REUSED, 0);
        exchange.succeed(RESPONSE);
        return Attempt.OVER;
    });

    private long reports;

    @Test
    @DisplayName("a call with a callback that completes at once takes at most 256 bytes")
    void callbackForm() {
        Consumer<Report> callback = report -> reports++;

        assertThat(bytesPerCall(() -> inline.call(REQUEST, CallOptions.none(), callback)))
                .isBetween(1L, 256L);
        assertThat(reports).isPositive();
    }

    @Test
    @DisplayName("a call with a future that completes at once takes at most 280 bytes")
    void futureForm() {
        assertThat(bytesPerCall(() -> {
                    CompletableFuture<Report> future = inline.call(REQUEST);
                    reports += future.isDone() ? 1 : 0;
                }))
                .isBetween(1L, 280L);
        assertThat(reports).isPositive();
    }

    @Test
    @DisplayName("a call that fails once and is retried at once takes at most 340 bytes")
    void oneRetry() {
        Response busy = Response.of(503);
        boolean[] again = new boolean[1];
        Client flaky = client(
                (request, exchange) -> {
                    again[0] = !again[0];
                    exchange.connected(true);
                    exchange.tryWrite();
                    exchange.requestSent();
                    exchange.clean(ConnectionFate.REUSED, 0);
                    exchange.succeed(again[0] ? busy : RESPONSE);
                    return Attempt.OVER;
                },
                Policy.builder(Duration.ofSeconds(2))
                        .initialBackoff(Duration.ZERO)
                        .budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10)))
                        .build());
        Consumer<Report> callback = report -> reports += report.attempts() - 1;

        assertThat(bytesPerCall(() -> flaky.call(REQUEST, CallOptions.none(), callback)))
                .isBetween(1L, 340L);
        assertThat(reports).isEqualTo(5 * CALLS);
    }

    private static Client client(Transport transport) {
        return client(transport, Policy.standard());
    }

    /** With breaker and budget; half of the attempts may fail. */
    private static Client client(Transport transport, Policy policy) {
        return Client.builder(transport, Schedulers.of(new StandingStill()))
                .policy(policy)
                .breaker(BreakerSettings.builder().failureRatePercent(60).build())
                .build();
    }

    /** The least of some rounds: a class loaded or a counter's cell made on the way is nobody's call. */
    private static long bytesPerCall(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(id) - before) / CALLS);
        }
        return least;
    }
}
