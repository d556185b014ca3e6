package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R4–R6, B1–B3: when something is tried again, and when there is no time for it. */
class RetryTimeTest {

    /** The seed's example: deadline 500, attempt 50, pauses 20 × 2^n. */
    private static World seedsExample(long origin) {
        return new World(origin)
                .policy(
                        ms(500),
                        p -> p.attemptTimeout(ms(50))
                                .maxRetries(Policy.MAX_RETRIES)
                                .initialBackoff(ms(20))
                                .maxBackoff(ms(10_000)));
    }

    @ParameterizedTest(name = "R3 R6 origin {0}")
    @DisplayName("R3 R6 reset at 0, a hang cut at 50, then success: three attempts, delays 20 and 40, end at 110")
    @MethodSource("dev.escapement.call.World#origins")
    void aResetAndAHangThenSuccess(long origin) {
        World world = seedsExample(origin);
        world.transport.on(1).fail(Kind.RESET);
        world.transport.on(2).hangAfterWrite();
        world.transport.on(3).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().attempts()).isEqualTo(3);
        assertThat(world.report().retryDelays()).isEqualTo(allMs(20, 40));
        assertThat(world.endedAt()).isEqualTo(ms(110));
        world.assertClean();
    }

    @ParameterizedTest(name = "R6 origin {0}")
    @DisplayName("R6 always failing at once: attempts at 0, 20, 60, 140, 300, then stop with the last error kept")
    @MethodSource("dev.escapement.call.World#origins")
    void alwaysFailingStopsWhereNoAttemptFits(long origin) {
        World world = seedsExample(origin);
        world.transport.otherwise().fail(Kind.RESET);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 20, 60, 140, 300));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(300));
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.TRANSPORT_FAILED);
        assertThat(world.report().retryDelays()).isEqualTo(allMs(20, 40, 80, 160));
        world.assertClean();
    }

    @ParameterizedTest(name = "R6 origin {0}, {1} ns from the last instant that fits")
    @DisplayName(
            "R6 WHOLE, deadline 1,000, attempt 100, delay 10: a failure before 890 is retried, one at 890 ends the call there")
    @MethodSource("dev.escapement.call.World#edges")
    void aWholeAttemptFitsStrictlyBeforeTheDeadline(long origin, long edge) {
        World world = new World(origin)
                .policy(p -> p.attemptTimeout(ms(100)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).fail(Kind.RESET);
        world.transport.on(2).hangAfterWrite();
        world.call(GET);

        Duration failsAt = ms(890).plusNanos(edge);
        world.runTo(failsAt);
        world.givePermit();
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 2 : 1);
        assertThat(world.endedAt()).isEqualTo(edge < 0 ? failsAt.plus(ms(110)) : failsAt);
        assertThat(world.kind()).isEqualTo(edge < 0 ? Outcome.Kind.ATTEMPT_TIMEOUT : Outcome.Kind.OVERALL_DEADLINE);
        world.assertClean();
    }

    @Test
    @DisplayName("R6 WHOLE, deadline 1,000, attempt 100, delay 10: a failure at 889 is retried at 899")
    void aFailureAt889IsRetriedAt899() {
        World world = new World().permits(1, 1).holdPermits();
        world.transport.otherwise().fail(Kind.RESET);
        world.call(GET);

        world.runTo(ms(889));
        world.givePermit();
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(889, 899));
        world.assertClean();
    }

    @ParameterizedTest(name = "R6 origin {0}, {1} ns from the last instant that fits")
    @DisplayName("R6 CLIPPED, at least the minimum attempt after the reserve: equality fits")
    @MethodSource("dev.escapement.call.World#edges")
    void aClippedAttemptFitsAtEquality(long origin, long edge) {
        World world = new World(origin)
                .policy(p -> p.attemptFit(AttemptFit.CLIPPED)
                        .minimumAttempt(ms(7))
                        .cleanupReserve(ms(30))
                        .initialBackoff(ms(1_000 - 30 - 7).plusNanos(edge)));
        world.transport.on(1).fail(Kind.RESET);
        world.transport.on(2).hangAfterWrite();

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(edge <= 0 ? 2 : 1);
        if (edge > 0) {
            assertThat(world.endedAt()).isEqualTo(ms(0));
        }
        world.assertClean();
    }

    // ---- R4, R5: the server's wish

    @ParameterizedTest(name = "R4 origin {0}")
    @DisplayName("R4 429 with 2, own backoff 100: retried at exactly 2,000")
    @MethodSource("dev.escapement.call.World#origins")
    void aHintReplacesTheBackoff(long origin) {
        World world = new World(origin).policy(ms(10_000), p -> p.initialBackoff(ms(100)));
        world.transport.on(1).answer(429, "Retry-After", "2");
        world.transport.on(2).answer(200);

        world.call(GET);
        world.runTo(ms(2_000).minusNanos(1));
        assertThat(world.transport.sends()).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 2_000));
        assertThat(world.report().retryDelays()).isEqualTo(allMs(2_000));
        world.assertClean();
    }

    @Test
    @DisplayName("R4 a hint of 0 is a retry at once")
    void aHintOfZeroIsARetryAtOnce() {
        World world = new World().policy(p -> p.maxRetries(Policy.MAX_RETRIES));
        world.transport.otherwise().answer(503, "Retry-After", "0");

        world.call(GET);

        assertThat(world.transport.sends()).isEqualTo(Policy.MAX_RETRIES + 1);
        assertThat(world.endedAt()).isEqualTo(ms(0));
        assertThat(world.transport.bodies().held()).hasSize(1);
        world.assertClean();
    }

    @ParameterizedTest(name = "R4 hint {0}")
    @DisplayName("R4 a hint that is not delta-seconds is ignored, and the computed backoff stands")
    @ValueSource(strings = {"+1", "-1", "1.5", "Wed, 21 Oct 2015 07:28:00 GMT", "18446744073709551616"})
    void anIllegalHintIsIgnored(String hint) {
        World world = new World();
        world.transport.on(1).answer(503, "Retry-After", hint);
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 10));
        world.assertClean();
    }

    @ParameterizedTest(name = "R5 hint {0} s")
    @DisplayName("R5 a hint of 10 s with a deadline of 1 s: no sleep, no send, overall deadline at once")
    @ValueSource(strings = {"10", "18446744073709551615"})
    void aHintBeyondTheDeadlineEndsTheCall(String hint) {
        World world = new World().policy(p -> p.serverDelayCap(ms(5)));
        world.transport.on(1).answer(429, "Retry-After", hint);

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(0));
        assertThat(world.report().suppressed()).contains(Suppressed.CANNOT_FIT);
        assertThat(world.time.armedTimers()).isZero();
        world.assertClean();
    }

    @ParameterizedTest(name = "R5 cap {0} ns from the hint")
    @DisplayName("R5 a hint up to the cap is obeyed; above it the response stands")
    @ValueSource(longs = {-1, 0, 1})
    void aHintOverTheCapLeavesTheResponse(long edge) {
        World world =
                new World().policy(ms(10_000), p -> p.serverDelayCap(ms(2_000).plusNanos(edge)));
        world.transport.otherwise().answer(503, "Retry-After", "2");

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 1 : 2);
        assertThat(world.report().suppressed())
                .contains(edge < 0 ? Suppressed.HINT_OVER_CAP : Suppressed.ATTEMPTS_USED);
        world.assertClean();
    }

    // ---- B: the computed backoff

    private static World failing(Jitter jitter, JitterSource source) {
        World world = new World()
                .policy(
                        ms(60_000),
                        p -> p.maxRetries(8)
                                .initialBackoff(ms(100))
                                .maxBackoff(ms(2_000))
                                .jitter(jitter));
        world.jitter = source;
        world.transport.otherwise().fail(Kind.RESET);
        return world;
    }

    @Test
    @DisplayName("B1 100 doubling to a cap of 2,000: 100 200 400 800 1600 2000 2000 2000")
    void theBackoffDoublesUpToItsCap() {
        World world = failing(Jitter.NONE, JitterSource.seeded(1));

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().retryDelays()).isEqualTo(allMs(100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000));
        world.assertClean();
    }

    @Test
    @DisplayName("B2 an injected xorshift64 with seed 42 reproduces its delays: 94 133 72 166 973 1293 1498 291")
    void anInjectedSourceIsReproduced() {
        long[] state = {42};
        World world = failing(Jitter.FULL, (call, attempt, bound) -> {
            long x = state[0];
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            state[0] = x;
            return ms(Long.remainderUnsigned(x, bound / 1_000_000 + 1)).toNanos();
        });

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().retryDelays()).isEqualTo(allMs(94, 133, 72, 166, 973, 1_293, 1_498, 291));
        world.assertClean();
    }

    private static List<Duration> firstDelays(long seed, Jitter jitter, int calls) {
        World world = failing(jitter, JitterSource.seeded(seed));
        world.permits(calls, 1);
        IntStream.range(0, calls).forEach(i -> world.call(GET));
        world.time.runUntilIdle();
        world.assertClean();
        return world.reports.stream().map(report -> report.retryDelays().get(0)).toList();
    }

    @Test
    @DisplayName("B2 draws differ from call to call, and one seed gives the same ones again")
    void drawsDifferPerCallAndFollowTheSeed() {
        List<Duration> delays = firstDelays(42, Jitter.FULL, 10);

        assertThat(delays).doesNotHaveDuplicates();
        assertThat(firstDelays(42, Jitter.FULL, 10)).isEqualTo(delays);
        assertThat(firstDelays(43, Jitter.FULL, 10)).isNotEqualTo(delays);
    }

    @Test
    @DisplayName(
            "B2 a thousand calls that fail together return together without jitter, and spread over the ceiling with it")
    void jitterSpreadsThoseWhoFailTogether() {
        assertThat(firstDelays(7, Jitter.NONE, 1_000)).containsOnly(ms(100));

        int[] histogram = new int[10];
        firstDelays(7, Jitter.FULL, 1_000).forEach(delay -> histogram[(int) (delay.toNanos() / 10_000_000)]++);
        assertThat(histogram).doesNotContain(0);
        assertThat(IntStream.of(histogram).max().getAsInt()).isLessThan(150);
        assertThat(IntStream.of(histogram).min().getAsInt()).isGreaterThan(60);
    }
}
