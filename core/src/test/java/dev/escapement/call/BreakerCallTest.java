package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.guard.BreakerState;
import dev.escapement.http.Request;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The circuit breaker as calls use it: a look at entry, a question after the grant, a verdict for each attempt, a place of a
 * trial given back however it ends (G2, L5, A6). {@link TrialPlaceTest} has that row of the cleanup matrix.
 */
class BreakerCallTest {

    private static final Endpoint SERVER = Endpoint.of("http://server.test");
    private static final Duration OPEN_PERIOD = ms(100);

    private World world = new World().policy(p -> p.maxRetries(0)).breaker(1, OPEN_PERIOD);

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        assertThat(world.client().endpointFigures())
                .allSatisfy(
                        figures -> assertThat(figures.breaker().trialsRunning()).isZero());
        world.assertClean();
    }

    /** The first call fails at once, which opens the breaker. */
    private World open() {
        world.transport.on(1).answer(503);
        world.call(GET);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);
        return world;
    }

    private void assertLastRefused() {
        assertThat(world.lastReport().outcome()).isEqualTo(new Outcome.Rejected(Outcome.Rejected.Reason.BREAKER_OPEN));
        assertThat(world.lastReport().attempts()).isZero();
        assertThat(world.lastReport().suppressed()).isEmpty();
    }

    private int held() {
        return world.client().figures().permitsHeld();
    }

    // ---- At entry

    @Test
    @DisplayName(
            "G2 L5 while open a call is turned away as it enters: nothing sent, no permit asked for, no deposit paid")
    void refusedAtEntry() {
        world.policy(p -> p.maxRetries(0).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))))
                .permits(1, 0);
        open().holdPermits();

        world.call(GET);

        assertLastRefused();
        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(world.breaker().rejected()).isEqualTo(1);
        assertThat(world.client().budgetFigures().deposits()).isEqualTo(1);
        world.givePermit();
    }

    @Test
    @DisplayName("P3 a budget that is spent comes before a breaker that is open")
    void theDeadlineComesFirst() {
        open();

        world.call(GET, CallOptions.none().withDeadlineNanos(world.time.now()));

        assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.breaker().rejected()).isZero();
    }

    @ParameterizedTest(name = "A6 origin {0}, {1} ns from the end of the open period")
    @DisplayName("G2 A6 the open period is over at its end, not before")
    @MethodSource("dev.escapement.call.World#edges")
    void theOpenPeriodEnds(long origin, long edge) {
        world = new World(origin).policy(p -> p.maxRetries(0)).breaker(1, OPEN_PERIOD);
        open();
        world.transport.on(2).answer(200);

        world.runTo(OPEN_PERIOD.plusNanos(edge));
        world.call(GET);

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 1 : 2);
        assertThat(world.breaker().state()).isEqualTo(edge < 0 ? BreakerState.OPEN : BreakerState.CLOSED);
    }

    @ParameterizedTest(name = "a call every {0} ms: {1} pass of the first eight")
    @DisplayName("G2 threshold 3, cool-down 100, each attempt as long as the interval")
    @CsvSource({"30, 1 2 3 8", "40, 1 2 3 7 8"})
    void vectors(long interval, String expected) {
        world.breaker(3, OPEN_PERIOD);
        for (int i = 1; i <= 3; i++) {
            world.transport.on(i).answerAfter(ms(interval), 503);
        }
        world.transport.otherwise().answerAfter(ms(interval), 200);

        List<String> passed = new ArrayList<>();
        for (int call = 1; call <= 8; call++) {
            world.runTo(ms(call * interval));
            int sends = world.transport.sends();
            world.call(GET);
            if (world.transport.sends() > sends) {
                passed.add(Integer.toString(call));
            }
        }

        assertThat(passed).containsExactly(expected.split(" "));
        assertThat(world.breaker().rejected()).isEqualTo(8 - passed.size());
    }

    // ---- After the grant

    @ParameterizedTest(name = "L5 permit for each {0}")
    @DisplayName(
            "L5 a call that was queued when the breaker opened is refused after its grant, and its permit goes back")
    @EnumSource(PermitScope.class)
    void refusedAfterTheGrant(PermitScope scope) {
        world.policy(p -> p.maxRetries(0).permitScope(scope)).permits(1, 1);
        world.transport.on(1).answerAfter(ms(10), 503);
        world.call(GET);
        world.call(GET);
        assertThat(world.client().figures().waiting()).isEqualTo(1);

        world.runTo(ms(10));

        assertThat(world.reports).hasSize(2);
        assertLastRefused();
        assertThat(world.endedAt(world.lastReport())).isEqualTo(ms(10));
        assertThat(world.transport.sends()).isEqualTo(1);
        assertThat(held()).isZero();
    }

    @ParameterizedTest(name = "L5 permit for each {0}")
    @DisplayName(
            "L5 no queued call sits on a trial place: it is asked for after the grant, and one of two granted gets it")
    @EnumSource(PermitScope.class)
    void noTrialPlaceWhileQueued(PermitScope scope) {
        world.policy(p -> p.maxRetries(0).permitScope(scope)).permits(2, 2);
        world.transport.on(2).answerAfter(ms(10), 200);
        open().holdPermits();
        world.runTo(OPEN_PERIOD);

        world.call(GET);
        world.call(GET);

        assertThat(world.client().figures().waiting()).isEqualTo(2);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);
        assertThat(world.breaker().trialsRunning()).isZero();
        world.givePermit();
        assertThat(world.breaker().trialsRunning()).isEqualTo(1);
        world.givePermit();
        assertLastRefused();
        assertThat(world.transport.sends()).isEqualTo(2);
        assertThat(held()).isEqualTo(1);
        world.time.runUntilIdle();
        assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("L5 a retry that waits for its permit holds no trial place either")
    void noTrialPlaceWhileARetryIsQueued() {
        world.policy(p -> p.permitScope(PermitScope.ATTEMPT).initialBackoff(OPEN_PERIOD))
                .permits(1, 1);
        world.transport.on(2).answer(200);
        open().holdPermits();

        world.runTo(OPEN_PERIOD.plusMillis(5));
        assertThat(world.client().figures().waiting()).isEqualTo(1);
        assertThat(world.breaker().trialsRunning()).isZero();
        world.givePermit();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName(
            "G4 after the trial admission grows from 10 %: the first passes, the next is refused, its permit comes back")
    void theRampRefusesAfterTheGrant() {
        world.transport.otherwise().answer(200);
        open();
        world.runTo(OPEN_PERIOD);

        for (int i = 0; i < 11; i++) {
            world.call(GET);
        }

        // The trial, the first of the ramp, and the one of the ten that follow.
        assertThat(world.transport.sends()).isEqualTo(1 + 2);
        assertLastRefused();
        assertThat(held()).isZero();
        world.call(GET);
        assertThat(world.transport.sends()).isEqualTo(4);
        world.runTo(OPEN_PERIOD.multipliedBy(2));
        for (int i = 0; i < 10; i++) {
            world.call(GET);
        }
        assertThat(world.transport.sends()).isEqualTo(14);
    }

    // ---- Retries

    private World retrying(long backoffNanos) {
        return world.policy(
                p -> p.initialBackoff(World.ns(backoffNanos)).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))));
    }

    private void assertSuppressedWithWholeResponse() {
        assertThat(world.lastReport().suppressed()).contains(Suppressed.BREAKER_OPEN);
        assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(((Outcome.Response) world.lastReport().outcome()).response().status())
                .isEqualTo(503);
        assertThat(world.transport.bodies().held()).hasSize(world.reports.size());
    }

    @Test
    @DisplayName(
            "R7 R9 a retry that the breaker would refuse is not made: the response stays whole, the budget is not asked")
    void suppressedByTheBreaker() {
        retrying(10_000_000);

        open();

        assertSuppressedWithWholeResponse();
        assertThat(world.endedAt()).isEqualTo(ms(0));
        assertThat(world.report().attempts()).isEqualTo(1);
        assertThat(world.report().retryDelays()).isEmpty();
        assertThat(world.breaker().rejected()).isEqualTo(1);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().budgetFigures().refused()).isZero();
    }

    @ParameterizedTest(name = "A6 origin {0}, due {1} ns from the end of the open period")
    @DisplayName("G2 A6 a retry that is due when the open period ends is made, as a trial; one before is not")
    @MethodSource("dev.escapement.call.World#edges")
    void aRetryDueAsTheOpenPeriodEnds(long origin, long edge) {
        world = new World(origin).breaker(1, OPEN_PERIOD);
        retrying(OPEN_PERIOD.toNanos() + edge);
        world.transport.on(2).answer(200);

        open();
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 1 : 2);
        if (edge < 0) {
            assertSuppressedWithWholeResponse();
            assertThat(world.endedAt()).isEqualTo(ms(0));
        } else {
            assertThat(world.report().suppressed()).isEmpty();
            assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @ParameterizedTest(name = "L5 permit for each {0}")
    @DisplayName(
            "G2 G1 E8 a breaker that opens during the backoff refuses the retry when due: reservation and permit go back")
    @EnumSource(PermitScope.class)
    void openedDuringTheBackoff(PermitScope scope) {
        world.policy(p ->
                p.initialBackoff(ms(20)).permitScope(scope).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))));
        world.breaker(2, OPEN_PERIOD);
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(503);
        world.call(GET);
        assertThat(world.client().budgetFigures().reserved()).isEqualTo(1);

        world.runTo(ms(15));
        world.call(GET);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);
        world.runTo(ms(20));

        assertThat(world.reports).hasSize(2);
        assertSuppressedWithWholeResponse();
        assertThat(world.lastReport().retryDelays()).containsExactly(ms(20));
        assertThat(world.lastReport().attempts()).isEqualTo(1);
        assertThat(world.endedAt(world.lastReport())).isEqualTo(ms(20));
        assertThat(world.transport.sends()).isEqualTo(2);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(held()).isZero();
    }

    @Test
    @DisplayName("G2 G3 the breaker says nothing of repeating: a POST that may have arrived ends as such, open or not")
    void theBreakerSaysNothingOfReplaySafety() {
        world.policy(p -> p.maxRetries(1));
        world.transport.on(1).writeAll().fail(Kind.RESET);

        world.call(World.POST);

        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);
        assertThat(world.report().suppressed()).contains(Suppressed.AMBIGUOUS_EFFECT);
        assertThat(world.breaker().rejected()).isZero();
    }

    // ---- Verdicts

    @ParameterizedTest(name = "G2 status {0}: failure {1}")
    @DisplayName("G2 failures are 5xx and 429, retried or not; any other answer is a success")
    @CsvSource({
        "200, false",
        "304, false",
        "404, false",
        "408, false",
        "428, false",
        "429, true",
        "499, false",
        "500, true",
        "501, true",
        "599, true"
    })
    void verdictOfAStatus(int status, boolean failure) {
        world.transport.on(1).answer(status);

        world.call(GET);

        assertThat(world.breaker().state()).isEqualTo(failure ? BreakerState.OPEN : BreakerState.CLOSED);
    }

    @ParameterizedTest(name = "G2 {0}")
    @DisplayName("G2 transport failures are failures, unless this side closed")
    @EnumSource(Kind.class)
    void verdictOfATransportFailure(Kind kind) {
        world.transport.on(1).fail(kind);

        world.call(GET);

        assertThat(world.breaker().state())
                .isEqualTo(kind == Kind.CLOSED_LOCALLY ? BreakerState.CLOSED : BreakerState.OPEN);
    }

    @ParameterizedTest(name = "G2 A6 reply {0} ns from the attempt''s deadline")
    @DisplayName("G2 A6 an attempt timeout is a failure, a success 1 ns earlier is none")
    @ValueSource(longs = {-1, 0, 1})
    void anAttemptTimeoutIsAFailure(long edge) {
        world.transport.on(1).answerAfter(ms(100).plusNanos(edge), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.breaker().state()).isEqualTo(edge < 0 ? BreakerState.CLOSED : BreakerState.OPEN);
    }

    @ParameterizedTest(name = "G2 A6 reply {0} ns from the deadline")
    @DisplayName("G2 A6 the deadline that passes during an attempt is a failure, and so is a reply that is seen at it")
    @ValueSource(longs = {-1, 0, 1})
    void aDeadlineDuringAnAttemptIsAFailure(long edge) {
        world.policy(ms(50), p -> p.maxRetries(0));
        world.transport.on(1).answerAfter(ms(50).plusNanos(edge), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.breaker().state()).isEqualTo(edge < 0 ? BreakerState.CLOSED : BreakerState.OPEN);
    }

    @Test
    @DisplayName("G2 a deadline that passes in the queue or in a backoff is no attempt's, and counts nowhere")
    void aDeadlineOutsideAnAttemptCountsNowhere() {
        world.policy(p -> p.initialBackoff(ms(500)).attemptFit(AttemptFit.CLIPPED));
        world.breaker(2, OPEN_PERIOD);
        world.transport.on(1).answer(503);

        world.call(GET);
        world.stallTo(ms(1_000));
        world.time.runReady();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(world.breaker().failed()).isEqualTo(1);
    }

    @Test
    @DisplayName("G2 the caller's cancellation is neutral")
    void cancellationIsNeutral() {
        world.transport.on(1).hangAfterWrite();

        world.call(GET).cancel();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(world.breaker().calls()).isZero();
    }

    @Test
    @DisplayName("G2 each attempt has one verdict: a call of three attempts counts three times")
    void oneVerdictAnAttempt() {
        world.policy(p -> p.maxRetries(2).initialBackoff(ms(0)));
        world.breaker(10, OPEN_PERIOD);
        world.transport.on(1).answer(503).answer(200);
        world.transport.on(2).fail(Kind.RESET);
        world.transport.on(3).answer(200).fail(Kind.RESET);

        world.call(GET);

        assertThat(world.breaker().calls()).isEqualTo(3);
        assertThat(world.breaker().failed()).isEqualTo(2);
        assertThat(world.breaker().stale()).isZero();
        assertThat(world.breaker().consecutiveFailures()).isZero();
    }

    @ParameterizedTest(name = "G2 A6 an answer {0} ns from slow")
    @DisplayName(
            "G2 A6 how long an attempt took is counted from its start: 0.8 × the attempt timeout or longer is slow")
    @ValueSource(longs = {-1, 0, 1})
    void slowAnswers(long edge) {
        world.breaker = BreakerSettings.builder()
                .minimumCalls(1)
                .slowRatePercent(100)
                .openPeriod(OPEN_PERIOD)
                .build();
        world.permits(1, 1).holdPermits();
        world.transport.on(1).answerAfter(ms(80).plusNanos(edge), 200);
        world.call(GET);
        world.runTo(ms(60));
        world.givePermit();

        world.time.runUntilIdle();

        assertThat(world.breaker().state()).isEqualTo(edge < 0 ? BreakerState.CLOSED : BreakerState.OPEN);
    }

    // ---- Generations

    @ParameterizedTest(name = "G2 status {0}")
    @DisplayName("G2 a result counts for the generation that admitted its attempt, and for none after it")
    @ValueSource(ints = {200, 503})
    void aStaleResultCountsNothing(int status) {
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).answer(503);
        world.call(GET);
        world.call(GET);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);

        world.transport.attempt(1).answerCleanly(status);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.OPEN);
        assertThat(world.breaker().generation()).isEqualTo(1);
        assertThat(world.breaker().stale()).isEqualTo(1);
    }

    @ParameterizedTest(name = "G2 status {0}")
    @DisplayName("G2 a result from before the trial neither ends the trial nor wins it")
    @ValueSource(ints = {200, 503})
    void aStaleResultDuringATrial(int status) {
        world.policy(p -> p.maxRetries(0).attemptTimeout(ms(500)));
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).answer(503);
        world.transport.on(3).hangAfterWrite();
        world.call(GET);
        world.call(GET);
        world.runTo(OPEN_PERIOD);
        world.call(GET);

        world.transport.attempt(1).answerCleanly(status);

        assertThat(world.breaker().state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(world.breaker().trialsRunning()).isEqualTo(1);
        assertThat(world.breaker().stale()).isEqualTo(1);
        world.transport.attempt(3).answerCleanly(200);
        assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("G2 opened by hand it refuses until it is closed by hand, whatever time passes")
    void byHand() {
        world.transport.otherwise().answer(200);
        assertThat(world.client().forceOpenBreaker(SERVER)).isTrue();

        world.call(GET);
        assertLastRefused();
        world.time.advance(Duration.ofDays(1));
        world.call(GET);
        assertLastRefused();
        assertThat(world.transport.sends()).isZero();

        world.client().closeBreaker(SERVER);
        for (int i = 0; i < 5; i++) {
            world.call(GET);
        }
        assertThat(world.transport.sends()).isEqualTo(5);
    }

    @Test
    @DisplayName("G2 what was opened by hand during an attempt stays open, whatever that brings")
    void byHandDuringAnAttempt() {
        world.transport.on(1).hangAfterWrite();
        world.call(GET);
        world.client().forceOpenBreaker(SERVER);

        world.transport.attempt(1).answerCleanly(200);

        assertThat(world.breaker().state()).isEqualTo(BreakerState.FORCED_OPEN);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }

    @Test
    @DisplayName("G2 a client without breakers opens none, by hand neither")
    void noBreaker() {
        World without = new World().policy(p -> p.maxRetries(0));
        without.transport.otherwise().answer(503);

        for (int i = 0; i < 20; i++) {
            without.call(GET);
        }

        assertThat(without.transport.sends()).isEqualTo(20);
        assertThat(without.client().forceOpenBreaker(SERVER)).isFalse();
        assertThat(without.client().endpointFigures()).isEmpty();
        without.assertClean();
    }

    @Test
    @DisplayName("G2 breakers stand per endpoint: one server's failures close no other's door")
    void perEndpoint() {
        world.transport
                .on(request -> "other.test".equals(request.uri().getHost()))
                .answer(200);
        open();

        world.call(Request.get("http://other.test/alpha"));

        assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.client().endpointFigures())
                .extracting(figures -> figures.breaker().state())
                .containsExactly(BreakerState.CLOSED, BreakerState.OPEN);
    }

    // ---- V3

    @Test
    @DisplayName("T1 V3 an hour's jump of the wall clock opens and closes nothing")
    void theWallClockIsNotAsked() {
        Instant[] wall = {Instant.parse("2026-03-29T00:59:59Z")};
        world.client(builder -> builder.wallClock(() -> wall[0]));
        world.transport.on(2).answer(200);
        open();

        wall[0] = wall[0].plusSeconds(3_600);
        world.runTo(OPEN_PERIOD.minusNanos(1));
        world.call(GET);
        assertLastRefused();
        wall[0] = wall[0].minusSeconds(7_200);
        world.runTo(OPEN_PERIOD);
        world.call(GET);

        assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }
}
