package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.ReportDetail;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** E1, E3, E4, E7: what may have happened on the other side, and what follows from it. */
class EffectTest {

    private static final CallOptions KEYED = CallOptions.none().withIdempotencyKey("req-7");

    /** How far an attempt got. */
    private enum Stage {
        NOTHING,
        CONNECTED,
        MAY_WRITE,
        PREFIX,
        UNKNOWN,
        COMPLETE,
        REPLY_BEGUN;

        AttemptScript reachedBy(AttemptScript script) {
            return switch (this) {
                case NOTHING -> script;
                case CONNECTED -> script.connect();
                case MAY_WRITE -> script.writeNothing();
                case PREFIX -> script.write(17);
                case UNKNOWN -> script.writeUnknown();
                case COMPLETE -> script.writeAll();
                case REPLY_BEGUN -> script.writeAll().beginReply();
            };
        }

        /** As the transport tells it, where it has the last word. */
        Progress told() {
            return switch (this) {
                case NOTHING, CONNECTED, MAY_WRITE -> Progress.NOT_STARTED;
                case PREFIX -> Progress.PREFIX_WRITTEN;
                case UNKNOWN -> Progress.UNKNOWN;
                case COMPLETE, REPLY_BEGUN -> Progress.COMPLETE;
            };
        }

        /** As it can be proven of an abandoned attempt. */
        Progress proven() {
            return this == MAY_WRITE ? Progress.UNKNOWN : told();
        }

        long bytes() {
            return switch (this) {
                case NOTHING, CONNECTED, MAY_WRITE, UNKNOWN -> 0;
                case PREFIX -> 17;
                case COMPLETE, REPLY_BEGUN -> SimulatedAttempt.sizeOf(POST);
            };
        }
    }

    private static AttemptReport onlyAttempt(World world) {
        assertThat(world.report().attemptReports()).hasSize(1);
        return world.report().attemptReports().get(0);
    }

    @ParameterizedTest(name = "E1 {0}")
    @DisplayName("E1 of a failed attempt the transport has the last word on how far the request got")
    @EnumSource(Stage.class)
    void aFailedAttemptGotAsFarAsTold(Stage stage) {
        World world = new World().policy(p -> p.maxRetries(0).reportDetail(ReportDetail.FULL));
        stage.reachedBy(world.transport.on(1)).fail(Kind.RESET);

        world.call(POST);

        AttemptReport attempt = onlyAttempt(world);
        assertThat(attempt.progress()).isEqualTo(stage.told());
        assertThat(attempt.detail().orElseThrow().writtenBytes()).isEqualTo(stage.bytes());
        assertThat(attempt.replyStarted()).isEqualTo(stage == Stage.REPLY_BEGUN);
        assertThat(world.report().ambiguous()).isEqualTo(stage.told().mayHaveArrived());
        world.assertClean();
    }

    @ParameterizedTest(name = "E1 E4 {0}")
    @DisplayName("E1 E4 of an abandoned attempt only a shut gate proves that nothing left")
    @EnumSource(Stage.class)
    void anAbandonedAttemptIsJudgedByTheGate(Stage stage) {
        World world = new World().policy(p -> p.maxRetries(0).reportDetail(ReportDetail.FULL));
        stage.reachedBy(world.transport.on(1)).hang();

        world.call(POST);
        world.time.runUntilIdle();

        AttemptReport attempt = onlyAttempt(world);
        assertThat(attempt.progress()).isEqualTo(stage.proven());
        assertThat(attempt.detail().orElseThrow().writtenBytes()).isEqualTo(stage.bytes());
        assertThat(attempt.replyStarted()).isEqualTo(stage == Stage.REPLY_BEGUN);
        assertThat(attempt.ambiguous()).isEqualTo(stage.proven().mayHaveArrived());
        assertThat(world.report().ambiguous()).isEqualTo(stage.proven().mayHaveArrived());
        world.assertClean();
    }

    @ParameterizedTest(name = "E1 {0}")
    @DisplayName("E1 once abandoned, nothing may be written any more; before, the first byte won")
    @EnumSource(Stage.class)
    void nothingLeavesAfterAbandonment(Stage stage) {
        World world = new World().policy(p -> p.maxRetries(0));
        stage.reachedBy(world.transport.on(1)).hang().ignoreAbandonment();

        world.call(POST);
        world.runTo(ms(100));

        assertThat(world.transport.attempt(1).exchange().abandoned()).isTrue();
        assertThat(world.transport.attempt(1).exchange().tryWrite()).isFalse();
        assertThat(onlyAttempt(world).progress()).isEqualTo(stage.proven());
    }

    @Test
    @DisplayName("E1 R10 on a replaced connection the first byte is asked for anew, and proven not to have left")
    void aReplacedConnectionOpensTheQuestionAgain() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).connectReused().writeNothing().connect().hang().ignoreAbandonment();

        world.call(POST);
        world.runTo(ms(100));

        assertThat(onlyAttempt(world).progress()).isEqualTo(Progress.NOT_STARTED);
        assertThat(world.report().ambiguous()).isFalse();
        assertThat(world.transport.attempt(1).write(17)).isFalse();
    }

    // ---- E3

    private static Arguments row(
            String what, Consumer<AttemptScript> script, boolean get, boolean post, boolean keyedPost) {
        return Arguments.of(what, script, get, post, keyedPost);
    }

    private static Consumer<AttemptScript> script(Consumer<AttemptScript> script) {
        return script;
    }

    static Stream<Arguments> cells() {
        return Stream.of(
                row("refused", script(s -> s.fail(Kind.REFUSED)), true, true, true),
                row("pool exhausted", script(s -> s.fail(Kind.POOL_EXHAUSTED)), true, true, true),
                row("reset before the write", script(s -> s.connect().fail(Kind.RESET)), true, true, true),
                row("stale", script(s -> s.writeNothing().fail(Kind.STALE)), true, true, true),
                row("timeout before the write", script(s -> s.connect().hang()), true, true, true),
                row("overloaded, known to have no effect", script(s -> s.answer(429)), true, true, true),
                row("overloaded", script(s -> s.answer(503)), true, false, true),
                row("reset after a prefix", script(s -> s.write(5).fail(Kind.RESET)), true, false, true),
                row("reset, nobody knows", script(s -> s.writeUnknown().fail(Kind.RESET)), true, false, true),
                row("reset after the write", script(s -> s.writeAll().fail(Kind.RESET)), true, false, true),
                row("timeout after the write", script(AttemptScript::hangAfterWrite), true, false, true),
                row("truncated", script(s -> s.writeAll().beginReply().fail(Kind.TRUNCATED)), true, false, true),
                row("rejected", script(s -> s.answer(400)), false, false, false),
                row("unauthorized", script(s -> s.answer(401)), false, false, false),
                row("not trusted", script(s -> s.fail(Kind.TLS)), false, false, false),
                row("invalid", script(s -> s.writeAll().fail(Kind.MALFORMED)), false, false, false));
    }

    @ParameterizedTest(name = "E3 {0}: GET {2}, POST {3}, POST with a key {4}")
    @DisplayName(
            "E3 nothing written is retried, what may have had an effect only where repeating is safe, a refusal never")
    @MethodSource("cells")
    void whatMayBeSentAgain(String what, Consumer<AttemptScript> script, boolean get, boolean post, boolean keyedPost) {
        assertThat(isRetried(script, GET.method().name(), CallOptions.none())).isEqualTo(get);
        assertThat(isRetried(script, POST.method().name(), CallOptions.none())).isEqualTo(post);
        assertThat(isRetried(script, POST.method().name(), KEYED)).isEqualTo(keyedPost);
    }

    private static boolean isRetried(Consumer<AttemptScript> script, String method, CallOptions options) {
        World world = new World().policy(p -> p.effectFreeStatuses(Set.of(429)));
        script.accept(world.transport.on(1));
        world.transport.on(2).answer(200);
        world.call(method.equals("GET") ? GET : POST, options);
        world.time.runUntilIdle();
        world.assertClean();
        return world.transport.sends() == 2;
    }

    // ---- E4

    @ParameterizedTest(name = "E4 then status {0}: ambiguous {1}")
    @DisplayName("E4 an ambiguous attempt leaves the call ambiguous, unless an answer below 400 confirms the effect")
    @CsvSource({"200, false", "304, false", "400, true", "409, true", "503, true"})
    void anAnswerBelow400Confirms(int status, boolean ambiguous) {
        World world = new World();
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).answer(status);

        world.call(POST, KEYED);
        world.time.runUntilIdle();

        assertThat(world.report().attemptReports())
                .extracting(AttemptReport::ambiguous)
                .containsExactly(true, status == 503);
        assertThat(world.report().ambiguous()).isEqualTo(ambiguous);
        world.assertClean();
    }

    @Test
    @DisplayName("E4 a safe method has no effect to be in doubt about")
    void aSafeMethodIsNeverAmbiguous() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.report().ambiguous()).isFalse();
        world.assertClean();
    }

    @Test
    @DisplayName("E4 R7 a cancellation in flight leaves the effect in doubt, and says so")
    void cancellationInFlightIsAmbiguous() {
        World world = new World();
        world.transport.on(1).hangAfterWrite();

        world.call(POST).cancel();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.report().suppressed()).contains(Suppressed.CANCELLED);
        assertThat(world.report().ambiguous()).isTrue();
        world.assertClean();
    }

    // ---- E7

    @ParameterizedTest(name = "E7 origin {0}, {1} ns from the timeout")
    @DisplayName("E7 an operation of 60 s with a timeout of 2 s: in flight 1 before 2,000, and 0 from then on")
    @MethodSource("dev.escapement.call.World#edges")
    void anAbandonedOperationIsNotInFlight(long origin, long edge) {
        World world = new World(origin)
                .policy(ms(10_000), p -> p.attemptTimeout(ms(2_000)).maxRetries(0));
        world.transport.on(1).answerAfter(ms(60_000), 200);

        world.call(GET);
        world.runTo(ms(2_000).plusNanos(edge));

        assertThat(world.client().figures().permitsHeld()).isEqualTo(edge < 0 ? 1 : 0);
        assertThat(world.transport.attempt(1).cleanedAt().isPresent()).isEqualTo(edge >= 0);
        world.time.runUntilIdle();
        assertThat(world.time.elapsed()).isEqualTo(ms(2_000).plusNanos(Math.max(edge, 0)));
        world.assertClean();
    }
}
