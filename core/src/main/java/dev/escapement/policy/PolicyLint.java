package dev.escapement.policy;

import dev.escapement.measure.LatencyHistogram;
import dev.escapement.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds linked bounds that do not go together (P5). Pure. */
final class PolicyLint {

    /** Of fewer attempts the slowest in a hundred is merely the slowest. */
    private static final long FEWEST_OBSERVED = 100;

    private static final int PER_MILLE = 1_000;
    private static final int MILLION_DECIMALS = 6;

    private PolicyLint() {}

    /** What can be told from the policy alone. */
    static List<PolicyAdvisory> of(Policy policy) {
        return Stream.of(noRetryFits(policy), reserveEatsAttempt(policy), retriesOutgrowBudget(policy))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The same, and what can be told from how long its attempts have taken. */
    static List<PolicyAdvisory> of(Policy policy, LatencyHistogram attempts) {
        List<PolicyAdvisory> advisories = new ArrayList<>(of(policy));
        attemptTimeoutBelowP99(policy, attempts).ifPresent(advisories::add);
        return List.copyOf(advisories);
    }

    private static Optional<PolicyAdvisory> noRetryFits(Policy policy) {
        long shortestDelayNanos =
                policy.jitter().delayNanos(policy.initialBackoffNanos(), policy.maxBackoffNanos(), 1, 0, bound -> 0);
        if (policy.maxRetries() == 0 || RetryRule.fits(policy, shortestDelayNanos, policy.overallTimeoutNanos())) {
            return Optional.empty();
        }
        String needed = switch (policy.attemptFit()) {
            case WHOLE -> "a whole attempt of " + text(policy.attemptTimeoutNanos());
            case CLIPPED ->
                "a minimum attempt of " + text(policy.minimumAttemptNanos()) + " and a cleanup reserve of "
                        + text(policy.cleanupReserveNanos());
        };
        return advisory(
                PolicyAdvisory.Kind.NO_RETRY_FITS,
                "none of the " + policy.maxRetries() + " retries can fit: after a backoff of at least "
                        + text(shortestDelayNanos) + " there is no room for " + needed + " in the overall timeout of "
                        + text(policy.overallTimeoutNanos()));
    }

    private static Optional<PolicyAdvisory> reserveEatsAttempt(Policy policy) {
        long reserveNanos = policy.cleanupReserveNanos();
        long wholeNanos = Math.min(policy.attemptTimeoutNanos(), policy.overallTimeoutNanos());
        long leftNanos = Math.max(0, policy.overallTimeoutNanos() - reserveNanos);
        boolean eaten = leftNanos <= wholeNanos / 2 || leftNanos < policy.minimumAttemptNanos();
        if (reserveNanos == 0 || wholeNanos == 0 || !eaten) {
            return Optional.empty();
        }
        return advisory(
                PolicyAdvisory.Kind.RESERVE_EATS_ATTEMPT,
                "a cleanup reserve of " + text(reserveNanos) + " leaves " + text(leftNanos)
                        + " of the overall timeout of " + text(policy.overallTimeoutNanos()) + " to an attempt of "
                        + text(policy.attemptTimeoutNanos()) + ", the minimum being "
                        + text(policy.minimumAttemptNanos()));
    }

    private static Optional<PolicyAdvisory> retriesOutgrowBudget(Policy policy) {
        BudgetSettings budget = policy.budget();
        int attempts = 1 + policy.maxRetries();
        if (policy.maxRetries() <= 1) {
            return Optional.empty();
        }
        String asked = "in an outage each call asks for up to " + attempts + " attempts, ";
        return advisory(
                PolicyAdvisory.Kind.RETRIES_OUTGROW_BUDGET,
                budget.unlimited()
                        ? asked + "and no budget bounds them"
                        : asked + "where the budget pays for " + attemptsPaidFor(budget) + " beside "
                                + budget.floorPerSecond() + " retries a second");
    }

    private static String attemptsPaidFor(BudgetSettings budget) {
        return BigDecimal.valueOf(BudgetSettings.MILLION + (long) budget.ratioPartsPerMillion(), MILLION_DECIMALS)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static Optional<PolicyAdvisory> attemptTimeoutBelowP99(Policy policy, LatencyHistogram attempts) {
        long timeoutNanos = policy.attemptTimeoutNanos();
        long total = attempts.count();
        if (total < FEWEST_OBSERVED) {
            return Optional.empty();
        }
        long p99Nanos = attempts.percentile(99).orElseThrow();
        if (timeoutNanos >= p99Nanos) {
            return Optional.empty();
        }
        // What is recorded meanwhile may be in the second count and not in the first.
        long abandoned = Math.min(total, attempts.countAtLeast(timeoutNanos));
        BigDecimal percent = BigDecimal.valueOf(Math.round((double) abandoned * PER_MILLE / total), 1);
        return advisory(
                PolicyAdvisory.Kind.ATTEMPT_TIMEOUT_BELOW_P99,
                "an attempt timeout of " + text(timeoutNanos) + " lies below the observed p99 of "
                        + text(rounded(p99Nanos)) + " and abandons " + percent + " % of " + total + " attempts");
    }

    /** To two digits: the histogram knows a thirty-second. */
    private static long rounded(long nanos) {
        return BigDecimal.valueOf(nanos).round(new MathContext(2)).longValue();
    }

    private static Optional<PolicyAdvisory> advisory(PolicyAdvisory.Kind kind, String message) {
        return Optional.of(new PolicyAdvisory(kind, message));
    }

    private static String text(long nanos) {
        return DurationText.write(Duration.ofNanos(nanos));
    }
}
