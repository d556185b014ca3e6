package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.escapement.http.Method;
import dev.escapement.report.ReportDetail;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy is a value, a wrong one cannot be built, and the defaults are pinned. */
class PolicyTest {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final Duration TOO_LONG = LONGEST.plusNanos(1);
    private static final Duration NEGATIVE = Duration.ofNanos(-1);

    @Test
    @DisplayName("P1 a policy keeps every choice it was built with")
    void keepsEveryChoice() {
        Policy policy = Policy.builder(Duration.ofMillis(1_000))
                .version("v7")
                .attemptTimeout(Duration.ofMillis(300))
                .maxRetries(5)
                .initialBackoff(Duration.ofMillis(11))
                .maxBackoff(Duration.ofMillis(77))
                .jitter(Jitter.NONE)
                .attemptFit(AttemptFit.WHOLE)
                .minimumAttempt(Duration.ofMillis(3))
                .cleanupReserve(Duration.ofMillis(13))
                .permitScope(PermitScope.ATTEMPT)
                .deadlineOrigin(DeadlineOrigin.PERMIT)
                .maxQueueWait(Duration.ofMillis(17))
                .failureRule(FailureRule.CONNECT_FAILURES)
                .retryableMethods(Set.of(Method.GET, Method.of("PURGE")))
                .retryableStatuses(Set.of(599))
                .effectFreeStatuses(Set.of(429))
                .serverDelayCap(Duration.ofMillis(19))
                .delivery(Delivery.KEYED)
                .serverDelayJitterPercent(23)
                .retryAfterDates(RetryAfterDates.IGNORED)
                .retryForbiddingHeader("X-No-Retry")
                .budget(BudgetSettings.none())
                .reportDetail(ReportDetail.FULL)
                .build();

        assertThat(policy.version()).isEqualTo("v7");
        assertThat(policy.overallTimeoutNanos()).isEqualTo(1_000_000_000L);
        assertThat(policy.attemptTimeoutNanos()).isEqualTo(300_000_000L);
        assertThat(policy.maxRetries()).isEqualTo(5);
        assertThat(policy.initialBackoffNanos()).isEqualTo(11_000_000L);
        assertThat(policy.maxBackoffNanos()).isEqualTo(77_000_000L);
        assertThat(policy.jitter()).isEqualTo(Jitter.NONE);
        assertThat(policy.attemptFit()).isEqualTo(AttemptFit.WHOLE);
        assertThat(policy.minimumAttemptNanos()).isEqualTo(3_000_000L);
        assertThat(policy.cleanupReserveNanos()).isEqualTo(13_000_000L);
        assertThat(policy.permitScope()).isEqualTo(PermitScope.ATTEMPT);
        assertThat(policy.deadlineOrigin()).isEqualTo(DeadlineOrigin.PERMIT);
        assertThat(policy.maxQueueWaitNanos()).isEqualTo(17_000_000L);
        assertThat(policy.failureRule()).isEqualTo(FailureRule.CONNECT_FAILURES);
        assertThat(policy.retryableMethods()).containsExactlyInAnyOrder(Method.GET, Method.of("PURGE"));
        assertThat(statuses(policy::retriesStatus)).containsExactly(599);
        assertThat(statuses(policy::provesNoEffect)).containsExactly(429);
        assertThat(policy.serverDelayCapNanos()).isEqualTo(19_000_000L);
        assertThat(policy.delivery()).isEqualTo(Delivery.KEYED);
        assertThat(policy.serverDelayJitterPercent()).isEqualTo(23);
        assertThat(policy.retryAfterDates()).isEqualTo(RetryAfterDates.IGNORED);
        assertThat(policy.retryForbiddingHeader()).contains("X-No-Retry");
        assertThat(policy.budget()).isEqualTo(BudgetSettings.none());
        assertThat(policy.reportDetail()).isEqualTo(ReportDetail.FULL);
    }

    @Test
    @DisplayName("P1 changing the sets or the builder afterwards changes no policy")
    void copiesItsSets() {
        Set<Method> methods = new HashSet<>(Set.of(Method.GET));
        Set<Integer> retryable = new HashSet<>(Set.of(503));
        Set<Integer> effectFree = new HashSet<>(Set.of(429));
        PolicyBuilder builder = Policy.builder(Duration.ofSeconds(1))
                .version("first")
                .retryableMethods(methods)
                .retryableStatuses(retryable)
                .effectFreeStatuses(effectFree);
        Policy policy = builder.build();

        methods.add(Method.POST);
        retryable.add(400);
        effectFree.add(400);
        builder.version("second").maxRetries(9);

        assertThat(policy.retryableMethods()).containsExactly(Method.GET);
        assertThat(policy.retriesStatus(400)).isFalse();
        assertThat(policy.provesNoEffect(400)).isFalse();
        assertThat(policy.version()).isEqualTo("first");
        assertThat(policy.maxRetries()).isEqualTo(1);
        assertThatThrownBy(() -> policy.retryableMethods().add(Method.POST))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("P2 attempt timeout 0 is a fault")
    void attemptTimeoutZero() {
        assertOneFault(
                standard().attemptTimeout(Duration.ZERO),
                PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO,
                "attemptTimeout = 0: expected more than 0");
        assertThatCode(() -> standard().attemptTimeout(Duration.ofNanos(1)).build())
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("P2 an attempt timeout that no instant can hold is a fault")
    void attemptDeadlineOverflow() {
        assertOneFault(
                standard().attemptTimeout(TOO_LONG),
                PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW,
                "attemptTimeout = " + TOO_LONG + ": expected at most " + LONGEST);
        assertThatCode(() -> standard().attemptTimeout(LONGEST).build()).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("P2 an overall timeout that no instant can hold is a fault")
    void overallDeadlineOverflow() {
        assertOneFault(
                everyLengthGiven(TOO_LONG),
                PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW,
                "overallTimeout = " + TOO_LONG + ": expected at most " + LONGEST);
        assertThatCode(() -> everyLengthGiven(LONGEST).build()).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("P2 a backoff that no instant can hold is a fault, initial and maximum")
    void backoffDeadlineOverflow() {
        assertOneFault(
                standard().maxBackoff(TOO_LONG),
                PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW,
                "maxBackoff = " + TOO_LONG + ": expected at most " + LONGEST);
        assertOneFault(
                standard().initialBackoff(TOO_LONG),
                PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW,
                "initialBackoff = " + TOO_LONG + ": expected at most " + LONGEST);
    }

    @Test
    @DisplayName("P2 31 retries are legal, 32 are a fault")
    void retryExponentTooLarge() {
        assertThat(standard().maxRetries(31).build().maxRetries()).isEqualTo(31);
        assertOneFault(
                standard().maxRetries(32),
                PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                "maxRetries = 32: expected 0 to 31");
    }

    static Stream<Arguments> lengths() {
        return Stream.of(
                length("attemptTimeout", PolicyBuilder::attemptTimeout),
                length("initialBackoff", PolicyBuilder::initialBackoff),
                length("maxBackoff", PolicyBuilder::maxBackoff),
                length("minimumAttempt", PolicyBuilder::minimumAttempt),
                length("cleanupReserve", PolicyBuilder::cleanupReserve),
                length("maxQueueWait", PolicyBuilder::maxQueueWait),
                length("serverDelayCap", PolicyBuilder::serverDelayCap));
    }

    private static Arguments length(String name, BiFunction<PolicyBuilder, Duration, PolicyBuilder> setter) {
        return Arguments.of(name, setter);
    }

    @ParameterizedTest(name = "P2 a negative {0} is a fault")
    @MethodSource("lengths")
    void negativeDuration(String name, BiFunction<PolicyBuilder, Duration, PolicyBuilder> setter) {
        assertOneFault(
                setter.apply(standard(), NEGATIVE),
                PolicyFault.Kind.NEGATIVE_DURATION,
                name + " = " + NEGATIVE + ": expected 0 or more");
    }

    @Test
    @DisplayName("P2 a negative overall timeout is a fault")
    void negativeOverallTimeout() {
        assertOneFault(
                everyLengthGiven(NEGATIVE),
                PolicyFault.Kind.NEGATIVE_DURATION,
                "overallTimeout = " + NEGATIVE + ": expected 0 or more");
    }

    @ParameterizedTest(name = "P2 {0} longer than a long of nanoseconds is a fault")
    @ValueSource(strings = {"minimumAttempt", "cleanupReserve", "maxQueueWait", "serverDelayCap"})
    @SuppressWarnings("unchecked")
    void otherLengthsOutOfRange(String name) {
        BiFunction<PolicyBuilder, Duration, PolicyBuilder> setter = lengths()
                .filter(arguments -> arguments.get()[0].equals(name))
                .map(arguments -> (BiFunction<PolicyBuilder, Duration, PolicyBuilder>)
                        arguments.get()[1])
                .findFirst()
                .orElseThrow();

        assertOneFault(
                setter.apply(standard(), TOO_LONG),
                PolicyFault.Kind.OUT_OF_RANGE,
                name + " = " + TOO_LONG + ": expected at most " + LONGEST);
    }

    @Test
    @DisplayName("P2 a negative number of retries is a fault")
    void negativeRetries() {
        assertOneFault(standard().maxRetries(-1), PolicyFault.Kind.OUT_OF_RANGE, "maxRetries = -1: expected 0 to 31");
    }

    @Test
    @DisplayName("P2 each status that no final response has is a fault, in ascending order")
    void statusesOutOfRange() {
        PolicyException refusal =
                refusal(standard().retryableStatuses(Set.of(503, 1_000, 199)).effectFreeStatuses(Set.of(200, 999, 0)));

        assertThat(refusal.faults())
                .extracting(PolicyFault::toString)
                .containsExactly(
                        "retryableStatuses = 199: expected statuses of 200 to 999",
                        "retryableStatuses = 1000: expected statuses of 200 to 999",
                        "effectFreeStatuses = 0: expected statuses of 200 to 999");
    }

    @ParameterizedTest(name = "P2 {0} percent of jitter on server delays is a fault")
    @ValueSource(ints = {-1, 101})
    void serverDelayJitterOutOfRange(int percent) {
        assertOneFault(
                standard().serverDelayJitterPercent(percent),
                PolicyFault.Kind.OUT_OF_RANGE,
                "serverDelayJitterPercent = " + percent + ": expected 0 to 100");
        assertThat(standard().serverDelayJitterPercent(100).build().serverDelayJitterPercent())
                .isEqualTo(100);
    }

    @Test
    @DisplayName("P2 a retry-forbidding header whose name no response can carry is a fault, shown safely")
    void headerNameOutOfRange() {
        assertOneFault(
                standard().retryForbiddingHeader("x no\n"),
                PolicyFault.Kind.OUT_OF_RANGE,
                "retryForbiddingHeader = \"x no\\u000a\": expected none, or a header name");
    }

    @Test
    @DisplayName("P1 policies with the same settings are equal, whether given or by default")
    void valuesAreEqual() {
        Policy one = standard().build();

        assertThat(standard().maxRetries(1).jitter(Jitter.FULL).build())
                .isEqualTo(one)
                .hasSameHashCodeAs(one);
        assertThat(standard().maxRetries(2).build()).isNotEqualTo(one);
        assertThat(Policy.builder(Duration.ofSeconds(3)).build()).isNotEqualTo(one);
    }

    @Test
    @DisplayName("P2 one exception lists every fault in the fixed order, typed")
    void listsEveryFaultInOrder() {
        PolicyException refusal = refusal(Policy.builder(TOO_LONG)
                .attemptTimeout(Duration.ZERO)
                .maxRetries(32)
                .initialBackoff(NEGATIVE)
                .maxBackoff(TOO_LONG)
                .cleanupReserve(NEGATIVE)
                .maxQueueWait(Duration.ZERO)
                .retryableStatuses(Set.of(42)));

        assertThat(refusal.faults())
                .extracting(PolicyFault::kind)
                .containsExactly(
                        PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO,
                        PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                        PolicyFault.Kind.NEGATIVE_DURATION,
                        PolicyFault.Kind.NEGATIVE_DURATION,
                        PolicyFault.Kind.OUT_OF_RANGE);
        assertThat(refusal.faults())
                .extracting(PolicyFault::parameter)
                .containsExactly(
                        "attemptTimeout",
                        "overallTimeout",
                        "maxBackoff",
                        "maxRetries",
                        "initialBackoff",
                        "cleanupReserve",
                        "retryableStatuses");
        assertThat(refusal)
                .hasMessage(String.join(
                        "; ",
                        refusal.faults().stream().map(PolicyFault::toString).toList()));
    }

    @Test
    @DisplayName("P2 the kinds of faults stand in the contract's order")
    void kindsStandInOrder() {
        List<PolicyFault> shuffled = Stream.of(
                        PolicyFault.Kind.NEGATIVE_DURATION,
                        PolicyFault.Kind.CONCURRENCY_TOO_LARGE,
                        PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                        PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.CONCURRENCY_ZERO,
                        PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO)
                .map(kind -> new PolicyFault(kind, "parameter", "value", "range"))
                .toList();

        assertThat(new PolicyException(shuffled).faults())
                .extracting(PolicyFault::kind)
                .containsExactly(
                        PolicyFault.Kind.CONCURRENCY_ZERO,
                        PolicyFault.Kind.CONCURRENCY_TOO_LARGE,
                        PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO,
                        PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW,
                        PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                        PolicyFault.Kind.NEGATIVE_DURATION);
    }

    @Test
    @DisplayName("P2 an initial backoff above the maximum is legal, and so is none at all")
    void unusualBackoffsAreLegal() {
        assertThatCode(() -> standard()
                        .initialBackoff(Duration.ofSeconds(9))
                        .maxBackoff(Duration.ofSeconds(1))
                        .build())
                .doesNotThrowAnyException();
        assertThatCode(() -> standard()
                        .initialBackoff(Duration.ZERO)
                        .maxBackoff(Duration.ZERO)
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("P3 an overall timeout of 0 is a policy")
    void overallTimeoutZeroIsLegal() {
        assertThat(Policy.builder(Duration.ZERO).build().overallTimeoutNanos()).isZero();
    }

    @Test
    @DisplayName("P4 a deadline may be the clock's last instant, and not one nanosecond later")
    void faultsAtAnInstant() {
        Policy policy = standard()
                .attemptTimeout(Duration.ofNanos(700))
                .maxBackoff(Duration.ofNanos(300))
                .build();
        long overallNanos = policy.overallTimeoutNanos();

        assertThat(kinds(policy.faultsAt(0))).isEmpty();
        assertThat(kinds(policy.faultsAt(Long.MAX_VALUE - overallNanos))).isEmpty();
        assertThat(kinds(policy.faultsAt(Long.MAX_VALUE - overallNanos + 1)))
                .containsExactly(PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW);
        assertThat(kinds(policy.faultsAt(Long.MAX_VALUE - 700)))
                .containsExactly(PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW);
        assertThat(kinds(policy.faultsAt(Long.MAX_VALUE - 699)))
                .containsExactly(
                        PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW, PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW);
        assertThat(kinds(policy.faultsAt(Long.MAX_VALUE - 300)))
                .doesNotContain(PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW);
        assertThat(policy.faultsAt(Long.MAX_VALUE - 299))
                .extracting(PolicyFault::toString)
                .containsExactly(
                        "attemptTimeout = 700 ns: expected at most 299 ns at this instant",
                        "overallTimeout = " + overallNanos + " ns: expected at most 299 ns at this instant",
                        "maxBackoff = 300 ns: expected at most 299 ns at this instant");
    }

    @Test
    @DisplayName("P7 every default, pinned")
    void defaults() {
        Policy policy = Policy.standard();

        assertThat(policy.version()).isEqualTo("unversioned");
        assertThat(policy.overallTimeoutNanos()).isEqualTo(2_000_000_000L);
        assertThat(policy.attemptTimeoutNanos()).isEqualTo(800_000_000L);
        assertThat(policy.maxRetries()).isEqualTo(1);
        assertThat(policy.initialBackoffNanos()).isEqualTo(25_000_000L);
        assertThat(policy.maxBackoffNanos()).isEqualTo(250_000_000L);
        assertThat(policy.jitter()).isEqualTo(Jitter.FULL);
        assertThat(policy.attemptFit()).isEqualTo(AttemptFit.CLIPPED);
        assertThat(policy.minimumAttemptNanos()).isEqualTo(10_000_000L);
        assertThat(policy.cleanupReserveNanos()).isEqualTo(40_000_000L);
        assertThat(policy.permitScope()).isEqualTo(PermitScope.CALL);
        assertThat(policy.deadlineOrigin()).isEqualTo(DeadlineOrigin.ENTRY);
        assertThat(policy.maxQueueWaitNanos()).isEqualTo(200_000_000L);
        assertThat(policy.failureRule()).isEqualTo(FailureRule.BY_EFFECT);
        assertThat(policy.retryableMethods())
                .containsExactlyInAnyOrder(
                        Method.GET, Method.HEAD, Method.OPTIONS, Method.TRACE, Method.PUT, Method.DELETE);
        assertThat(statuses(policy::retriesStatus)).containsExactly(408, 429, 500, 502, 503, 504);
        assertThat(statuses(policy::provesNoEffect)).isEmpty();
        assertThat(policy.serverDelayCapNanos()).isEqualTo(30_000_000_000L);
        assertThat(policy.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        assertThat(policy.serverDelayJitterPercent()).isEqualTo(10);
        assertThat(policy.retryAfterDates()).isEqualTo(RetryAfterDates.READ);
        assertThat(policy.retryForbiddingHeader()).isEmpty();
        assertThat(policy.budget()).isEqualTo(BudgetSettings.of(0.2, 3, Duration.ofSeconds(10)));
        assertThat(policy.reportDetail()).isEqualTo(ReportDetail.BASIC);

        BreakerSettings breaker = BreakerSettings.standard().forAttemptTimeout(policy.attemptTimeoutNanos());
        assertThat(breaker.isNone()).isFalse();
        assertThat(breaker.consecutiveFailures()).isEqualTo(5);
        assertThat(breaker.failureRatePercent()).isEqualTo(50);
        assertThat(breaker.minimumCalls()).isEqualTo(20);
        assertThat(breaker.windowNanos()).isEqualTo(10_000_000_000L);
        assertThat(breaker.slowCallNanos()).isEqualTo(640_000_000L);
        assertThat(breaker.slowRatePercent()).isEqualTo(90);
        assertThat(breaker.openPeriodNanos()).isEqualTo(5_000_000_000L);
        assertThat(breaker.trials()).isEqualTo(1);
        assertThat(breaker.tableSize()).isEqualTo(10_000);
    }

    @Test
    @DisplayName("P7 the defaults follow the overall timeout; the reserve stays within 5 and 100 ms")
    void defaultsFollowTheOverallTimeout() {
        Policy tiny = Policy.builder(Duration.ofNanos(2)).build();
        Policy small = Policy.builder(Duration.ofMillis(249)).build();
        Policy large = Policy.builder(Duration.ofMillis(5_001)).build();

        assertThat(tiny.attemptTimeoutNanos()).isEqualTo(1);
        assertThat(tiny.maxQueueWaitNanos()).isZero();
        assertThat(small.cleanupReserveNanos()).isEqualTo(5_000_000L);
        assertThat(small.attemptTimeoutNanos()).isEqualTo(99_600_000L);
        assertThat(large.cleanupReserveNanos()).isEqualTo(100_000_000L);
        assertThat(large.maxQueueWaitNanos()).isEqualTo(500_100_000L);
    }

    private static PolicyBuilder standard() {
        return Policy.builder(Policy.STANDARD_OVERALL_TIMEOUT);
    }

    /** A builder in which no other length follows the overall timeout. */
    private static PolicyBuilder everyLengthGiven(Duration overallTimeout) {
        return Policy.builder(overallTimeout)
                .attemptTimeout(Duration.ofMillis(1))
                .cleanupReserve(Duration.ZERO)
                .maxQueueWait(Duration.ZERO);
    }

    private static void assertOneFault(PolicyBuilder builder, PolicyFault.Kind kind, String message) {
        PolicyException refusal = refusal(builder);

        assertThat(refusal.faults()).extracting(PolicyFault::kind).containsExactly(kind);
        assertThat(refusal).hasMessage(message);
    }

    private static PolicyException refusal(PolicyBuilder builder) {
        PolicyException refusal = catchThrowableOfType(PolicyException.class, builder::build);
        assertThat(refusal).isNotNull();
        return refusal;
    }

    private static List<PolicyFault.Kind> kinds(List<PolicyFault> faults) {
        return faults.stream().map(PolicyFault::kind).toList();
    }

    private static List<Integer> statuses(java.util.function.IntPredicate holds) {
        return IntStream.rangeClosed(0, 1_100).filter(holds).boxed().toList();
    }
}
