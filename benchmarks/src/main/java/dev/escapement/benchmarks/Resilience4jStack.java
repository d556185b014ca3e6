package dev.escapement.benchmarks;

import dev.escapement.http.Response;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * The full stack out of Resilience4j: one bulkhead, breaker, retry and time limiter, shared by all threads.
 *
 * <p>The order is ours, from the outside: deadline, permit, retry, breaker. What it leaves out that ours does: a budget
 * of retries, an attempt timeout beside the deadline, a deadline that the retry respects, a queue for permits, a report.
 * Its operations are decorated once, beforehand, which is its cheapest form.
 */
final class Resilience4jStack implements AutoCloseable {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "resilience4j");
        thread.setDaemon(true);
        return thread;
    });

    private final TimeLimiter deadline = TimeLimiter.of(TimeLimiterConfig.custom()
            .timeoutDuration(FullStackBenchmark.DEADLINE)
            .build());

    private final Bulkhead permits = Bulkhead.of(
            "upstream",
            BulkheadConfig.custom()
                    .maxConcurrentCalls(FullStackBenchmark.PERMITS)
                    .maxWaitDuration(Duration.ZERO)
                    .build());

    private final Retry retry = Retry.of(
            "upstream",
            RetryConfig.<Response>custom()
                    .maxAttempts(2)
                    .intervalFunction(attempt -> 0L)
                    .retryOnResult(Operation::isFailure)
                    .build());

    private final CircuitBreaker breaker = CircuitBreaker.of(
            "upstream",
            CircuitBreakerConfig.custom()
                    .slidingWindow(
                            (int) FullStackBenchmark.WINDOW.toSeconds(),
                            FullStackBenchmark.MINIMUM_CALLS,
                            SlidingWindowType.TIME_BASED,
                            CircuitBreakerConfig.SlidingWindowSynchronizationStrategy.LOCK_FREE)
                    .failureRateThreshold(FullStackBenchmark.FAILURE_PERCENT)
                    .slowCallDurationThreshold(FullStackBenchmark.SLOW)
                    .slowCallRateThreshold(FullStackBenchmark.SLOW_PERCENT)
                    .recordResult(result -> Operation.isFailure((Response) result))
                    .build());

    /** With everything, the deadline as a task of a scheduled executor; the retry runs on that executor. */
    Supplier<CompletionStage<Response>> async(Supplier<CompletionStage<Response>> operation) {
        return TimeLimiter.decorateCompletionStage(
                deadline,
                scheduler,
                Bulkhead.decorateCompletionStage(
                        permits,
                        Retry.decorateCompletionStage(
                                retry, scheduler, CircuitBreaker.decorateCompletionStage(breaker, operation))));
    }

    /** On the caller's thread: the deadline is a timed wait for each attempt's future, and nothing bounds the whole. */
    Callable<Response> sync(Supplier<CompletableFuture<Response>> operation) {
        return Bulkhead.decorateCallable(
                permits,
                Retry.decorateCallable(
                        retry,
                        CircuitBreaker.decorateCallable(
                                breaker, TimeLimiter.decorateFutureSupplier(deadline, operation))));
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
