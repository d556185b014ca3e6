package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.measure.LatencyHistogram;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that are each allowed and do not go together are told, with the numbers; those that do are not. */
class PolicyAdvisoryTest {

    private static final long MILLI = 1_000_000L;

    @ParameterizedTest(name = "P5 the defaults around {0} ms need no advice")
    @ValueSource(longs = {50, 100, 249, 2_000, 60_000, 86_400_000})
    void defaultsNeedNoAdvice(long overallMillis) {
        assertThat(Policy.builder(ms(overallMillis)).build().advisories()).isEmpty();
    }

    @Test
    @DisplayName("P5 R6 a whole retry must end strictly before the deadline after the shortest first backoff")
    void noWholeRetryFits() {
        UnaryOperator<PolicyBuilder> whole = policy -> policy.attemptFit(AttemptFit.WHOLE)
                .attemptTimeout(ms(400))
                .initialBackoff(ms(100))
                .cleanupReserve(Duration.ZERO)
                .jitter(Jitter.NONE);

        assertThat(advisories(ms(500).plusNanos(1), whole)).isEmpty();
        assertThat(advisories(ms(500), whole))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.NO_RETRY_FITS,
                        "none of the 1 retries can fit: after a backoff of at least 100ms there is no room for a whole"
                                + " attempt of 400ms in the overall timeout of 500ms"));
        assertThat(advisories(ms(500), policy -> whole.apply(policy).maxRetries(0)))
                .isEmpty();
    }

    @Test
    @DisplayName("P5 R6 a clipped retry fits at equality with minimum and reserve")
    void noClippedRetryFits() {
        UnaryOperator<PolicyBuilder> clipped = policy -> policy.attemptTimeout(ms(40))
                .minimumAttempt(ms(20))
                .cleanupReserve(ms(30))
                .initialBackoff(ms(100))
                .jitter(Jitter.NONE);

        assertThat(advisories(ms(150), clipped)).isEmpty();
        assertThat(advisories(ms(150).minusNanos(1), clipped))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.NO_RETRY_FITS,
                        "none of the 1 retries can fit: after a backoff of at least 100ms there is no room for a"
                                + " minimum attempt of 20ms and a cleanup reserve of 30ms in the overall timeout of"
                                + " 149999999ns"));
    }

    @Test
    @DisplayName("P5 B2 the backoff that must fit is the shortest that the jitter can draw, capped")
    void theShortestBackoffCounts() {
        UnaryOperator<PolicyBuilder> policy = with -> with.attemptFit(AttemptFit.WHOLE)
                .attemptTimeout(ms(400))
                .initialBackoff(ms(100))
                .cleanupReserve(Duration.ZERO);

        assertThat(advisories(ms(451), with -> policy.apply(with).jitter(Jitter.FULL)))
                .isEmpty();
        assertThat(advisories(ms(451), with -> policy.apply(with).jitter(Jitter.EQUAL)))
                .isEmpty();
        assertThat(kinds(advisories(ms(450), with -> policy.apply(with).jitter(Jitter.EQUAL))))
                .containsExactly(PolicyAdvisory.Kind.NO_RETRY_FITS);
        assertThat(kinds(advisories(ms(451), with -> policy.apply(with).jitter(Jitter.symmetric(20)))))
                .containsExactly(PolicyAdvisory.Kind.NO_RETRY_FITS);
        assertThat(advisories(
                        ms(451), with -> policy.apply(with).jitter(Jitter.NONE).maxBackoff(ms(50))))
                .isEmpty();
    }

    @Test
    @DisplayName("P5 T4 a reserve that takes half of an attempt is told, one that takes less is not")
    void theReserveEatsTheAttempt() {
        UnaryOperator<PolicyBuilder> single =
                policy -> policy.attemptTimeout(ms(400)).maxRetries(0);

        assertThat(advisories(ms(1_000), policy -> single.apply(policy).cleanupReserve(ms(799))))
                .isEmpty();
        assertThat(advisories(ms(1_000), policy -> single.apply(policy).cleanupReserve(ms(800))))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.RESERVE_EATS_ATTEMPT,
                        "a cleanup reserve of 800ms leaves 200ms of the overall timeout of 1s to an attempt of 400ms,"
                                + " the minimum being 10ms"));
        assertThat(kinds(advisories(ms(1_000), policy -> single.apply(policy).cleanupReserve(ms(5_000)))))
                .containsExactly(PolicyAdvisory.Kind.RESERVE_EATS_ATTEMPT);
        // An attempt may be allowed more than the call has; then what the call has counts.
        assertThat(advisories(
                        ms(1_000),
                        policy -> policy.attemptTimeout(ms(9_000)).maxRetries(0).cleanupReserve(ms(499))))
                .isEmpty();
        assertThat(kinds(advisories(
                        ms(1_000),
                        policy -> policy.attemptTimeout(ms(9_000)).maxRetries(0).cleanupReserve(ms(500)))))
                .containsExactly(PolicyAdvisory.Kind.RESERVE_EATS_ATTEMPT);
    }

    @Test
    @DisplayName("P5 T4 a reserve that leaves less than the minimum attempt is told, if there is a reserve")
    void theReserveLeavesNoUsefulAttempt() {
        UnaryOperator<PolicyBuilder> tiny =
                policy -> policy.attemptTimeout(ms(12)).minimumAttempt(ms(10)).maxRetries(0);

        assertThat(advisories(ms(15), policy -> tiny.apply(policy).cleanupReserve(ms(5))))
                .isEmpty();
        assertThat(kinds(advisories(ms(14), policy -> tiny.apply(policy).cleanupReserve(ms(5)))))
                .containsExactly(PolicyAdvisory.Kind.RESERVE_EATS_ATTEMPT);
        assertThat(advisories(ms(9), policy -> tiny.apply(policy).cleanupReserve(Duration.ZERO)))
                .isEmpty();
        assertThat(advisories(Duration.ZERO, policy -> policy.maxRetries(0))).isEmpty();
    }

    @Test
    @DisplayName(
            "P5 H5 retries without a budget, or more than one where the budget pays for less, are told as attempts per call")
    void retriesOutgrowTheBudget() {
        BudgetSettings budget = BudgetSettings.of(0.15, 4, Duration.ofSeconds(10));

        assertThat(advisories(ms(2_000), policy -> policy.budget(budget).maxRetries(1)))
                .isEmpty();
        assertThat(advisories(ms(2_000), policy -> policy.budget(budget).maxRetries(3)))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.RETRIES_OUTGROW_BUDGET,
                        "in an outage each call asks for up to 4 attempts, where the budget pays for 1.15 beside 4"
                                + " retries a second"));
        assertThat(advisories(
                        ms(2_000),
                        policy -> policy.budget(BudgetSettings.none()).maxRetries(0)))
                .isEmpty();
        assertThat(advisories(
                        ms(2_000),
                        policy -> policy.budget(BudgetSettings.none()).maxRetries(1)))
                .isEmpty();
        assertThat(advisories(
                        ms(2_000),
                        policy -> policy.budget(BudgetSettings.none()).maxRetries(2)))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.RETRIES_OUTGROW_BUDGET,
                        "in an outage each call asks for up to 3 attempts, and no budget bounds them"));
    }

    @Test
    @DisplayName("P5 an attempt timeout of 100 needs no advice where the p99 is 80, one of 70 does")
    void attemptTimeoutBelowTheP99() {
        LatencyHistogram seen = new LatencyHistogram();
        record(seen, 950, 20);
        record(seen, 50, 80);

        assertThat(timingOut(100).advisories(seen)).isEmpty();
        assertThat(timingOut(70).advisories(seen))
                .containsExactly(new PolicyAdvisory(
                        PolicyAdvisory.Kind.ATTEMPT_TIMEOUT_BELOW_P99,
                        "an attempt timeout of 70ms lies below the observed p99 of 82ms and abandons 5.0 % of 1000"
                                + " attempts"));
        assertThat(timingOut(70).advisories()).isEmpty();
    }

    @Test
    @DisplayName("P5 an attempt timeout of exactly the p99 does not lie below it")
    void attemptTimeoutOfTheP99() {
        LatencyHistogram seen = new LatencyHistogram();
        record(seen, 1_000, 80);
        Duration p99 = Duration.ofNanos(seen.percentile(99).orElseThrow());
        Policy exactly =
                Policy.builder(p99.multipliedBy(10)).attemptTimeout(p99).build();
        Policy below = Policy.builder(p99.multipliedBy(10))
                .attemptTimeout(p99.minusNanos(1))
                .build();

        assertThat(kinds(exactly.advisories(seen))).doesNotContain(PolicyAdvisory.Kind.ATTEMPT_TIMEOUT_BELOW_P99);
        assertThat(kinds(below.advisories(seen))).contains(PolicyAdvisory.Kind.ATTEMPT_TIMEOUT_BELOW_P99);
    }

    @Test
    @DisplayName("P5 one attempt in a hundred may take longer than the timeout; of few attempts nothing is told")
    void theP99NeedsAHundredAttempts() {
        LatencyHistogram seen = new LatencyHistogram();
        record(seen, 98, 20);

        assertThat(timingOut(10).advisories(seen)).isEmpty();

        record(seen, 1, 20);

        assertThat(timingOut(10).advisories(seen)).isEmpty();

        record(seen, 1, 500);

        assertThat(kinds(timingOut(10).advisories(seen)))
                .containsExactly(PolicyAdvisory.Kind.ATTEMPT_TIMEOUT_BELOW_P99);
        assertThat(timingOut(100).advisories(seen)).isEmpty();
        assertThat(timingOut(10).advisories(new LatencyHistogram())).isEmpty();
    }

    @Test
    @DisplayName("P5 several are told together, in the order of their kinds")
    void severalAreToldInOrder() {
        LatencyHistogram seen = new LatencyHistogram();
        record(seen, 100, 5_000);
        Policy policy = Policy.builder(ms(1_000))
                .attemptTimeout(ms(400))
                .cleanupReserve(ms(999))
                .maxRetries(3)
                .build();

        assertThat(kinds(policy.advisories(seen))).containsExactly(PolicyAdvisory.Kind.values());
    }

    private static Policy timingOut(long millis) {
        return Policy.builder(ms(2_000)).attemptTimeout(ms(millis)).build();
    }

    private static void record(LatencyHistogram seen, int times, long millis) {
        for (int i = 0; i < times; i++) {
            seen.record(millis * MILLI);
        }
    }

    private static List<PolicyAdvisory> advisories(Duration overall, UnaryOperator<PolicyBuilder> with) {
        return with.apply(Policy.builder(overall)).build().advisories();
    }

    private static List<PolicyAdvisory.Kind> kinds(List<PolicyAdvisory> advisories) {
        return advisories.stream().map(PolicyAdvisory::kind).toList();
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }
}
