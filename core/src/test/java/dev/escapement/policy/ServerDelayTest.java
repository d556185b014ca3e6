package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R4, R5: what a server asks for, as seconds, as a date, spread upwards, or not at all. */
class ServerDelayTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private static Policy patient(UnaryOperator<PolicyBuilder> with) {
        return with.apply(Policy.builder(Duration.ofMinutes(2))
                        .attemptTimeout(Duration.ofMillis(100))
                        .minimumAttempt(Duration.ofMillis(10))
                        .cleanupReserve(Duration.ofMillis(40))
                        .initialBackoff(Duration.ofMillis(25))
                        .jitter(Jitter.NONE))
                .build();
    }

    private static RetryDecision asked(Policy policy, String retryAfter) {
        return new Scene(policy).answered(503, retryAfter).wallNow(NOON).decide();
    }

    // ---- Dates

    @ParameterizedTest(name = "R4 {0} at noon")
    @DisplayName("R4 a date is a delay from the wall clock's now, exactly; the past is no delay")
    @CsvSource(
            delimiter = '|',
            value = {
                "Mon, 30 Nov 2026 12:00:05 GMT  | 5000",
                "Monday, 30-Nov-26 12:00:05 GMT | 5000",
                "Mon Nov 30 12:00:05 2026       | 5000",
                "Mon, 30 Nov 2026 12:00:00 GMT  | 0",
                "Mon, 30 Nov 2026 11:59:59 GMT  | 0",
                "Sun, 06 Nov 1994 08:49:37 GMT  | 0"
            })
    void datesAreRead(String date, long millis) {
        assertThat(asked(patient(p -> p.serverDelayJitterPercent(0)), date))
                .isEqualTo(new RetryDecision.Retry(millis * MILLI));
    }

    @Test
    @DisplayName("R4 the wall clock's fraction of a second counts")
    void fractionsOfTheWallClock() {
        Scene scene = new Scene(patient(p -> p.serverDelayJitterPercent(0)))
                .answered(503, "Mon, 30 Nov 2026 12:00:05 GMT")
                .wallNow(NOON.plusMillis(1));

        assertThat(scene.decide()).isEqualTo(new RetryDecision.Retry(4_999 * MILLI));
    }

    @Test
    @DisplayName("R4 a policy that ignores dates computes its own backoff")
    void datesAreIgnoredWhereThePolicySaysSo() {
        Policy policy = patient(p -> p.retryAfterDates(RetryAfterDates.IGNORED));

        assertThat(asked(policy, "Mon, 30 Nov 2026 12:00:05 GMT")).isEqualTo(new RetryDecision.Retry(25 * MILLI));
    }

    @Test
    @DisplayName("R5 a date is judged as seconds are: beyond the deadline it cannot fit, over the cap it stops")
    void datesAreJudgedLikeSeconds() {
        Policy policy = patient(p -> p.serverDelayJitterPercent(0));

        assertThat(asked(policy, "Mon, 30 Nov 2026 12:00:30 GMT")).isEqualTo(new RetryDecision.Retry(30 * SECOND));
        assertThat(asked(policy, "Mon, 30 Nov 2026 12:00:31 GMT")).isEqualTo(RetryDecision.Stop.HINT_OVER_CAP);
        assertThat(asked(policy, "Mon, 30 Nov 2026 12:02:00 GMT")).isEqualTo(RetryDecision.Stop.CANNOT_FIT);
        assertThat(asked(policy, "Fri, 31 Dec 9999 23:59:59 GMT")).isEqualTo(RetryDecision.Stop.CANNOT_FIT);
    }

    // ---- Spread

    @ParameterizedTest(name = "R4 10 s and {0} % of it")
    @DisplayName("R4 what a server asks for is spread upwards, never downwards")
    @ValueSource(ints = {1, 10, 100})
    void spreadUpwards(int percent) {
        List<Long> bounds = new ArrayList<>();
        Scene scene = new Scene(patient(p -> p.serverDelayJitterPercent(percent))).answered(503, "10");

        assertThat(scene.drawing((call, attempt, bound) -> 0).decide()).isEqualTo(new RetryDecision.Retry(10 * SECOND));
        assertThat(scene.drawing((call, attempt, bound) -> {
                            bounds.add(bound);
                            return bound;
                        })
                        .decide())
                .isEqualTo(new RetryDecision.Retry(10 * SECOND + percent * SECOND / 10));
        assertThat(bounds).containsExactly(percent * SECOND / 10);
    }

    @Test
    @DisplayName("B2 a source that draws outside its bounds cannot shorten or lengthen the delay")
    void drawsAreBounded() {
        Scene scene = new Scene(patient(p -> p.serverDelayJitterPercent(10))).answered(503, "10");

        assertThat(scene.drawing((call, attempt, bound) -> -1).decide())
                .isEqualTo(new RetryDecision.Retry(10 * SECOND));
        assertThat(scene.drawing((call, attempt, bound) -> Long.MAX_VALUE).decide())
                .isEqualTo(new RetryDecision.Retry(11 * SECOND));
    }

    @ParameterizedTest(name = "R6 R4 CLIPPED, {0} ns beside what the attempt needs: spread by at most that")
    @DisplayName("R6 R4 the spread takes no more than leaves room for the attempt")
    @ValueSource(longs = {0, 1, 7})
    void spreadLeavesRoomForAClippedAttempt(long roomNanos) {
        Policy policy = patient(p -> p.serverDelayJitterPercent(10));
        Scene scene = new Scene(policy).answered(503, "10").at(SECOND).deadline(11 * SECOND + 50 * MILLI + roomNanos);

        assertThat(scene.decide()).isEqualTo(new RetryDecision.Retry(10 * SECOND + roomNanos));
    }

    @ParameterizedTest(name = "R6 R4 WHOLE, {0} ns beside what the attempt needs: spread by at most that")
    @DisplayName("R6 R4 and for a whole one, strictly before the deadline")
    @ValueSource(longs = {0, 1, 7})
    void spreadLeavesRoomForAWholeAttempt(long roomNanos) {
        Policy policy = patient(p -> p.serverDelayJitterPercent(10).attemptFit(AttemptFit.WHOLE));
        Scene scene = new Scene(policy).answered(503, "10").deadline(10 * SECOND + 100 * MILLI + 1 + roomNanos);

        assertThat(scene.decide()).isEqualTo(new RetryDecision.Retry(10 * SECOND + roomNanos));
        assertThat(scene.deadline(10 * SECOND + 100 * MILLI).decide()).isEqualTo(RetryDecision.Stop.CANNOT_FIT);
    }

    @Test
    @DisplayName("R4 0 is 0, whatever the spread")
    void zeroIsZero() {
        assertThat(asked(patient(p -> p.serverDelayJitterPercent(100)), "0")).isEqualTo(new RetryDecision.Retry(0));
    }

    // ---- Forbidding

    @Test
    @DisplayName("R5 the header that the policy names forbids a retry by its presence, whatever its case and value")
    void theServerForbids() {
        Policy policy = patient(p -> p.retryForbiddingHeader("X-No-Retry"));
        Response forbidding = Response.of(503, Headers.of("x-no-RETRY", ""), Body.empty());

        assertThat(new Scene(policy).answered(forbidding).decide()).isEqualTo(RetryDecision.Stop.SERVER_FORBIDS);
        assertThat(new Scene(policy).answered(503).decide().kind()).isEqualTo(RetryDecision.Kind.RETRY);
        assertThat(new Scene(patient(p -> p)).answered(forbidding).decide().kind())
                .isEqualTo(RetryDecision.Kind.RETRY);
    }
}
