package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.transport.Endpoint;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What attempts allocate on a closed, a ramping and an open breaker and in its table, counted by the virtual machine: nothing. */
class BreakerAllocationTest {

    private static final int ATTEMPTS = 20_000;
    private static final long PERIOD = 1_000_000;

    private final BreakerSettings.Builder settings = BreakerSettings.builder()
            .consecutiveFailures(2)
            .slowCall(Duration.ofNanos(10))
            .slowRatePercent(100)
            .openPeriod(Duration.ofNanos(PERIOD));

    private long admitted;

    @Test
    @DisplayName("a good, a slow and a failed attempt at a closed breaker allocate nothing, in both windows")
    void closed() {
        CircuitBreaker time = CircuitBreaker.of(settings.build());
        CircuitBreaker count = CircuitBreaker.of(settings.countWindow(100).build());

        assertThat(bytesFor(() -> mixed(time))).isZero();
        assertThat(bytesFor(() -> mixed(count))).isZero();
        assertThat(admitted).isPositive();
    }

    private void mixed(CircuitBreaker breaker) {
        attempt(breaker, Verdict.FAILURE, 1);
        attempt(breaker, Verdict.SUCCESS, 10);
        attempt(breaker, Verdict.SUCCESS, 9);
        attempt(breaker, Verdict.SUCCESS, 9);
        attempt(breaker, Verdict.NEUTRAL, 9);
    }

    private void attempt(CircuitBreaker breaker, Verdict verdict, long duration) {
        int stamp = breaker.tryAdmit(5, Long.MAX_VALUE);
        admitted += stamp;
        breaker.record(stamp, verdict, 5, duration);
    }

    @Test
    @DisplayName("an attempt that an open breaker or a ramp turns away allocates nothing, nor does a look")
    void refused() {
        CircuitBreaker open = CircuitBreaker.of(settings.build());
        attempt(open, Verdict.FAILURE, 1);
        attempt(open, Verdict.FAILURE, 1);
        CircuitBreaker ramping = CircuitBreaker.of(settings.build());
        attempt(ramping, Verdict.FAILURE, 1);
        attempt(ramping, Verdict.FAILURE, 1);
        long closed = 5 + PERIOD;
        ramping.record(ramping.tryAdmit(closed, Long.MAX_VALUE), Verdict.SUCCESS, closed, 9);

        assertThat(bytesFor(() -> {
                    admitted += open.rejects(6) ? 1 : 0;
                    admitted += open.tryAdmit(6, Long.MAX_VALUE);
                    admitted += ramping.tryAdmit(closed, Long.MAX_VALUE);
                }))
                .isZero();
        assertThat(ramping.figures(closed).rejected()).isPositive();
        assertThat(open.figures(closed).rejected()).isPositive();
    }

    @Test
    @DisplayName("finding an endpoint by a request's URI allocates nothing, nor does a look at one, nor a count")
    void found() {
        EndpointTable table = EndpointTable.of(settings.build());
        URI first = URI.create("http://a.example:8080/x");
        URI second = URI.create("https://b.example/y");
        Endpoint unknown = Endpoint.of("http://c.example");

        assertThat(bytesFor(() -> {
                    EndpointState state = table.find(first, 5);
                    state.attemptStarted();
                    admitted += table.find(second, 5) == state ? 0 : 1;
                    admitted += table.rejects(unknown, 5) ? 1 : 0;
                    admitted += table.inFlight(state.endpoint());
                    state.attemptClean();
                }))
                .isZero();
        assertThat(admitted).isPositive();
    }

    /** The least of some rounds: a class loaded or a counter's cell made on the way is nobody's attempt. */
    private static long bytesFor(Runnable attempt) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < ATTEMPTS; i++) {
                attempt.run();
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(id) - before) / ATTEMPTS);
        }
        return least;
    }
}
