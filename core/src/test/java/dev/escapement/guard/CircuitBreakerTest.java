package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The breaker on the contract's own numbers and at its edges, for clocks that stand anywhere. */
class CircuitBreakerTest {

    private static final long MS = 1_000_000;

    /** The open period of most breakers here, and longer than any test takes otherwise. */
    private static final long PERIOD = 100;

    private static final long FAST = 9;
    private static final long SLOW = 10;
    private static final long NO_LEASE = Long.MAX_VALUE;

    private long now = 5_000;

    @ParameterizedTest(name = "a call every {0} ms: {1} pass of the first eight")
    @CsvSource({"30, 1 2 3 8", "40, 1 2 3 7 8"})
    @DisplayName("G2 threshold 3, cool-down 100")
    void vectors(long interval, String expected) {
        CircuitBreaker breaker = CircuitBreaker.of(BreakerSettings.builder()
                .consecutiveFailures(3)
                .openPeriod(Duration.ofMillis(100))
                .build());
        List<String> passed = new ArrayList<>();

        for (int call = 1; call <= 8; call++) {
            long start = call * interval * MS;
            int stamp = breaker.tryAdmit(start, NO_LEASE);
            if (stamp != CircuitBreaker.REFUSED) {
                passed.add(Integer.toString(call));
                Verdict verdict = call <= 3 ? Verdict.FAILURE : Verdict.SUCCESS;
                breaker.record(stamp, verdict, start + interval * MS, interval * MS);
            }
        }

        assertThat(passed).containsExactly(expected.split(" "));
    }

    @ParameterizedTest(name = "the period is over at {0}")
    @ValueSource(longs = {PERIOD, 1_000_000_007L, Long.MAX_VALUE - 2 * PERIOD, Long.MAX_VALUE - 1})
    @DisplayName("A6 T1 a cool-down is over at its end and not a nanosecond before, for every origin")
    void coolDownIsOverAtItsEnd(long over) {
        CircuitBreaker breaker = CircuitBreaker.of(afterFailures(1));
        breaker.record(breaker.tryAdmit(over - PERIOD, NO_LEASE), Verdict.FAILURE, over - PERIOD, FAST);

        assertThat(breaker.rejects(over - 1)).isTrue();
        assertThat(breaker.tryAdmit(over - 1, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.rejects(over)).isFalse();
        assertThat(breaker.rejects(over + 1)).isFalse();
        assertThat(breaker.figures(over).state()).isEqualTo(BreakerState.OPEN);
        assertThat(CircuitBreaker.isTrial(breaker.tryAdmit(over, NO_LEASE))).isTrue();
        assertThat(breaker.rejects(over)).isTrue();
    }

    @Test
    @DisplayName("T1 a period that would end beyond the clock never ends before it")
    void aPeriodBeyondTheClock() {
        CircuitBreaker breaker = CircuitBreaker.of(afterFailures(1));
        long late = Long.MAX_VALUE - PERIOD / 2;
        fail(breaker, late);

        assertThat(breaker.tryAdmit(Long.MAX_VALUE - 1, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.figures(late).untilNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("G2 failures in a row open, and any answer ends the row, a slow one too")
    void failuresInARow() {
        CircuitBreaker breaker = CircuitBreaker.of(afterFailures(3));

        fail(breaker, now);
        fail(breaker, now);
        succeed(breaker, FAST);
        fail(breaker, now);
        fail(breaker, now);
        succeed(breaker, SLOW);
        fail(breaker, now);
        fail(breaker, now);
        end(breaker, Verdict.NEUTRAL, FAST);
        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);

        fail(breaker, now);
        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
    }

    @Test
    @DisplayName("G2 a failure that is slow as well is one failure")
    void aSlowFailureIsAFailure() {
        CircuitBreaker breaker = CircuitBreaker.of(afterFailures(2));

        end(breaker, Verdict.FAILURE, SLOW);

        assertThat(breaker.figures(now))
                .extracting(BreakerFigures::failed, BreakerFigures::slow)
                .containsExactly(1L, 0L);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"count", "time"})
    @DisplayName("G2 a share of failures opens once there are calls enough, whichever result comes last")
    void aShareOfFailures(String window) {
        CircuitBreaker failureLast = CircuitBreaker.of(shares(window).build());
        for (int i = 0; i < 5; i++) {
            succeed(failureLast, FAST);
            assertThat(state(failureLast)).isEqualTo(BreakerState.CLOSED);
            fail(failureLast, now);
        }
        CircuitBreaker successLast = CircuitBreaker.of(shares(window).build());
        for (int i = 0; i < 5; i++) {
            fail(successLast, now);
            assertThat(state(successLast)).isEqualTo(BreakerState.CLOSED);
            succeed(successLast, FAST);
        }
        CircuitBreaker tooFew = CircuitBreaker.of(shares(window).build());
        succeed(tooFew, FAST);
        succeed(tooFew, FAST);
        for (int i = 0; i < 4; i++) {
            fail(tooFew, now);
            succeed(tooFew, FAST);
        }

        assertThat(state(failureLast)).isEqualTo(BreakerState.OPEN);
        assertThat(state(successLast)).isEqualTo(BreakerState.OPEN);
        assertThat(state(tooFew)).isEqualTo(BreakerState.CLOSED);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"count", "time"})
    @DisplayName("G2 slow answers count beside failures against the slow rate, and against no other")
    void aShareOfSlowAnswers(String window) {
        CircuitBreaker breaker = CircuitBreaker.of(shares(window).build());
        for (int i = 0; i < 4; i++) {
            succeed(breaker, FAST);
        }
        for (int i = 0; i < 3; i++) {
            end(breaker, Verdict.FAILURE, FAST);
        }
        for (int i = 0; i < 8; i++) {
            succeed(breaker, SLOW);
        }
        assertThat(breaker.figures(now))
                .as("11 of 15, of which 3 failed")
                .extracting(BreakerFigures::state, BreakerFigures::calls, BreakerFigures::failed, BreakerFigures::slow)
                .containsExactly(BreakerState.CLOSED, 15L, 3L, 8L);

        succeed(breaker, SLOW);

        assertThat(state(breaker)).as("12 of 16").isEqualTo(BreakerState.OPEN);
    }

    @Test
    @DisplayName("G2 a count window holds the calls that ended last")
    void aCountWindowHoldsTheLast() {
        CircuitBreaker breaker =
                CircuitBreaker.of(shares("count").countWindow(10).build());
        for (int i = 0; i < 4; i++) {
            fail(breaker, now);
        }
        for (int i = 0; i < 10; i++) {
            succeed(breaker, FAST);
        }
        for (int i = 0; i < 4; i++) {
            fail(breaker, now);
        }

        assertThat(breaker.figures(now))
                .extracting(BreakerFigures::calls, BreakerFigures::failed)
                .containsExactly(10L, 4L);
        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);
        fail(breaker, now);
        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
    }

    @ParameterizedTest(name = "bucket from {0}")
    @ValueSource(longs = {0, 10, 5_000, Long.MAX_VALUE / 10 * 10 - 100})
    @DisplayName(
            "A6 T1 a bucket is [start, end): what began with it is forgotten with it, not a nanosecond early or late")
    void bucketsAreHalfOpen(long start) {
        // A window of 100 in buckets of 10: results from [start, start + 10) leave at start + 100.
        CircuitBreaker breaker = CircuitBreaker.of(
                shares("time").timeWindow(Duration.ofNanos(100)).build());
        breaker.record(breaker.tryAdmit(start, NO_LEASE), Verdict.SUCCESS, start, FAST);
        breaker.record(breaker.tryAdmit(start, NO_LEASE), Verdict.SUCCESS, start + 9, FAST);
        breaker.record(breaker.tryAdmit(start, NO_LEASE), Verdict.FAILURE, start + 10, FAST);

        assertThat(breaker.figures(start + 99))
                .extracting(BreakerFigures::calls, BreakerFigures::failed)
                .containsExactly(3L, 1L);
        assertThat(breaker.figures(start + 100))
                .extracting(BreakerFigures::calls, BreakerFigures::failed)
                .containsExactly(1L, 1L);
    }

    @Test
    @DisplayName("G2 a share that rises because good results leave the window opens at the next result, a success too")
    void aShareThatRisesByItself() {
        CircuitBreaker breaker = CircuitBreaker.of(
                shares("time").timeWindow(Duration.ofNanos(100)).minimumCalls(4).build());
        now = 0;
        for (int i = 0; i < 9; i++) {
            succeed(breaker, FAST);
        }
        now = 10;
        for (int i = 0; i < 4; i++) {
            fail(breaker, now);
        }
        now = 99;
        succeed(breaker, FAST);
        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);

        now = 100;
        succeed(breaker, FAST);

        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
    }

    @Test
    @DisplayName("T1 a result of a thread that is late counts in the newest bucket and takes nothing back")
    void aLateThread() {
        CircuitBreaker breaker = CircuitBreaker.of(
                shares("time").timeWindow(Duration.ofNanos(100)).build());
        breaker.record(breaker.tryAdmit(1_000, NO_LEASE), Verdict.FAILURE, 1_000, FAST);
        breaker.record(breaker.tryAdmit(1_000, NO_LEASE), Verdict.FAILURE, 995, FAST);

        assertThat(breaker.figures(995).failed()).isEqualTo(2);
        assertThat(breaker.figures(1_099).failed()).isEqualTo(2);
        assertThat(breaker.figures(1_100).failed()).isZero();
    }

    @Test
    @DisplayName("G2 rules that are switched off open nothing")
    void rulesSwitchedOff() {
        CircuitBreaker breaker = CircuitBreaker.of(BreakerSettings.builder()
                .consecutiveFailures(0)
                .failureRatePercent(0)
                .slowRatePercent(0)
                .slowCall(Duration.ofNanos(SLOW))
                .minimumCalls(1)
                .build());

        for (int i = 0; i < 100; i++) {
            fail(breaker, now);
            succeed(breaker, SLOW);
        }

        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.figures(now).slow()).isZero();
    }

    @Test
    @DisplayName("G2 N trials run at most, N successes close")
    void nTrials() {
        CircuitBreaker breaker = opened(trials(3));
        int first = breaker.tryAdmit(now, NO_LEASE);
        int second = breaker.tryAdmit(now, NO_LEASE);
        int third = breaker.tryAdmit(now, NO_LEASE);
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates().allMatch(CircuitBreaker::isTrial);
        assertThat(breaker.tryAdmit(now, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);

        breaker.record(second, Verdict.SUCCESS, now, FAST);
        // A place that is won is not given out again: three trials are all that the endpoint sees.
        assertThat(breaker.rejects(now)).isTrue();
        assertThat(breaker.tryAdmit(now, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.figures(now))
                .extracting(BreakerFigures::trialsRunning, BreakerFigures::trialsSucceeded)
                .containsExactly(2, 1);
        breaker.record(first, Verdict.SUCCESS, now, FAST);
        assertThat(state(breaker)).isEqualTo(BreakerState.HALF_OPEN);
        breaker.record(third, Verdict.SUCCESS, now, FAST);

        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("G2 one failed trial reopens for a whole period, and the others count no more")
    void oneFailureReopens() {
        CircuitBreaker breaker = opened(trials(2));
        int first = breaker.tryAdmit(now, NO_LEASE);
        int second = breaker.tryAdmit(now, NO_LEASE);

        breaker.record(first, Verdict.FAILURE, now + 7, FAST);
        breaker.record(second, Verdict.SUCCESS, now + 8, FAST);

        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.rejects(now + 7 + PERIOD - 1)).isTrue();
        assertThat(breaker.rejects(now + 7 + PERIOD)).isFalse();
        assertThat(breaker.figures(now).stale()).isEqualTo(1);
    }

    @Test
    @DisplayName("G2 a slow trial is a failed one")
    void aSlowTrialFails() {
        CircuitBreaker breaker = opened(trials(1));

        breaker.record(breaker.tryAdmit(now, NO_LEASE), Verdict.SUCCESS, now, SLOW);

        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
    }

    @Test
    @DisplayName("G2 a trial of which nothing is known gives its place back")
    void aNeutralTrialGivesItsPlaceBack() {
        CircuitBreaker breaker = opened(trials(1));
        int cancelled = breaker.tryAdmit(now, NO_LEASE);
        assertThat(breaker.rejects(now)).isTrue();

        breaker.record(cancelled, Verdict.NEUTRAL, now, FAST);

        assertThat(state(breaker)).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.rejects(now)).isFalse();
        int next = breaker.tryAdmit(now, NO_LEASE);
        assertThat(next).isNotEqualTo(CircuitBreaker.REFUSED).isNotEqualTo(cancelled);
        breaker.record(next, Verdict.SUCCESS, now, FAST);
        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("G2 A6 a trial is a lease: at its end, and not before, its place is free")
    void aTrialIsALease() {
        CircuitBreaker breaker = opened(trials(1));
        long end = now + 50;
        int hung = breaker.tryAdmit(now, end);
        assertThat(breaker.rejects(end - 1)).isTrue();
        assertThat(breaker.tryAdmit(end - 1, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.rejects(end)).isFalse();
        assertThat(breaker.rejects(end + 1)).isFalse();
        int next = breaker.tryAdmit(end, NO_LEASE);

        breaker.record(hung, Verdict.FAILURE, end, FAST);

        assertThat(state(breaker)).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.rejects(end)).isTrue();
        assertThat(breaker.figures(end).stale()).isEqualTo(1);
        breaker.record(next, Verdict.SUCCESS, end, FAST);
        assertThat(state(breaker)).isEqualTo(BreakerState.CLOSED);
    }

    @ParameterizedTest(name = "{0} ns before the end of the lease")
    @ValueSource(longs = {1, 0, -1})
    @DisplayName("G2 A6 a trial's result at the end of its lease is stale, though nobody has its place")
    void aResultAfterItsLeaseIsStale(long before) {
        CircuitBreaker breaker = opened(trials(1));
        long end = now + 50;
        int trial = breaker.tryAdmit(now, end);

        breaker.record(trial, Verdict.FAILURE, end - before, FAST);

        assertThat(state(breaker)).isEqualTo(before > 0 ? BreakerState.OPEN : BreakerState.HALF_OPEN);
        assertThat(breaker.figures(now).stale()).isEqualTo(before > 0 ? 0 : 1);
    }

    @Test
    @DisplayName("G2 a result counts for the generation that admitted its attempt alone")
    void resultsOfOtherGenerations() {
        CircuitBreaker breaker = CircuitBreaker.of(trials(1));
        int ofTheFirst = breaker.tryAdmit(now, NO_LEASE);
        int alsoOfTheFirst = breaker.tryAdmit(now, NO_LEASE);
        fail(breaker, now);
        breaker.record(ofTheFirst, Verdict.SUCCESS, now, FAST);
        assertThat(state(breaker)).as("open").isEqualTo(BreakerState.OPEN);
        now += PERIOD;
        int trial = breaker.tryAdmit(now, NO_LEASE);
        breaker.record(alsoOfTheFirst, Verdict.SUCCESS, now, FAST);
        assertThat(state(breaker)).as("half-open").isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.rejects(now)).isTrue();
        breaker.record(trial, Verdict.SUCCESS, now, FAST);
        now += PERIOD;
        int ofTheNext = breaker.tryAdmit(now, NO_LEASE);
        breaker.forceOpen(now);
        breaker.close(now);

        breaker.record(ofTheNext, Verdict.FAILURE, now, FAST);

        assertThat(state(breaker)).as("closed again").isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.figures(now))
                .extracting(BreakerFigures::stale, BreakerFigures::calls)
                .containsExactly(3L, 0L);
    }

    @Test
    @DisplayName("G4 after an open period a tenth passes at first and everything one period later, the first at once")
    void theRamp() {
        CircuitBreaker breaker = recovered();
        List<Integer> passedAtTheStart = passed(breaker, now, 31);
        CircuitBreaker another = recovered();
        List<Integer> passedHalfWay = passed(another, now + PERIOD / 2, 20);

        assertThat(passedAtTheStart).containsExactly(1, 11, 21, 31);
        assertThat(passedHalfWay).hasSize(11).startsWith(1, 2, 4);
        assertThat(another.figures(now + PERIOD / 2))
                .extracting(BreakerFigures::admissionPercent, BreakerFigures::untilNanos, BreakerFigures::rejected)
                .containsExactly(55, now + PERIOD, 9L);
        assertThat(another.rejects(now + PERIOD / 2)).isFalse();
    }

    @Test
    @DisplayName("G4 A6 a ramp is over at its end: at −1 one is refused, at 0 none")
    void theEndOfTheRamp() {
        CircuitBreaker breaker = recovered();
        long end = now + PERIOD;

        // 99.1 % each, and 90 % of credit at the start: the 101st is the one too many.
        assertThat(passed(breaker, end - 1, 150)).hasSize(149).doesNotContain(101);
        assertThat(passed(breaker, end, 150)).hasSize(150);
        assertThat(passed(breaker, end + 1, 150)).hasSize(150);
        assertThat(breaker.figures(end - 1).admissionPercent()).isEqualTo(99);
        assertThat(breaker.figures(end).admissionPercent()).isEqualTo(100);
    }

    @ParameterizedTest(name = "open for {0}")
    @ValueSource(strings = {"PT0.000000001S", "PT0.000000007S", "PT5S", "PT20M", "PT8760H", "PT1000000H"})
    @DisplayName("G4 T1 a ramp is even for periods of every length, up to the end of the clock")
    void rampsOfEveryLength(String length) {
        Duration period = Duration.parse(length);
        CircuitBreaker breaker = CircuitBreaker.of(BreakerSettings.builder()
                .consecutiveFailures(1)
                .openPeriod(period)
                .build());
        long nanos = period.toNanos();
        fail(breaker, 0);
        breaker.record(breaker.tryAdmit(nanos, NO_LEASE), Verdict.SUCCESS, nanos, FAST);
        for (int tenths = 0; tenths <= 10; tenths++) {
            int expected = nanos < 10 ? 10 : 10 + 9 * tenths;
            assertThat(breaker.figures(nanos + nanos / 10 * tenths).admissionPercent())
                    .as("at %s tenths", tenths)
                    .isBetween(expected - 1, expected);
        }
        assertThat(breaker.figures(2 * nanos).admissionPercent()).isEqualTo(100);
    }

    @Test
    @DisplayName("G4 a rule that is broken during the ramp opens as ever")
    void opensDuringTheRamp() {
        CircuitBreaker breaker = recovered();

        fail(breaker, now);

        assertThat(state(breaker)).isEqualTo(BreakerState.OPEN);
    }

    @Test
    @DisplayName("G2 forced open stays open until it is closed by hand, and is closed without a ramp")
    void byHand() {
        CircuitBreaker breaker = CircuitBreaker.of(afterFailures(1));
        int before = breaker.tryAdmit(now, NO_LEASE);
        breaker.forceOpen(now);
        breaker.forceOpen(now + 1);

        assertThat(breaker.tryAdmit(NO_LEASE, NO_LEASE)).isEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.rejects(NO_LEASE)).isTrue();
        breaker.record(before, Verdict.FAILURE, now, FAST);
        assertThat(breaker.figures(now))
                .extracting(BreakerFigures::state, BreakerFigures::generation, BreakerFigures::sinceNanos)
                .containsExactly(BreakerState.FORCED_OPEN, 1L, now);

        breaker.close(now);
        assertThat(passed(breaker, now, 20)).hasSize(20);
        long generation = breaker.figures(now).generation();
        breaker.close(now);
        assertThat(breaker.figures(now).generation()).isEqualTo(generation);
    }

    @Test
    @DisplayName("G2 closing by hand ends an open period, a half-open state and a ramp; what was counted is forgotten")
    void closingByHand() {
        CircuitBreaker open = CircuitBreaker.of(afterFailures(2));
        fail(open, now);
        fail(open, now);
        open.close(now);
        assertThat(passed(open, now, 20)).hasSize(20);
        fail(open, now);
        assertThat(state(open)).isEqualTo(BreakerState.CLOSED);

        CircuitBreaker halfOpen = opened(trials(1));
        int trial = halfOpen.tryAdmit(now, NO_LEASE);
        halfOpen.close(now);
        halfOpen.record(trial, Verdict.FAILURE, now, FAST);
        assertThat(passed(halfOpen, now, 20)).hasSize(20);

        CircuitBreaker ramping = recovered();
        ramping.close(now);
        assertThat(passed(ramping, now, 20)).hasSize(20);
    }

    @Test
    @DisplayName("G2 asking whether it rejects takes nothing and counts nothing")
    void rejectsTakesNothing() {
        CircuitBreaker breaker = opened(trials(1));
        BreakerFigures before = breaker.figures(now);

        for (int i = 0; i < 10; i++) {
            assertThat(breaker.rejects(now - 1)).isTrue();
            assertThat(breaker.rejects(now)).isFalse();
        }

        assertThat(breaker.figures(now)).isEqualTo(before);
        breaker.countRejection();
        assertThat(breaker.figures(now).rejected()).isEqualTo(before.rejected() + 1);
    }

    @Test
    @DisplayName("G2 state, transitions and rejections can be seen")
    void figures() {
        CircuitBreaker breaker = opened(trials(1));
        assertThat(breaker.figures(now))
                .isEqualTo(new BreakerFigures(BreakerState.OPEN, 1, now - PERIOD, now, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
        assertThat(breaker).hasToString("CircuitBreaker[OPEN, generation 1]");
        breaker.tryAdmit(now, NO_LEASE);
        breaker.tryAdmit(now, NO_LEASE);

        assertThat(breaker.figures(now))
                .isEqualTo(new BreakerFigures(BreakerState.HALF_OPEN, 2, now, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0));
    }

    @Test
    @DisplayName("P2 there is no breaker for settings of none")
    void noBreakerForNone() {
        assertThatThrownBy(() -> CircuitBreaker.of(BreakerSettings.none()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no breaker");
    }

    private static BreakerSettings afterFailures(int inARow) {
        return BreakerSettings.builder()
                .consecutiveFailures(inARow)
                .slowCall(Duration.ofNanos(SLOW))
                .openPeriod(Duration.ofNanos(PERIOD))
                .build();
    }

    private static BreakerSettings trials(int trials) {
        return BreakerSettings.builder()
                .consecutiveFailures(1)
                .slowCall(Duration.ofNanos(SLOW))
                .openPeriod(Duration.ofNanos(PERIOD))
                .trials(trials)
                .build();
    }

    /** Half of at least 10 failed, or three quarters failed or slow. */
    private static BreakerSettings.Builder shares(String window) {
        BreakerSettings.Builder builder = BreakerSettings.builder()
                .consecutiveFailures(0)
                .failureRatePercent(50)
                .minimumCalls(10)
                .slowCall(Duration.ofNanos(SLOW))
                .slowRatePercent(75);
        return window.equals("count") ? builder.countWindow(40) : builder;
    }

    /** Open, and its period is over now. */
    private CircuitBreaker opened(BreakerSettings settings) {
        CircuitBreaker breaker = CircuitBreaker.of(settings);
        fail(breaker, now - PERIOD);
        return breaker;
    }

    /** Closed now, after an open period. */
    private CircuitBreaker recovered() {
        CircuitBreaker breaker = opened(trials(1));
        succeed(breaker, FAST);
        return breaker;
    }

    private static void fail(CircuitBreaker breaker, long at) {
        breaker.record(breaker.tryAdmit(at, NO_LEASE), Verdict.FAILURE, at, FAST);
    }

    private void succeed(CircuitBreaker breaker, long duration) {
        end(breaker, Verdict.SUCCESS, duration);
    }

    private void end(CircuitBreaker breaker, Verdict verdict, long duration) {
        breaker.record(breaker.tryAdmit(now, NO_LEASE), verdict, now, duration);
    }

    private BreakerState state(CircuitBreaker breaker) {
        return breaker.figures(now).state();
    }

    /** Which of so many attempts at one instant pass, counted from 1. */
    private static List<Integer> passed(CircuitBreaker breaker, long at, int attempts) {
        List<Integer> passed = new ArrayList<>();
        for (int attempt = 1; attempt <= attempts; attempt++) {
            if (breaker.tryAdmit(at, NO_LEASE) != CircuitBreaker.REFUSED) {
                passed.add(attempt);
            }
        }
        return passed;
    }
}
