package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.report.Effect;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether, when, and if not why: the rule of retries, value by value and edge by edge. */
class RetryRuleTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    @ParameterizedTest(name = "R1 {0} after a 503: {1}, with a key {2}")
    @CsvSource({
        "GET,     RETRY,                RETRY",
        "HEAD,    RETRY,                RETRY",
        "OPTIONS, RETRY,                RETRY",
        "TRACE,   RETRY,                RETRY",
        "PUT,     RETRY,                RETRY",
        "DELETE,  RETRY,                RETRY",
        "POST,    METHOD_NOT_RETRYABLE, RETRY",
        "PATCH,   METHOD_NOT_RETRYABLE, RETRY",
        "PURGE,   METHOD_NOT_RETRYABLE, RETRY"
    })
    void methodsSafeToRepeat(String method, String plain, String keyed) {
        Scene scene = new Scene(gateway()).method(Method.of(method)).answered(503);

        assertThat(word(scene.decide())).isEqualTo(plain);
        assertThat(word(scene.keyed().decide())).isEqualTo(keyed);
    }

    @ParameterizedTest(name = "R1 the checker after a 503 to {0}: {1}")
    @CsvSource({
        "GET,     RETRY",
        "PUT,     RETRY",
        "DELETE,  RETRY",
        "HEAD,    METHOD_NOT_RETRYABLE",
        "OPTIONS, METHOD_NOT_RETRYABLE",
        "TRACE,   METHOD_NOT_RETRYABLE",
        "POST,    METHOD_NOT_RETRYABLE",
        "PATCH,   METHOD_NOT_RETRYABLE"
    })
    void methodsOfTheChecker(String method, String expected) {
        assertThat(word(new Scene(checker())
                        .method(Method.of(method))
                        .answered(503)
                        .decide()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("E2 an error is a rejection below 500 alone, retried or not")
    void whatIsARejection() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .retryableStatuses(Set.of(503))
                .build();

        assertThat(RetryRule.effect(policy, Method.POST, Response.of(499), Progress.COMPLETE))
                .isEqualTo(Effect.ABSENT);
        assertThat(RetryRule.effect(policy, Method.POST, Response.of(500), Progress.COMPLETE))
                .isEqualTo(Effect.POSSIBLE);
    }

    @Test
    @DisplayName("G2 the breakers are asked about the instant at which the retry would start")
    void theBreakersAreAskedAboutTheStart() {
        Scene scene = new Scene(patient()).answered(503).at(7 * MILLI);

        assertThat(scene.decide()).isEqualTo(new RetryDecision.Retry(100 * MILLI));
        assertThat(scene.askedNanos()).isEqualTo(107 * MILLI);
    }

    @ParameterizedTest(name = "R2 status {0} is retried")
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void retryableStatuses(int status) {
        assertThat(word(new Scene(gateway()).answered(status).decide())).isEqualTo("RETRY");
        assertThat(word(new Scene(checker()).answered(status).decide())).isEqualTo("RETRY");
    }

    @ParameterizedTest(name = "R2 status {0} is not retried")
    @ValueSource(ints = {400, 401, 403, 404, 407, 409, 428, 430, 499, 501, 505, 599, 600, 999})
    void otherFailureStatuses(int status) {
        assertThat(word(new Scene(gateway()).answered(status).decide())).isEqualTo("NOT_RETRYABLE");
        assertThat(word(new Scene(checker()).answered(status).decide())).isEqualTo("NOT_RETRYABLE");
    }

    @ParameterizedTest(name = "R2 status {0} is an answer")
    @ValueSource(ints = {200, 204, 299, 301, 304, 399})
    void successesAndRedirects(int status) {
        assertThat(word(new Scene(gateway()).answered(status).decide())).isEqualTo("ACCEPT");
    }

    @Test
    @DisplayName("R2 a policy may retry a success status, and leave a failure status alone")
    void statusesBelongToThePolicy() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .retryableStatuses(Set.of(202))
                .build();

        assertThat(word(new Scene(policy).answered(202).decide())).isEqualTo("RETRY");
        assertThat(word(new Scene(policy).answered(503).decide())).isEqualTo("NOT_RETRYABLE");
    }

    @Test
    @DisplayName("R2 one retry is at most two attempts")
    void retriesCountAttemptsAfterTheFirst() {
        Policy policy = gateway();

        assertThat(word(new Scene(policy).answered(503).attempts(1).decide())).isEqualTo("RETRY");
        assertThat(word(new Scene(policy).answered(503).attempts(2).decide())).isEqualTo("ATTEMPTS_USED");
        assertThat(word(new Scene(Policy.builder(Duration.ofSeconds(2))
                                .maxRetries(0)
                                .build())
                        .answered(503)
                        .attempts(1)
                        .decide()))
                .isEqualTo("ATTEMPTS_USED");
    }

    @ParameterizedTest(name = "R2 the checker retries {0} only where no connection was had")
    @EnumSource(TransportFailure.Kind.class)
    void checkerRetriesConnectFailures(TransportFailure.Kind kind) {
        Scene scene = new Scene(checker()).failed(kind).progress(Progress.NOT_STARTED);
        boolean connect = Set.of("NAME_RESOLUTION", "REFUSED", "CONNECT_TIMEOUT", "POOL_EXHAUSTED")
                .contains(kind.name());

        assertThat(word(scene.decide())).isEqualTo(connect ? "RETRY" : "NOT_RETRYABLE");
        assertThat(word(scene.method(Method.POST).decide()))
                .isEqualTo(connect ? "METHOD_NOT_RETRYABLE" : "NOT_RETRYABLE");
    }

    @ParameterizedTest(name = "R2 the checker retries an attempt timeout of its methods, whatever was written: {0}")
    @EnumSource(Progress.class)
    void checkerRetriesAttemptTimeouts(Progress progress) {
        Scene scene = new Scene(checker()).timedOut().progress(progress);

        assertThat(word(scene.decide())).isEqualTo("RETRY");
        assertThat(word(scene.method(Method.POST).decide())).isEqualTo("METHOD_NOT_RETRYABLE");
    }

    @ParameterizedTest(name = "R3 {0} is an answer that ends the call, at the first attempt and for every method")
    @ValueSource(ints = {400, 401})
    void permanentFailuresAreAnswers(int status) {
        for (Method method : List.of(Method.GET, Method.PUT, Method.POST)) {
            assertThat(word(new Scene(gateway())
                            .method(method)
                            .keyed()
                            .answered(status)
                            .decide()))
                    .isEqualTo("NOT_RETRYABLE");
        }
    }

    @Test
    @DisplayName("R4 429 with 2, own backoff 100: retry at exactly 2,000")
    void hintReplacesTheBackoff() {
        RetryDecision decision = new Scene(patient()).answered(429, "2").at(0).decide();

        assertThat(decision).isEqualTo(new RetryDecision.Retry(2 * SECOND));
    }

    @Test
    @DisplayName("R4 a hint of 0 is no delay at all, and 007 is seven seconds")
    void hintsAreTakenAsTheyAre() {
        assertThat(new Scene(patient()).answered(503, "0").at(5).decide()).isEqualTo(new RetryDecision.Retry(0));
        assertThat(new Scene(patient()).answered(503, "007").at(5).decide())
                .isEqualTo(new RetryDecision.Retry(7 * SECOND));
    }

    @ParameterizedTest(name = "R4 \"{0}\" is ignored: the computed backoff stands")
    @ValueSource(strings = {"", "+1", "-1", "1.5", "1 1", "18446744073709551616", "Sun, 06 Nov 1994 08:49:37 GMT"})
    void unusableHintsAreIgnored(String hint) {
        assertThat(new Scene(patient()).answered(503, hint).at(0).decide())
                .isEqualTo(new RetryDecision.Retry(100 * MILLI));
    }

    @Test
    @DisplayName("R4 several lines are ignored, even where they agree")
    void severalHintsAreIgnored() {
        Response twice = Response.of(503, Headers.of("Retry-After", "2", "Retry-After", "2"), Body.empty());

        assertThat(new Scene(patient()).answered(twice).at(0).decide()).isEqualTo(new RetryDecision.Retry(100 * MILLI));
    }

    @Test
    @DisplayName("R4 18446744073709551615 is a legal hint that cannot fit: OverallDeadline, never a policy's overflow")
    void longestHintCannotFit() {
        assertThat(word(new Scene(patient())
                        .answered(503, "18446744073709551615")
                        .at(0)
                        .decide()))
                .isEqualTo("CANNOT_FIT");
        assertThat(word(new Scene(patient())
                        .answered(503, "9223372036")
                        .at(Long.MAX_VALUE - 1)
                        .deadline(Long.MAX_VALUE)
                        .decide()))
                .isEqualTo("CANNOT_FIT");
    }

    @Test
    @DisplayName("R5 a hint of 10 s with 1 s left: no sleep, no attempt, OverallDeadline")
    void hintNeverExtendsTheDeadline() {
        assertThat(word(new Scene(patient())
                        .answered(503, "10")
                        .at(0)
                        .deadline(SECOND)
                        .decide()))
                .isEqualTo("CANNOT_FIT");
    }

    @Test
    @DisplayName("R5 a hint that fits is obeyed up to the cap; one second above it the response stands")
    void hintOverTheCapStops() {
        assertThat(new Scene(patient()).answered(503, "30").at(0).decide())
                .isEqualTo(new RetryDecision.Retry(30 * SECOND));
        assertThat(word(new Scene(patient()).answered(503, "31").at(0).decide()))
                .isEqualTo("HINT_OVER_CAP");
    }

    @Test
    @DisplayName("R5 the cap is for the server's delays alone; a computed backoff may exceed it")
    void computedBackoffKnowsNoCap() {
        Policy policy = Policy.builder(Duration.ofMinutes(5))
                .jitter(Jitter.NONE)
                .initialBackoff(Duration.ofSeconds(40))
                .maxBackoff(Duration.ofSeconds(40))
                .build();

        assertThat(new Scene(policy).answered(503).at(0).deadline(300 * SECOND).decide())
                .isEqualTo(new RetryDecision.Retry(40 * SECOND));
    }

    @ParameterizedTest(name = "R6 WHOLE, deadline 1,000, attempt 100, delay 10: failure at {0} ms + {1} ns: {2}")
    @CsvSource({"889,  0, RETRY", "890, -1, RETRY", "890,  0, CANNOT_FIT", "890,  1, CANNOT_FIT", "999,  0, CANNOT_FIT"
    })
    void wholeAttemptEndsStrictlyBeforeTheDeadline(long atMs, long plusNanos, String expected) {
        Policy policy = Policy.builder(Duration.ofMillis(1_000))
                .attemptTimeout(Duration.ofMillis(100))
                .initialBackoff(Duration.ofMillis(10))
                .jitter(Jitter.NONE)
                .attemptFit(AttemptFit.WHOLE)
                .build();
        long nowNanos = atMs * MILLI + plusNanos;

        RetryDecision decision = new Scene(policy)
                .answered(503)
                .at(nowNanos)
                .deadline(1_000 * MILLI)
                .decide();

        assertThat(word(decision)).isEqualTo(expected);
        if (decision instanceof RetryDecision.Retry retry) {
            assertThat(retry.delayNanos()).isEqualTo(10 * MILLI);
            assertThat(retry.delayNanos()).isEqualTo(10 * MILLI);
        }
    }

    @ParameterizedTest(
            name = "R6 CLIPPED, deadline 1,000, reserve 40, minimum 10, delay 25: failure at 925 ms + {0} ns: {1}")
    @CsvSource({"-1, RETRY", "0, RETRY", "1, CANNOT_FIT"})
    void clippedAttemptFitsAtEquality(long plusNanos, String expected) {
        Policy policy = Policy.builder(Duration.ofMillis(1_000))
                .attemptTimeout(Duration.ofMillis(800))
                .initialBackoff(Duration.ofMillis(25))
                .jitter(Jitter.NONE)
                .cleanupReserve(Duration.ofMillis(40))
                .minimumAttempt(Duration.ofMillis(10))
                .build();

        assertThat(word(new Scene(policy)
                        .answered(503)
                        .at(925 * MILLI + plusNanos)
                        .deadline(1_000 * MILLI)
                        .decide()))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "R6 CLIPPED without a minimum: {0} ns after the reserve: {1}")
    @CsvSource({"-1, CANNOT_FIT", "0, CANNOT_FIT", "1, RETRY"})
    void clippedAttemptNeedsSomeTime(long leftNanos, String expected) {
        Policy policy = Policy.builder(Duration.ofMillis(1_000))
                .initialBackoff(Duration.ZERO)
                .jitter(Jitter.NONE)
                .cleanupReserve(Duration.ofMillis(40))
                .minimumAttempt(Duration.ZERO)
                .build();

        assertThat(word(new Scene(policy)
                        .answered(503)
                        .at(960 * MILLI - leftNanos)
                        .deadline(1_000 * MILLI)
                        .decide()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("R6 deadline 500, attempt 50, pauses 20 × 2^n, always failing at once: 0, 20, 60, 140, 300, then stop")
    void pausesUntilNothingFits() {
        Policy policy = Policy.builder(Duration.ofMillis(500))
                .attemptTimeout(Duration.ofMillis(50))
                .maxRetries(31)
                .initialBackoff(Duration.ofMillis(20))
                .maxBackoff(Duration.ofSeconds(10))
                .jitter(Jitter.NONE)
                .attemptFit(AttemptFit.WHOLE)
                .build();
        List<Long> attemptsAtMs = new ArrayList<>(List.of(0L));

        long nowNanos = 0;
        RetryDecision decision = failAt(policy, nowNanos, 1);
        while (decision instanceof RetryDecision.Retry retry) {
            nowNanos += retry.delayNanos();
            attemptsAtMs.add(nowNanos / MILLI);
            decision = failAt(policy, nowNanos, attemptsAtMs.size());
        }

        assertThat(attemptsAtMs).containsExactly(0L, 20L, 60L, 140L, 300L);
        assertThat(word(decision)).isEqualTo("CANNOT_FIT");
    }

    private static RetryDecision failAt(Policy policy, long nowNanos, int attempts) {
        return new Scene(policy)
                .failed(TransportFailure.Kind.RESET)
                .attempts(attempts)
                .at(nowNanos)
                .deadline(500 * MILLI)
                .decide();
    }

    @Test
    @DisplayName("R7 of all that speaks against a retry the first in order is the reason")
    void firstReasonInOrder() {
        // Everything is wrong at once; then, line by line, the first reason is taken away.
        Scene scene = new Scene(gateway())
                .method(Method.POST)
                .answered(400, "99")
                .attempts(2)
                .bodyGone()
                .ownedAbove()
                .breakerOpen()
                .budgetEmpty()
                .at(SECOND)
                .deadline(SECOND);

        assertThat(word(scene.decide())).isEqualTo("NOT_RETRYABLE");
        assertThat(word(scene.answered(503, "99").decide())).isEqualTo("METHOD_NOT_RETRYABLE");
        assertThat(word(scene.method(Method.GET).decide())).isEqualTo("BODY_NOT_REPLAYABLE");
        assertThat(word(scene.bodyGone(false).decide())).isEqualTo("OWNED_ABOVE");
        assertThat(word(scene.ownedAbove(false).decide())).isEqualTo("ATTEMPTS_USED");
        assertThat(word(scene.attempts(1).decide())).isEqualTo("CANNOT_FIT");
        assertThat(word(scene.deadline(99 * SECOND).decide())).isEqualTo("CANNOT_FIT");
        assertThat(word(scene.deadline(121 * SECOND).decide())).isEqualTo("HINT_OVER_CAP");
        assertThat(word(scene.answered(503, "29").decide())).isEqualTo("BREAKER_OPEN");
        assertThat(word(scene.breakerOpen(false).decide())).isEqualTo("BUDGET_EMPTY");
        assertThat(word(scene.budgetEmpty(false).decide())).isEqualTo("RETRY");
        assertThat(scene.reservations()).isEqualTo(1);
    }

    @Test
    @DisplayName("G1 a reservation is taken only where nothing else prevents the retry")
    void nothingIsReservedInVain() {
        Scene scene = new Scene(gateway()).answered(503).breakerOpen();

        scene.decide();

        assertThat(scene.reservations()).isZero();
    }

    @Test
    @DisplayName("R7 an ambiguous effect comes before used-up attempts, and the kind of failure before the effect")
    void effectIsJudgedBetweenFailureAndAttempts() {
        Scene posted = new Scene(gateway())
                .method(Method.POST)
                .progress(Progress.COMPLETE)
                .attempts(2)
                .at(SECOND)
                .deadline(SECOND);

        assertThat(word(posted.failed(TransportFailure.Kind.RESET).decide())).isEqualTo("AMBIGUOUS_EFFECT");
        assertThat(word(posted.failed(TransportFailure.Kind.MALFORMED).decide()))
                .isEqualTo("NOT_RETRYABLE");
    }

    @Test
    @DisplayName("R7 the reasons stand in the order in which they are judged")
    void reasonsStandInOrder() {
        assertThat(Suppressed.values())
                .containsExactly(
                        Suppressed.NOT_RETRYABLE,
                        Suppressed.METHOD_NOT_RETRYABLE,
                        Suppressed.AMBIGUOUS_EFFECT,
                        Suppressed.BODY_NOT_REPLAYABLE,
                        Suppressed.SERVER_FORBIDS,
                        Suppressed.OWNED_ABOVE,
                        Suppressed.ATTEMPTS_USED,
                        Suppressed.CANNOT_FIT,
                        Suppressed.HINT_OVER_CAP,
                        Suppressed.BREAKER_OPEN,
                        Suppressed.BUDGET_EMPTY,
                        Suppressed.NO_PERMIT,
                        Suppressed.CANCELLED,
                        Suppressed.SHUTTING_DOWN);
    }

    @ParameterizedTest(name = "E3 {0}: GET {1}, POST {2}, POST with a key {3}")
    @CsvSource({
        "overloaded,                 RETRY,         METHOD_NOT_RETRYABLE, RETRY",
        "reset before write,         RETRY,         RETRY,                RETRY",
        "reset after a prefix,       RETRY,         AMBIGUOUS_EFFECT,     RETRY",
        "reset after the request,    RETRY,         AMBIGUOUS_EFFECT,     RETRY",
        "reset and nobody can tell,  RETRY,         AMBIGUOUS_EFFECT,     RETRY",
        "truncated,                  RETRY,         AMBIGUOUS_EFFECT,     RETRY",
        "timeout before write,       RETRY,         RETRY,                RETRY",
        "timeout after the request,  RETRY,         AMBIGUOUS_EFFECT,     RETRY",
        "rejected,                   NOT_RETRYABLE, NOT_RETRYABLE,        NOT_RETRYABLE",
        "invalid,                    NOT_RETRYABLE, NOT_RETRYABLE,        NOT_RETRYABLE",
        "malformed reply,            NOT_RETRYABLE, NOT_RETRYABLE,        NOT_RETRYABLE"
    })
    void repeatsByEffect(String seen, String get, String post, String keyedPost) {
        assertThat(word(seen(new Scene(gateway()), seen).method(Method.GET).decide()))
                .isEqualTo(get);
        assertThat(word(seen(new Scene(gateway()), seen).method(Method.POST).decide()))
                .isEqualTo(post);
        assertThat(word(seen(new Scene(gateway()), seen)
                        .method(Method.POST)
                        .keyed()
                        .decide()))
                .isEqualTo(keyedPost);
    }

    private static Scene seen(Scene scene, String what) {
        return switch (what) {
            case "overloaded" -> scene.answered(503).progress(Progress.COMPLETE);
            case "reset before write" ->
                scene.failed(TransportFailure.Kind.RESET).progress(Progress.NOT_STARTED);
            case "reset after a prefix" ->
                scene.failed(TransportFailure.Kind.RESET).progress(Progress.PREFIX_WRITTEN);
            case "reset after the request" ->
                scene.failed(TransportFailure.Kind.RESET).progress(Progress.COMPLETE);
            case "reset and nobody can tell" ->
                scene.failed(TransportFailure.Kind.RESET).progress(Progress.UNKNOWN);
            case "truncated" -> scene.failed(TransportFailure.Kind.TRUNCATED).progress(Progress.COMPLETE);
            case "timeout before write" -> scene.timedOut().progress(Progress.NOT_STARTED);
            case "timeout after the request" -> scene.timedOut().progress(Progress.COMPLETE);
            case "rejected" -> scene.answered(401).progress(Progress.COMPLETE);
            case "invalid" -> scene.answered(422).progress(Progress.COMPLETE);
            case "malformed reply" ->
                scene.failed(TransportFailure.Kind.MALFORMED).progress(Progress.COMPLETE);
            default -> throw new IllegalArgumentException(what);
        };
    }

    @ParameterizedTest(name = "E2 {0}: a transient failure has another chance, a permanent one has none")
    @EnumSource(TransportFailure.Kind.class)
    void permanenceDecides(TransportFailure.Kind kind) {
        boolean permanent = Set.of("TLS", "MALFORMED", "TOO_LARGE", "TOO_MANY_INTERIM", "CLOSED_LOCALLY")
                .contains(kind.name());

        assertThat(word(new Scene(gateway()).failed(kind).decide())).isEqualTo(permanent ? "NOT_RETRYABLE" : "RETRY");
    }

    @Test
    @DisplayName("E3 a status that proves no effect lets an unkeyed POST be repeated; the default set is empty")
    void effectFreeStatuses() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .effectFreeStatuses(Set.of(503))
                .build();

        assertThat(word(new Scene(policy).method(Method.POST).answered(503).decide()))
                .isEqualTo("RETRY");
        assertThat(word(new Scene(policy).method(Method.POST).answered(500).decide()))
                .isEqualTo("METHOD_NOT_RETRYABLE");
        assertThat(word(new Scene(gateway()).method(Method.POST).answered(503).decide()))
                .isEqualTo("METHOD_NOT_RETRYABLE");
    }

    @Test
    @DisplayName("E3 a status that proves no effect is retried only if the policy retries it")
    void effectFreeIsNotRetryable() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .effectFreeStatuses(Set.of(425))
                .build();

        assertThat(word(new Scene(policy).answered(425).decide())).isEqualTo("NOT_RETRYABLE");
    }

    @ParameterizedTest(name = "P4 the backoff ends {0} ns past the clock''s last instant: {1}")
    @CsvSource({"-1, CANNOT_FIT", "0, CANNOT_FIT", "1, OVERFLOW"})
    void backoffOverflow(long pastNanos, String expected) {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .initialBackoff(Duration.ofMillis(100))
                .jitter(Jitter.NONE)
                .build();

        assertThat(word(new Scene(policy)
                        .answered(503)
                        .at(Long.MAX_VALUE - 100 * MILLI + pastNanos)
                        .deadline(Long.MAX_VALUE)
                        .decide()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("B3 the drawn delay, not its ceiling, must fit before it is slept")
    void theDrawnDelayIsJudged() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .initialBackoff(Duration.ofMillis(100))
                .cleanupReserve(Duration.ZERO)
                .minimumAttempt(Duration.ofMillis(10))
                .build();
        Scene scene = new Scene(policy).answered(503).at(0).deadline(50 * MILLI);

        assertThat(scene.drawing((callId, attempt, bound) -> 40 * MILLI).decide())
                .isEqualTo(new RetryDecision.Retry(40 * MILLI));
        assertThat(word(scene.drawing((callId, attempt, bound) -> 40 * MILLI + 1)
                        .decide()))
                .isEqualTo("CANNOT_FIT");
    }

    @Test
    @DisplayName("B2 the draw is told call and attempt, and is taken only where a computed backoff is used")
    void drawsOnlyForAComputedBackoff() {
        List<String> draws = new ArrayList<>();
        JitterSource listening = (callId, attempt, bound) -> {
            draws.add(callId + "/" + attempt + "/" + bound / MILLI);
            return bound;
        };
        Policy policy = Policy.builder(Duration.ofSeconds(60))
                .maxRetries(3)
                .serverDelayJitterPercent(0)
                .build();
        Scene scene = new Scene(policy).drawing(listening).deadline(60 * SECOND);

        scene.answered(200).decide();
        scene.answered(400).decide();
        scene.answered(503, "1").decide();
        scene.answered(503).attempts(4).decide();
        assertThat(draws).isEmpty();

        scene.answered(503).attempts(2).decide();
        assertThat(draws).containsExactly("17/2/50");
    }

    /** One word for each decision: its kind, or the reason of a stop. */
    private static String word(RetryDecision decision) {
        return decision instanceof RetryDecision.Stop stop
                ? stop.reason().name()
                : decision.kind().name();
    }

    private static Policy gateway() {
        return Policy.standard();
    }

    /** The endpoint checker's own rule: R2 without E3, a whole attempt or none. */
    private static Policy checker() {
        return Policy.builder(Duration.ofSeconds(2))
                .retryableMethods(Set.of(Method.GET, Method.PUT, Method.DELETE))
                .failureRule(FailureRule.CONNECT_FAILURES)
                .attemptFit(AttemptFit.WHOLE)
                .attemptTimeout(Duration.ofMillis(100))
                .build();
    }

    /** Time enough for a server's wishes, taken to the letter and in seconds alone, and an own backoff of 100 ms. */
    private static Policy patient() {
        return Policy.builder(Duration.ofMinutes(2))
                .attemptTimeout(Duration.ofMillis(100))
                .initialBackoff(Duration.ofMillis(100))
                .jitter(Jitter.NONE)
                .serverDelayJitterPercent(0)
                .retryAfterDates(RetryAfterDates.IGNORED)
                .attemptFit(AttemptFit.WHOLE)
                .build();
    }
}
