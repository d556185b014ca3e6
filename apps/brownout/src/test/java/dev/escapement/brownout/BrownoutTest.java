package dev.escapement.brownout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** V3: an upstream that browns out under load comes back with the guards, and does not without them. */
class BrownoutTest {

    private static final Scenario SCENARIO = Scenario.standard();

    /** Each run is looked at by several tests. */
    private static final Map<String, Trace> TRACES = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @DisplayName("V3 H5 without guards the retries keep the upstream down when it is well again")
    void withoutGuardsTheRetriesKeepItDown(long seed) {
        Trace trace = trace(Guards.NONE, seed);

        assertThat(trace.secondsToRecovery()).isEmpty();
        assertThat(afterTheBrownout(trace)).allSatisfy(second -> {
            assertThat(second.counts().good()).isLessThan(second.counts().calls() / 100);
            assertThat(second.counts().attempts()).isGreaterThan(second.counts().calls() * 3 / 2);
        });
    }

    @Test
    void withoutABrownoutTheSameLoadIsServed() {
        Trace trace = new Simulation(SCENARIO.withoutBrownout(), Guards.NONE, 1).run();

        assertThat(trace.seconds()).allMatch(Trace.Second::isWell);
        assertThat(trace.totals().good()).isEqualTo(trace.totals().calls());
        assertThat(trace.totals().attempts()).isEqualTo(trace.totals().calls());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @DisplayName("V3 G1 with a budget it is well again once the queue has drained")
    void withABudgetItRecovers(long seed) {
        Trace trace = trace(Guards.BUDGET, seed);

        long sparePerSecond = SCENARIO.capacityPerSecond() - SCENARIO.callsPerSecond() * 110 / 100;
        assertThat(trace.secondsToRecovery().orElseThrow())
                .as("until the queue is empty, and what is left of a second")
                .isLessThanOrEqualTo((int) (SCENARIO.queue() / sparePerSecond + 2));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @DisplayName("V3 G2 G4 with both guards it is well again once the breaker has tried it and let the callers back in")
    void withBothGuardsItRecovers(long seed) {
        Trace trace = trace(Guards.BOTH, seed);

        long openPeriodSeconds =
                Duration.ofNanos(Guards.BOTH.breaker().openPeriodNanos()).toSeconds();
        assertThat(trace.secondsToRecovery().orElseThrow())
                .as("an open period that began just before, the ramp, and what is left of a second")
                .isLessThanOrEqualTo((int) (2 * openPeriodSeconds + 1));
        assertThat(trace.totals().wasted())
                .as("attempts in vain, of which there are few while the breaker is open")
                .isLessThan(trace.totals().attempts() / 20);
    }

    @ParameterizedTest
    @EnumSource(
            value = Guards.class,
            names = {"BUDGET", "BOTH"})
    @DisplayName("G1 H5 a budget of 10 % is at most 1.10 attempts for each call that was let in")
    void attemptsStayWithinTheBudget(Guards guards) {
        Counts totals = trace(guards, 1).totals();

        assertThat(totals.attempts() * 100).isLessThanOrEqualTo(totals.begun() * 110);
        assertThat(totals.attempts()).as("some were retried").isGreaterThan(totals.begun());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @DisplayName(
            "G1 H5 where every call would be retried, ten seconds of calls have 1.10 attempts each, no more and hardly fewer")
    void theWorstTenSecondsUseTheWholeBudget(long seed) {
        List<Trace.Second> seconds = trace(Guards.BUDGET, seed).seconds();

        long worst = IntStream.rangeClosed(0, seconds.size() - 10)
                .mapToObj(from -> seconds.subList(from, from + 10))
                .mapToLong(BrownoutTest::attemptsPerThousandCalls)
                .max()
                .orElseThrow();

        assertThat(worst)
                .as(
                        "attempts per 1,000 calls; a pause of up to 25 ms carries some that were granted into the next second")
                .isBetween(1_090L, 1_103L);
    }

    @ParameterizedTest
    @EnumSource(
            value = Guards.class,
            names = {"NONE", "BOTH"})
    void aSeedDecidesEverything(Guards guards) {
        Trace again = new Simulation(SCENARIO, guards, 1).run();

        assertThat(again).isEqualTo(trace(guards, 1)).isNotEqualTo(trace(guards, 2));
    }

    private static long attemptsPerThousandCalls(List<Trace.Second> seconds) {
        long attempts =
                seconds.stream().mapToLong(second -> second.counts().attempts()).sum();
        long calls =
                seconds.stream().mapToLong(second -> second.counts().calls()).sum();
        return attempts * 1_000 / calls;
    }

    private static List<Trace.Second> afterTheBrownout(Trace trace) {
        return trace.seconds()
                .subList(
                        (int) SCENARIO.brownoutTo().toSeconds(), trace.seconds().size());
    }

    private static Trace trace(Guards guards, long seed) {
        return TRACES.computeIfAbsent(guards.name() + seed, run -> new Simulation(SCENARIO, guards, seed).run());
    }
}
