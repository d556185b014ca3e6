package dev.escapement.call;

import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** R8: a body that can be read once ends the call where it was taken, and is sent again where it was not. */
class BodyReplayTest {

    /** Two ways in which repeating is allowed by everything but the body. */
    enum Repeatable {
        GET,
        PUT,
        KEYED_POST;

        Request request(Body body) {
            return Request.of(this == KEYED_POST ? Method.POST : Method.of(name()), TARGET, Headers.empty(), body);
        }

        CallOptions options() {
            return this == KEYED_POST ? CallOptions.none().withIdempotencyKey("req-7") : CallOptions.none();
        }
    }

    private static final URI TARGET = URI.create("http://server.test/alpha");

    private final World world = new World()
            .policy(p -> p.maxRetries(2).budget(BudgetSettings.of(1, 1, Duration.ofSeconds(10))))
            .breaker(100, ms(100));

    /** What each attempt took of the body. */
    private final List<String> taken = new ArrayList<>();

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }

    private static Body once() {
        return Body.once(ByteBuffer.wrap("amount=5".getBytes(StandardCharsets.US_ASCII)));
    }

    /** The transport takes the body, as it does to encode it; nothing has left yet. */
    private AttemptScript taking(AttemptScript script) {
        return script.connect()
                .act(attempt -> taken.add(StandardCharsets.US_ASCII
                        .decode(attempt.request().body().content())
                        .toString()));
    }

    private void call(Repeatable what, Body body) {
        world.call(what.request(body), what.options());
        world.time.runUntilIdle();
    }

    private void assertNotRepeated(Outcome.Kind kind) {
        assertThat(world.report().suppressed()).contains(Suppressed.BODY_NOT_REPLAYABLE);
        assertThat(world.kind()).isEqualTo(kind);
        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.report().retryDelays()).isEmpty();
        assertThat(taken).containsExactly("amount=5");
        // Judged before the guards are asked (R7).
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().budgetFigures().refused()).isZero();
        assertThat(world.breaker().rejected()).isZero();
    }

    @ParameterizedTest(name = "R8 {0}")
    @DisplayName("R8 R9 taken, and answered with a failure: not repeated, and the response is the caller's, whole")
    @EnumSource(Repeatable.class)
    void takenAndAnswered(Repeatable what) {
        taking(world.transport.on(1)).answer(503);

        call(what, once());

        assertNotRepeated(Outcome.Kind.RESPONSE);
        assertThat(world.transport.bodies().held()).hasSize(1);
    }

    @ParameterizedTest(name = "R8 {0}")
    @DisplayName("R8 taken, and nothing of it left: not repeated all the same, since nobody has it any more")
    @EnumSource(Repeatable.class)
    void takenAndNothingWritten(Repeatable what) {
        taking(world.transport.on(1)).fail(Kind.RESET);

        call(what, once());

        assertNotRepeated(Outcome.Kind.TRANSPORT_FAILED);
        assertThat(world.report().attemptReports())
                .extracting(AttemptReport::progress)
                .containsExactly(Progress.NOT_STARTED);
    }

    @ParameterizedTest(name = "R8 {0}")
    @DisplayName("R8 taken, and timed out: not repeated")
    @EnumSource(Repeatable.class)
    void takenAndTimedOut(Repeatable what) {
        taking(world.transport.on(1)).hangAfterWrite();

        call(what, once());

        assertNotRepeated(Outcome.Kind.ATTEMPT_TIMEOUT);
    }

    @ParameterizedTest(name = "R8 {0}")
    @DisplayName("R8 not taken: repeated, and the attempt that takes it sends it whole")
    @EnumSource(Repeatable.class)
    void notTaken(Repeatable what) {
        world.transport.on(1).fail(Kind.REFUSED);
        world.transport.on(2).connect().hang();
        taking(world.transport.on(3)).answer(200);

        call(what, once());

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().suppressed()).isEmpty();
        assertThat(world.transport.sends()).isEqualTo(3);
        assertThat(taken).containsExactly("amount=5");
        assertThat(world.client().budgetFigures().reserved()).isEqualTo(2);
    }

    @ParameterizedTest(name = "R8 {0}")
    @DisplayName("R8 taken by a retry: no further one, though the policy had another")
    @EnumSource(Repeatable.class)
    void takenByARetry(Repeatable what) {
        world.transport.on(1).fail(Kind.REFUSED);
        taking(world.transport.on(2)).answer(503);

        call(what, once());

        assertThat(world.report().suppressed()).contains(Suppressed.BODY_NOT_REPLAYABLE);
        assertThat(world.transport.sends()).isEqualTo(2);
        assertThat(world.transport.bodies().held()).hasSize(1);
    }

    @ParameterizedTest(name = "R8 permit for each {0}")
    @DisplayName(
            "R8 E7 taken by an abandoned attempt after the retry was decided upon: the retry is not made, and costs nothing")
    @EnumSource(PermitScope.class)
    void takenDuringTheBackoff(PermitScope scope) {
        world.policy(p ->
                p.initialBackoff(ms(20)).permitScope(scope).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))));
        world.transport.on(1).connect().hang().ignoreAbandonment();
        Body body = once();
        world.call(Repeatable.PUT.request(body));
        world.runTo(ms(110));
        assertThat(world.client().budgetFigures().reserved()).isEqualTo(1);

        assertThat(body.content().remaining()).isEqualTo(8);
        world.runTo(ms(120));
        world.transport.attempt(1).clean();

        assertThat(world.report().suppressed()).contains(Suppressed.BODY_NOT_REPLAYABLE);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.endedAt()).isEqualTo(ms(120));
        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @Test
    @DisplayName(
            "R8 L1 taken while the retry waits for its permit: not made, the place in the queue given up with the grant")
    void takenWhileWaitingForAPermit() {
        world.policy(p -> p.permitScope(PermitScope.ATTEMPT).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))))
                .permits(1, 1);
        world.transport.on(1).fail(Kind.REFUSED);
        Body body = once();
        world.call(Repeatable.PUT.request(body));
        world.holdPermits();
        world.runTo(ms(50));

        assertThat(body.content().remaining()).isEqualTo(8);
        world.givePermit();

        assertThat(world.report().suppressed()).contains(Suppressed.BODY_NOT_REPLAYABLE);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.TRANSPORT_FAILED);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
        assertThat(world.client().figures().waiting()).isZero();
    }

    @ParameterizedTest(name = "R7 {0} {1}, {2} retries: {3}")
    @DisplayName("R7 what comes before the body is the reason, and the body before what comes after it")
    @CsvSource({
        "POST, 503, 2, METHOD_NOT_RETRYABLE",
        "PUT, 400, 2, NOT_RETRYABLE",
        "PUT, 503, 2, BODY_NOT_REPLAYABLE",
        "PUT, 503, 0, BODY_NOT_REPLAYABLE",
    })
    void amongTheOtherReasons(String method, int status, int retries, Suppressed reason) {
        world.policy(p -> p.maxRetries(retries));
        taking(world.transport.on(1)).answer(status, "Retry-After", "10000");

        world.call(Request.of(Method.of(method), TARGET, Headers.empty(), once()));

        assertThat(world.report().suppressed()).contains(reason);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }

    @Test
    @DisplayName("R8 a success takes the body like any attempt, and nothing is suppressed")
    void success() {
        taking(world.transport.on(1)).answer(200);

        call(Repeatable.KEYED_POST, once());

        assertThat(world.report().suppressed()).isEmpty();
    }

    @Test
    @DisplayName("R8 a body that can be replayed is taken as often as there are attempts")
    void replayable() {
        taking(world.transport.on(1)).answer(503);
        taking(world.transport.on(2)).answer(503);
        taking(world.transport.on(3)).answer(200);

        call(Repeatable.PUT, Body.of("amount=5"));

        assertThat(taken).containsExactly("amount=5", "amount=5", "amount=5");
    }
}
