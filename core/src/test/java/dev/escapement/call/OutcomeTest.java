package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.CallOut;
import dev.escapement.policy.Jitter;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A5, A7: one outcome per call whatever others do, and a report that says what is known. */
class OutcomeTest {

    // ---- A5: a transport that misbehaves

    static Stream<Throwable> throwables() {
        return Stream.of(
                new IllegalStateException("bug"),
                new IOException("checked"),
                new StackOverflowError(),
                new OutOfMemoryError("no heap"));
    }

    @ParameterizedTest(name = "A5 {0}")
    @DisplayName("A5 whatever a transport throws out of send ends the call as broken, and nothing is kept")
    @MethodSource("throwables")
    void aThrowingSendEndsTheCallAsBroken(Throwable bug) {
        World world = new World().policy(p -> p.cleanupReserve(ms(50)));
        world.transport.on(1).raise(bug);

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Broken(bug));
        assertThat(world.report().attempts()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a transport that answers and then throws has broken the call, and its answer is let go")
    void anAnswerBeforeAThrowIsLetGo() {
        World world = new World();
        IllegalStateException bug = new IllegalStateException("bug");
        world.transport.on(1).answer(200).raise(bug);

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Broken(bug));
        assertThat(world.client().figures().lateResults()).isEqualTo(1);
        assertThat(world.transport.bodies().held()).isEmpty();
        assertThat(world.client().figures().permitsHeld()).isZero();
        world.time.assertNothingLeft();
    }

    static Stream<Arguments> doubles() {
        return Stream.of(
                Arguments.of(Outcome.Kind.RESPONSE, script(s -> s.answer(200).answer(503))),
                Arguments.of(Outcome.Kind.RESPONSE, script(s -> s.answer(200).fail(Kind.RESET))),
                Arguments.of(
                        Outcome.Kind.TRANSPORT_FAILED,
                        script(s -> s.writeAll().fail(Kind.TLS).answer(200))),
                Arguments.of(
                        Outcome.Kind.RESPONSE,
                        script(s -> s.writeAll().pause(ms(1)).answer(200).answer(503))),
                Arguments.of(
                        Outcome.Kind.RESPONSE,
                        script(s -> s.writeAll()
                                .pause(ms(1))
                                .answer(200)
                                .pause(ms(1))
                                .answer(503))));
    }

    private static Consumer<AttemptScript> script(Consumer<AttemptScript> script) {
        return script;
    }

    @ParameterizedTest(name = "A5 {0}, variant {index}")
    @DisplayName(
            "A5 of two completions the first counts; the second is refused, counted, and stays the transport's to release")
    @MethodSource("doubles")
    void theFirstOfTwoCompletionsCounts(Outcome.Kind expected, Consumer<AttemptScript> script) {
        World world = new World().policy(p -> p.cleanupReserve(ms(50)));
        script.accept(world.transport.on(1));

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(expected);
        assertThat(world.client().figures().lateResults()).isEqualTo(1);
        assertThat(world.transport.attempt(1).refusedResponses()
                        + world.transport.attempt(1).refusedFailures())
                .isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a completion after the end is refused and counted, and changes nothing")
    void aLateCompletionIsCounted() {
        World world = new World().policy(p -> p.maxRetries(0).cleanupReserve(ms(500)));
        world.transport.on(1).answerAfter(ms(300), 200).ignoreAbandonment();

        world.call(GET);
        world.runTo(ms(100));
        Report report = world.report();
        world.time.runUntilIdle();

        assertThat(world.report()).isSameAs(report);
        assertThat(report.outcome().kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.client().figures().lateResults()).isEqualTo(1);
        assertThat(world.transport.attempt(1).refusedResponses()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a late answer of one attempt is no answer of the next")
    void aLateAnswerIsNotTheNextAttempts() {
        World world = new World();
        world.transport.on(1).answerAfter(ms(150), 201).ignoreAbandonment();
        world.transport.on(2).answerAfter(ms(80), 202);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 110));
        assertThat(world.report().outcome())
                .isInstanceOfSatisfying(
                        Outcome.Response.class,
                        answered -> assertThat(answered.response().status()).isEqualTo(202));
        assertThat(world.client().figures().lateResults()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a call completed inline is over when call returns, without a timer and without sleeping")
    void anInlineCompletionArmsNothing() {
        World world = new World();
        world.transport.on(1).answer(200);

        world.client().call(GET, CallOptions.none(), world.reports::add);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.time.callOuts().count(CallOut.ARM)).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("A5 completing with null is a bug of the transport, not of the caller")
    void completingWithNullIsABug() {
        World world = new World();
        world.transport.otherwise().act(attempt -> attempt.exchange().succeed(null));
        world.call(GET);
        world.transport.otherwise().act(attempt -> attempt.exchange().fail(null));
        world.call(GET);

        assertThat(world.reports).extracting(report -> report.outcome().kind()).containsOnly(Outcome.Kind.BROKEN);
        world.assertClean();
    }

    // ---- A5: other code that throws

    @Test
    @DisplayName("A5 O3 a callback that throws is counted, and the call is over all the same")
    void aThrowingCallbackIsCounted() {
        World world = new World();
        world.transport.on(1).answerAfter(ms(5), 200);

        world.client().call(GET, CallOptions.none(), report -> {
            world.reports.add(report);
            throw new StackOverflowError();
        });
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.client().figures().failedCallbacks()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 an abandon that throws changes no outcome; the attempt is let go at the end of the reserve")
    void aThrowingAbandonIsCounted() {
        World world = new World().policy(p -> p.maxRetries(0).cleanupReserve(ms(50)));
        world.transport.on(1).hangAfterWrite();
        world.time.callOuts().before(CallOut.ABANDON, 1).raise(new IOException("bug"));

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.client().figures().failedCallOuts()).isEqualTo(1);
        assertThat(world.client().figures().forcedCleanups()).isEqualTo(1);
        assertThat(world.time.elapsed()).isEqualTo(ms(150));
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @Test
    @DisplayName("A5 a release that throws is counted, and the newer result stands")
    void aThrowingReleaseIsCounted() {
        World world = new World();
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);
        world.time.callOuts().after(CallOut.RELEASE, 1).raise(new IOException("bug"));

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().attempts()).isEqualTo(2);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.client().figures().failedCallOuts()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("A5 B2 a source of jitter that throws ends the call as broken, with the last result at hand")
    void aThrowingJitterSourceBreaksTheCall() {
        World world = new World().policy(p -> p.jitter(Jitter.FULL));
        IllegalStateException bug = new IllegalStateException("bug");
        world.jitter = (call, attempt, bound) -> {
            throw bug;
        };
        world.transport.on(1).answer(503);

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Broken(bug));
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        world.assertClean();
    }

    // ---- The report

    @Test
    @DisplayName("A7 P1 a report says what happened, with what it was asked and under which policy")
    void aReportSaysWhatHappened() {
        World world = new World().policy(p -> p.version("v7").maxRetries(2));
        Object attachment = new Object();
        world.transport.on(1).failAfter(ms(3), Kind.RESET);
        world.transport.on(2).hangAfterWrite();
        world.transport.on(3).answerAfter(ms(5), 404);
        world.time.advance(ms(1));

        world.call(GET, CallOptions.none().withAttachment(attachment));
        world.time.runUntilIdle();

        Report report = world.report();
        assertThat(report.attempts()).isEqualTo(3);
        assertThat(report.attemptReports()).extracting(AttemptReport::ordinal).containsExactly(1, 2, 3);
        assertThat(report.attemptReports())
                .extracting(attempt -> attempt.outcome().kind())
                .containsExactly(Outcome.Kind.TRANSPORT_FAILED, Outcome.Kind.ATTEMPT_TIMEOUT, Outcome.Kind.RESPONSE);
        assertThat(report.attemptReports())
                .extracting(attempt -> attempt.retryDelay().orElse(Duration.ZERO))
                .isEqualTo(allMs(10, 20, 0));
        assertThat(report.retryDelays()).isEqualTo(allMs(10, 20));
        assertThat(report.suppressed()).contains(Suppressed.NOT_RETRYABLE);
        assertThat(report.policyVersion()).isEqualTo("v7");
        assertThat(report.attachment()).containsSame(attachment);
        assertThat(report.startedNanos()).isEqualTo(world.time.instant(ms(1)));
        assertThat(report.endedNanos() - report.startedNanos()).isEqualTo(ms(138).toNanos());
        world.assertClean();
    }
}
