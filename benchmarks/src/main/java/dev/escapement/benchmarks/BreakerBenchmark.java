package dev.escapement.benchmarks;

import dev.escapement.guard.CircuitBreaker;
import dev.escapement.guard.EndpointState;
import dev.escapement.guard.EndpointTable;
import dev.escapement.guard.Verdict;
import dev.escapement.policy.BreakerSettings;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a closed breaker cost a good call, asked before and told after?
 *
 * <p>Ours is given its readings of the clock, which the engine has anyway; they move on by 100 ns an operation, so that a time
 * window turns as it would. One benchmark reads the real clock twice, as the peers do inside. The peers' windows and rates are
 * ours: 50 % of at least 20 calls, among 100 or within 10 s. Left out: opening, trials and what follows.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar BreakerBenchmark -t 1 -prof gc
 * java -jar benchmarks/target/benchmarks.jar BreakerBenchmark -t 2 -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-Xmn192m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BreakerBenchmark {

    private static final int MINIMUM_CALLS = 20;
    private static final int CALLS = 100;
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final int RATE_PERCENT = 50;
    private static final int SLOW_RATE_PERCENT = 90;
    private static final Duration SLOW = Duration.ofMillis(640);
    private static final long DURATION_NANOS = 1_000_000;

    /** Shared by all threads, as an endpoint's breaker is. */
    @State(Scope.Benchmark)
    public static class Shared {
        final LongAdder counter = new LongAdder();
        final CircuitBreaker count =
                CircuitBreaker.of(settings().countWindow(CALLS).build());
        final CircuitBreaker time =
                CircuitBreaker.of(settings().timeWindow(TIME).build());
        final EndpointTable table = EndpointTable.of(settings().timeWindow(TIME).build());
        final URI uri = URI.create("http://orders.example:8080/orders/7");
        final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jCount =
                resilience4j(SlidingWindowType.COUNT_BASED, CALLS);
        final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jTime =
                resilience4j(SlidingWindowType.TIME_BASED, (int) TIME.toSeconds());
        final dev.failsafe.CircuitBreaker<Object> failsafeCount = dev.failsafe.CircuitBreaker.builder()
                .withFailureThreshold(CALLS * RATE_PERCENT / 100, CALLS)
                .build();
        final dev.failsafe.CircuitBreaker<Object> failsafeTime = dev.failsafe.CircuitBreaker.builder()
                .withFailureRateThreshold(RATE_PERCENT, MINIMUM_CALLS, TIME)
                .build();

        private static BreakerSettings.Builder settings() {
            return BreakerSettings.builder()
                    .failureRatePercent(RATE_PERCENT)
                    .minimumCalls(MINIMUM_CALLS)
                    .slowRatePercent(SLOW_RATE_PERCENT)
                    .slowCall(SLOW);
        }

        private static io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j(
                SlidingWindowType type, int size) {
            return io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                    "peer",
                    CircuitBreakerConfig.custom()
                            .slidingWindow(size, MINIMUM_CALLS, type)
                            .failureRateThreshold(RATE_PERCENT)
                            .slowCallRateThreshold(SLOW_RATE_PERCENT)
                            .slowCallDurationThreshold(SLOW)
                            .build());
        }
    }

    /** A clock that costs nothing. */
    @State(Scope.Thread)
    public static class Clock {
        private long nowNanos;

        long advance() {
            nowNanos += 100;
            return nowNanos;
        }
    }

    /** One striped addition: what counting a success costs at least. */
    @Benchmark
    public void floorStripedAdd(Shared shared) {
        shared.counter.increment();
    }

    /** Count window. */
    @Benchmark
    public int escapementCount(Shared shared, Clock clock) {
        return askAndRecord(shared.count, clock.advance());
    }

    /** Time window. */
    @Benchmark
    public int escapementTime(Shared shared, Clock clock) {
        return askAndRecord(shared.time, clock.advance());
    }

    /** Time window, found by a request's URI. */
    @Benchmark
    public int escapementTimeFoundByUri(Shared shared, Clock clock) {
        long nowNanos = clock.advance();
        EndpointState state = shared.table.find(shared.uri, nowNanos);
        CircuitBreaker breaker = state.breaker();
        return breaker == null ? CircuitBreaker.REFUSED : askAndRecord(breaker, nowNanos);
    }

    /** Time window, and the clock read before and after. */
    @Benchmark
    public int escapementTimeWithClock(Shared shared) {
        long startNanos = System.nanoTime();
        int stamp = shared.time.tryAdmit(startNanos, Long.MAX_VALUE);
        long endNanos = System.nanoTime();
        shared.time.record(stamp, Verdict.SUCCESS, endNanos, endNanos - startNanos);
        return stamp;
    }

    private static int askAndRecord(CircuitBreaker breaker, long nowNanos) {
        int stamp = breaker.tryAdmit(nowNanos, Long.MAX_VALUE);
        breaker.record(stamp, Verdict.SUCCESS, nowNanos, DURATION_NANOS);
        return stamp;
    }

    /** Count window. */
    @Benchmark
    public boolean resilience4jCount(Shared shared) {
        return askAndRecord(shared.resilience4jCount);
    }

    /** Time window. */
    @Benchmark
    public boolean resilience4jTime(Shared shared) {
        return askAndRecord(shared.resilience4jTime);
    }

    private static boolean askAndRecord(io.github.resilience4j.circuitbreaker.CircuitBreaker breaker) {
        boolean admitted = breaker.tryAcquirePermission();
        breaker.onSuccess(DURATION_NANOS, TimeUnit.NANOSECONDS);
        return admitted;
    }

    /** Count window, and the clock read before and after. */
    @Benchmark
    public boolean resilience4jCountWithClock(Shared shared) {
        io.github.resilience4j.circuitbreaker.CircuitBreaker breaker = shared.resilience4jCount;
        long start = breaker.getCurrentTimestamp();
        boolean admitted = breaker.tryAcquirePermission();
        breaker.onSuccess(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit());
        return admitted;
    }

    /** Count window. */
    @Benchmark
    public boolean failsafeCount(Shared shared) {
        return askAndRecord(shared.failsafeCount);
    }

    /** Time window. */
    @Benchmark
    public boolean failsafeTime(Shared shared) {
        return askAndRecord(shared.failsafeTime);
    }

    private static boolean askAndRecord(dev.failsafe.CircuitBreaker<Object> breaker) {
        boolean admitted = breaker.tryAcquirePermit();
        breaker.recordSuccess();
        return admitted;
    }
}
