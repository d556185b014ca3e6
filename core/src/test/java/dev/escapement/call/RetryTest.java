package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.TrackedBody;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.AttemptFit;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R1–R3, R7, R9, R10: what is tried again, and what the caller is left with where it is not. */
class RetryTest {

    private static String text(TrackedBody body) {
        return StandardCharsets.UTF_8.decode(body.content()).toString();
    }

    @ParameterizedTest(name = "R1 {0}, key {1}: {2} attempts")
    @DisplayName("R1 a method that is safe to repeat is retried, any other only with an idempotency key")
    @CsvSource({
        "GET, false, 2", "HEAD, false, 2", "OPTIONS, false, 2", "TRACE, false, 2", "PUT, false, 2", "DELETE, false, 2",
        "POST, false, 1", "PATCH, false, 1", "BREW, false, 1", "POST, true, 2", "PATCH, true, 2", "BREW, true, 2"
    })
    void methodsAreRetriedWhereRepeatingIsSafe(String method, boolean keyed, int attempts) {
        World world = new World();
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);
        CallOptions options = CallOptions.none();

        world.call(
                Request.of(Method.of(method), "http://server.test/alpha"),
                keyed ? options.withIdempotencyKey("req-7") : options);
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(attempts);
        assertThat(world.report().suppressed().orElse(null))
                .isEqualTo(attempts == 2 ? null : Suppressed.METHOD_NOT_RETRYABLE);
        world.assertClean();
    }

    @ParameterizedTest(name = "R2 status {0}")
    @DisplayName("R2 one retry after a retryable status is at most two attempts, and the last answer stands")
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void oneRetryIsAtMostTwoAttempts(int status) {
        World world = new World();
        world.transport.otherwise().answer(status);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 10));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().suppressed()).contains(Suppressed.ATTEMPTS_USED);
        assertThat(world.report().retryDelays()).isEqualTo(allMs(10));
        world.assertClean();
    }

    @ParameterizedTest(name = "R2 R3 status {0}")
    @DisplayName("R2 R3 any other status is an answer: one attempt, at once")
    @ValueSource(ints = {200, 304, 400, 401, 404, 407, 409, 428, 430, 499, 501, 505})
    void otherStatusesAreAnswers(int status) {
        World world = new World();
        world.transport.otherwise().answer(status);

        world.call(GET);

        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().suppressed().orElse(null)).isEqualTo(status < 400 ? null : Suppressed.NOT_RETRYABLE);
        world.assertClean();
    }

    @ParameterizedTest(name = "R2 R3 {0}")
    @DisplayName("R2 R3 transient failures are retried and permanent ones end the call at once")
    @EnumSource(Kind.class)
    void transientFailuresAreRetried(Kind kind) {
        World world = new World();
        world.transport.on(1).fail(kind);
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        boolean permanent = List.of(
                        Kind.TLS, Kind.MALFORMED, Kind.TOO_LARGE, Kind.TOO_MANY_INTERIM, Kind.CLOSED_LOCALLY)
                .contains(kind);
        assertThat(world.transport.sends()).isEqualTo(permanent ? 1 : 2);
        assertThat(world.kind()).isEqualTo(permanent ? Outcome.Kind.TRANSPORT_FAILED : Outcome.Kind.RESPONSE);
        world.assertClean();
    }

    @Test
    @DisplayName("R2 an attempt timeout is retried")
    void attemptTimeoutIsRetried() {
        World world = new World();
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 110));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().attemptReports())
                .extracting(attempt -> attempt.outcome().kind())
                .containsExactly(Outcome.Kind.ATTEMPT_TIMEOUT, Outcome.Kind.RESPONSE);
        world.assertClean();
    }

    // ---- R7: the reasons

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(Suppressed.NOT_RETRYABLE, GET, s -> s.answer(404)),
                refusal(Suppressed.NOT_RETRYABLE, POST, s -> s.fail(Kind.TLS)),
                refusal(Suppressed.METHOD_NOT_RETRYABLE, POST, s -> s.answer(503)),
                refusal(Suppressed.AMBIGUOUS_EFFECT, POST, s -> s.write(5).fail(Kind.RESET)),
                refusal(Suppressed.ATTEMPTS_USED, GET, s -> s.answer(503)),
                refusal(Suppressed.HINT_OVER_CAP, GET, s -> s.answer(503, "Retry-After", "31")));
    }

    private static Arguments refusal(Suppressed reason, Request request, Consumer<AttemptScript> script) {
        return Arguments.of(reason, request, script);
    }

    @ParameterizedTest(name = "R7 {0}")
    @DisplayName("R7 a retry not made has one reason, and keeps the last result as the outcome")
    @MethodSource("refusals")
    void aRefusedRetryKeepsTheLastResult(Suppressed reason, Request request, Consumer<AttemptScript> script) {
        World world = new World().policy(ms(60_000), p -> p.maxRetries(reason == Suppressed.ATTEMPTS_USED ? 0 : 3));
        script.accept(world.transport.otherwise());

        world.call(request);

        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.report().suppressed()).contains(reason);
        assertThat(world.kind()).isIn(Outcome.Kind.RESPONSE, Outcome.Kind.TRANSPORT_FAILED);
        assertThat(world.report().lastRealResult()).contains(world.report().outcome());
        assertThat(world.report().retryDelays()).isEmpty();
        world.assertClean();
    }

    @Test
    @DisplayName(
            "R7 only a retry that cannot fit turns the outcome into the deadline's, at once and with the last result")
    void aRetryThatCannotFitIsOverallDeadline() {
        World world = new World().policy(p -> p.initialBackoff(ms(950)));
        world.transport.otherwise().answer(503);

        world.call(GET);

        assertThat(world.report().suppressed()).contains(Suppressed.CANNOT_FIT);
        assertThat(world.endedAt()).isEqualTo(ms(0));
        assertThat(world.report().outcome())
                .isInstanceOfSatisfying(
                        Outcome.OverallDeadline.class,
                        outcome -> assertThat(outcome.lastReal())
                                .isEqualTo(world.report().lastRealResult())
                                .map(Outcome::kind)
                                .contains(Outcome.Kind.RESPONSE));
        assertThat(text(world.transport.bodies().held().get(0))).isEqualTo("status 503");
        world.assertClean();
    }

    @Test
    @DisplayName("R7 a cancellation in backoff sends nothing more; the last result can still be had")
    void cancellationInBackoffKeepsTheLastResult() {
        World world = new World();
        world.transport.on(1).answer(503);
        Call call = world.call(GET);
        world.runTo(ms(5));

        call.cancel();
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.endedAt()).isEqualTo(ms(5));
        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.report().suppressed()).contains(Suppressed.CANCELLED);
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(text(world.transport.bodies().held().get(0))).isEqualTo("status 503");
        world.assertClean();
    }

    // ---- R9: the last real result

    @Test
    @DisplayName("R9 a refused retry leaves the last response whole and readable")
    void aRefusedRetryLeavesTheResponseReadable() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).answer(503);

        world.call(GET);

        assertThat(world.transport.bodies().held()).hasSize(1);
        assertThat(text(world.transport.bodies().held().get(0))).isEqualTo("status 503");
        world.report().release();
        assertThat(world.transport.bodies().held()).isEmpty();
        world.assertClean();
    }

    @Test
    @DisplayName("R9 an answer is kept through backoff and timeouts, and released when a newer result takes its place")
    void anAnswerIsKeptUntilANewerResult() {
        World world =
                new World().policy(p -> p.maxRetries(3).initialBackoff(ms(1)).maxBackoff(ms(1)));
        world.transport.on(1).answer(503);
        world.transport.on(2).hangAfterWrite();
        world.transport.on(3).answerAfter(ms(5), 502);
        world.transport.on(4).failAfter(ms(5), Kind.RESET);

        world.call(GET);
        world.runTo(ms(106));
        assertThat(world.transport.bodies().held()).extracting(RetryTest::text).containsExactly("status 503");
        world.runTo(ms(107));
        assertThat(world.transport.bodies().held()).extracting(RetryTest::text).containsExactly("status 502");
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.TRANSPORT_FAILED);
        assertThat(world.transport.bodies().held()).isEmpty();
        assertThat(world.report().attemptReports())
                .extracting(AttemptReport::outcome)
                .extracting(Outcome::kind)
                .containsExactly(
                        Outcome.Kind.RESPONSE,
                        Outcome.Kind.ATTEMPT_TIMEOUT,
                        Outcome.Kind.RESPONSE,
                        Outcome.Kind.TRANSPORT_FAILED);
        world.assertClean();
    }

    @Test
    @DisplayName("R9 A7 an overall deadline hands out the last answer that was seen, with its body")
    void anOverallDeadlineCarriesTheLastAnswer() {
        World world = new World().policy(ms(50), p -> p.attemptFit(AttemptFit.CLIPPED));
        world.transport.on(1).answerAfter(ms(4), 503);
        world.transport.on(2).hangAfterWrite();

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 14));
        assertThat(world.endedAt()).isEqualTo(ms(50));
        assertThat(world.report().outcome())
                .isEqualTo(new Outcome.OverallDeadline(world.report().lastRealResult()));
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(text(world.transport.bodies().held().get(0))).isEqualTo("status 503");
        world.assertClean();
    }

    // ---- R10

    @Test
    @DisplayName("R10 a stale connection replaced inside the attempt is counted, and costs no retry")
    void aReplacedConnectionCostsNoRetry() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).connectReused().writeNothing().connect().answer(200);

        world.call(POST);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().attempts()).isEqualTo(1);
        assertThat(world.report().replacedConnections()).isEqualTo(1);
        assertThat(world.report().attemptReports())
                .extracting(AttemptReport::replacedConnection)
                .containsExactly(true);
        assertThat(world.report().retryDelays()).isEmpty();
        world.assertClean();
    }
}
