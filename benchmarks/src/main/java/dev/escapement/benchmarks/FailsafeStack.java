package dev.escapement.benchmarks;

import dev.escapement.http.Response;
import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.Timeout;

/**
 * The full stack out of Failsafe: one timeout, bulkhead, retry policy and breaker, shared by all threads.
 *
 * <p>The order is ours, from the outside: deadline, permit, retry, breaker. What it leaves out that ours does: a budget
 * of retries, slow calls that count as failures, an attempt timeout beside the deadline, a deadline that the retry
 * respects, a report.
 */
final class FailsafeStack {

    /**
     * On the common pool when asked for a future, on the caller's thread when not; the timeout is a task of Failsafe's own
     * scheduled executor either way. Given an executor that runs in place, it loses the result.
     */
    final FailsafeExecutor<Response> executor;

    FailsafeStack() {
        Timeout<Response> deadline = Timeout.of(FullStackBenchmark.DEADLINE);
        Bulkhead<Response> permits = Bulkhead.of(FullStackBenchmark.PERMITS);
        RetryPolicy<Response> retry = RetryPolicy.<Response>builder()
                .handleResultIf(Operation::isFailure)
                .withMaxRetries(1) // at once, unless told otherwise
                .build();
        CircuitBreaker<Response> breaker = CircuitBreaker.<Response>builder()
                .handleResultIf(Operation::isFailure)
                .withFailureRateThreshold(
                        FullStackBenchmark.FAILURE_PERCENT, FullStackBenchmark.MINIMUM_CALLS, FullStackBenchmark.WINDOW)
                .build();
        executor = Failsafe.with(deadline, permits, retry, breaker);
    }
}
