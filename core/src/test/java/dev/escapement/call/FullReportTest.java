package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Request;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.LaneKind;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.ReportDetail;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** E5, O1: what a report in full detail says of each attempt, and when; one in basic detail says none of it. */
class FullReportTest {

    private static final Endpoint SERVER = Endpoint.of(GET.uri());

    private World world = world(1_000_000);

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }

    private static World world(long origin) {
        World world = new World(origin);
        return full(world, p -> p);
    }

    private static World full(World world, UnaryOperator<PolicyBuilder> with) {
        return world.policy(p -> with.apply(p.reportDetail(ReportDetail.FULL)));
    }

    private AttemptDetail detail(int ordinal) {
        return world.report().attemptReports().get(ordinal - 1).detail().orElseThrow();
    }

    private Duration sinceOrigin(long instantNanos) {
        return World.ns(instantNanos - world.time.instant(Duration.ZERO));
    }

    private Optional<Duration> sinceOrigin(OptionalLong instant) {
        return instant.isPresent() ? Optional.of(sinceOrigin(instant.getAsLong())) : Optional.empty();
    }

    /** Due, started, connected, sending, sent, replied, ended, in milliseconds since the world's beginning; −1 for none. */
    private void assertInstants(AttemptDetail detail, long... millis) {
        List<Optional<Duration>> expected = new ArrayList<>();
        for (long instant : millis) {
            expected.add(instant < 0 ? Optional.empty() : Optional.of(ms(instant)));
        }
        assertThat(List.of(
                        Optional.of(sinceOrigin(detail.dueNanos())),
                        Optional.of(sinceOrigin(detail.startedNanos())),
                        sinceOrigin(detail.connected()),
                        sinceOrigin(detail.sending()),
                        sinceOrigin(detail.sent()),
                        sinceOrigin(detail.replied()),
                        Optional.of(sinceOrigin(detail.endedNanos()))))
                .isEqualTo(expected);
    }

    // ---- One attempt

    @ParameterizedTest(name = "E5 origin {0}")
    @DisplayName("E5 each step has its instant: due, started, connected, sending, sent, replied, ended")
    @MethodSource("dev.escapement.call.World#origins")
    void eachStepHasItsInstant(long origin) {
        world = world(origin).permits(1, 1).holdPermits();
        world.transport
                .on(1)
                .pause(ms(20))
                .connectReused()
                .pause(ms(10))
                .write(5)
                .pause(ms(3))
                .writeAll()
                .pause(ms(40))
                .beginReply()
                .pause(ms(2))
                .beginReply()
                .pause(ms(5))
                .answer(200);

        world.call(GET);
        world.runTo(ms(310));
        world.givePermit();
        world.time.runUntilIdle();

        AttemptDetail detail = detail(1);
        assertInstants(detail, 0, 310, 330, 340, 343, 383, 390);
        assertThat(detail.lane()).isEqualTo(LaneKind.FIRST);
        assertThat(detail.endpoint()).isEqualTo(SERVER);
        assertThat(detail.queueTime()).isEqualTo(ms(310));
        assertThat(detail.connectTime()).contains(ms(20));
        assertThat(detail.serviceTime()).isEqualTo(ms(80));
        assertThat(sinceOrigin(detail.deadlineNanos())).isEqualTo(ms(1_000));
        assertThat(detail.remainingAtStart()).isEqualTo(ms(690));
        assertThat(detail.remainingAtEnd()).isEqualTo(ms(610));
        assertThat(detail.reusedConnection()).isTrue();
        assertThat(detail.writtenBytes()).isEqualTo(SimulatedAttempt.sizeOf(GET));
    }

    @Test
    @DisplayName("E5 a step that was not reached, or that a transport cannot see, has none")
    void aStepThatWasNotReachedHasNone() {
        full(world, p -> p.maxRetries(0));
        world.transport.on(1).pause(ms(5)).fail(Kind.REFUSED);
        world.transport.on(2).connect().pause(ms(5)).fail(Kind.RESET);
        world.transport.on(3).writeUnknown().pause(ms(5)).fail(Kind.RESET);

        for (int i = 0; i < 3; i++) {
            world.call(GET);
        }
        world.time.runUntilIdle();

        assertInstants(only(0), 0, 0, -1, -1, -1, -1, 5);
        assertThat(only(0).connectTime()).isEmpty();
        assertInstants(only(1), 0, 0, 0, -1, -1, -1, 5);
        assertInstants(only(2), 0, 0, 0, 0, -1, -1, 5);
        assertThat(only(2).reusedConnection()).isFalse();
        assertThat(only(2).writtenBytes()).isZero();
    }

    private AttemptDetail only(int call) {
        List<AttemptReport> attempts = world.reports.get(call).attemptReports();
        assertThat(attempts).hasSize(1);
        return attempts.get(0).detail().orElseThrow();
    }

    @Test
    @DisplayName("E5 R10 where a stale connection was replaced, connected and sending are those of the one that served")
    void aReplacedConnection() {
        world.transport
                .on(1)
                .connectReused()
                .writeNothing()
                .pause(ms(7))
                .connect()
                .pause(ms(1))
                .answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertInstants(detail(1), 0, 0, 7, 8, 8, 8, 8);
        assertThat(detail(1).reusedConnection()).isFalse();
        assertThat(world.report().replacedConnections()).isEqualTo(1);
    }

    @Test
    @DisplayName("E5 a reply that came before a late look ended when it was looked at; its own stamps are earlier")
    void aLateLook() {
        world.transport.on(1).hangAfterWrite();
        world.call(GET);

        world.atOneLook(() -> {
            world.time.stall(ms(30));
            world.transport.attempt(1).answerCleanly(200);
            world.time.stall(ms(12));
        });

        assertInstants(detail(1), 0, 0, 0, 0, 0, 30, 42);
    }

    // ---- Retries

    @Test
    @DisplayName(
            "E5 O1 a retry is due at the end of its backoff; what comes after that, a late look or a permit, is queueing")
    void aRetryIsDueAtTheEndOfItsBackoff() {
        full(world, p -> p.maxRetries(2).permitScope(PermitScope.ATTEMPT)).permits(1, 1);
        world.transport.on(1).writeAll().pause(ms(50)).answer(503);
        world.transport.on(2).pause(ms(4)).fail(Kind.REFUSED);
        world.transport.on(3).answerAfter(ms(6), 200);
        world.call(GET);
        world.runTo(ms(50));
        world.stallTo(ms(63));
        world.time.runReady();
        world.runTo(ms(67));
        world.holdPermits();
        world.runTo(ms(95));
        world.givePermit();

        world.time.runUntilIdle();

        assertThat(world.report().retryDelays()).isEqualTo(World.allMs(10, 20));
        assertInstants(detail(1), 0, 0, 0, 0, 0, 50, 50);
        assertInstants(detail(2), 60, 63, -1, -1, -1, -1, 67);
        assertInstants(detail(3), 87, 95, 95, 95, 95, 101, 101);
        assertThat(world.report().attemptReports())
                .extracting(attempt -> attempt.detail().orElseThrow().lane())
                .containsExactly(LaneKind.FIRST, LaneKind.RETRY, LaneKind.RETRY);
        assertPartsMakeTheWhole(world.report());
    }

    /** O1: queue + backoff + attempts = call, exactly, where the call ended with an attempt. */
    private static void assertPartsMakeTheWhole(Report report) {
        Duration parts = Duration.ZERO;
        for (AttemptReport attempt : report.attemptReports()) {
            AttemptDetail detail = attempt.detail().orElseThrow();
            parts = parts.plus(detail.queueTime()).plus(detail.serviceTime());
            parts = parts.plus(attempt.retryDelay().orElse(Duration.ZERO));
        }
        assertThat(parts).isEqualTo(World.ns(report.endedNanos() - report.startedNanos()));
    }

    @Test
    @DisplayName("E5 each attempt says where it went")
    void whereEachAttemptWent() {
        List<Endpoint> picks = List.of(Endpoint.of("http://a.test"), Endpoint.of("http://b.test"));
        world.client(builder -> builder.endpoints((request, ordinal, view) -> Optional.of(picks.get(ordinal - 1))));
        world.transport.on(1).fail(Kind.REFUSED);
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().attemptReports())
                .extracting(attempt -> attempt.detail().orElseThrow().endpoint())
                .isEqualTo(picks);
    }

    // ---- Cut short

    @Test
    @DisplayName("E5 an attempt timeout ends when it is looked at")
    void anAttemptTimeout() {
        full(world, p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.stallTo(ms(104));
        world.time.runReady();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertInstants(detail(1), 0, 0, 0, 0, 0, -1, 104);
    }

    @Test
    @DisplayName("E5 an attempt that its call's cancellation cut short ends with it")
    void cutShortByCancellation() {
        world.transport.on(1).answer(503);
        world.transport.on(2).pause(ms(3)).hangAfterWrite();
        Call call = world.call(GET);
        world.runTo(ms(20));

        call.cancel();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertInstants(detail(2), 10, 10, 13, 13, 13, -1, 20);
        assertThat(detail(2).lane()).isEqualTo(LaneKind.RETRY);
        assertThat(world.report().attemptReports().get(1).outcome()).isEqualTo(Outcome.Cancelled.INSTANCE);
        assertThat(detail(2).remainingAtEnd()).isEqualTo(ms(980));
    }

    @Test
    @DisplayName(
            "E5 what is left at the end is negative where the deadline was seen late, of the deadline and not of the end")
    void cutShortByTheDeadline() {
        world.policy(ms(50), p -> p.reportDetail(ReportDetail.FULL));
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.stallTo(ms(51));
        world.time.runReady();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(sinceOrigin(detail(1).deadlineNanos())).isEqualTo(ms(50));
        assertThat(detail(1).remainingAtEnd()).isEqualTo(ms(1).negated());
    }

    @Test
    @DisplayName("E5 what the call's end brings after the attempt's own changes nothing of it")
    void theEndInABackoffAddsNothing() {
        world.transport.on(1).answerAfter(ms(5), 503);
        Call call = world.call(GET);
        world.runTo(ms(9));

        call.cancel();

        assertThat(world.report().attemptReports()).hasSize(1);
        assertInstants(detail(1), 0, 0, 0, 0, 0, 5, 5);
    }

    @Test
    @DisplayName("E1 E5 a first byte that was asked for after the end never could leave: it has no instant")
    void aRefusedFirstByteHasNoInstant() {
        world.transport.on(1).connect().hang();
        Call call = world.call(POST);
        world.time
                .callOuts()
                .before(CallOut.ABANDON, 1)
                .run(() -> assertThat(world.transport.attempt(1).write(17)).isFalse());

        call.cancel();

        assertThat(world.report().attemptReports().get(0).progress()).isEqualTo(Progress.NOT_STARTED);
        assertInstants(detail(1), 0, 0, 0, -1, -1, -1, 0);
        assertThat(detail(1).writtenBytes()).isZero();
    }

    // ---- What is not in detail

    @Test
    @DisplayName("E5 BASIC has no detail, for retries neither, and asks the clock no more often than the looks need it")
    void basicHasNone() {
        world.policy(p -> p.reportDetail(ReportDetail.BASIC));
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);

        world.call(GET);
        int before = world.time.callOuts().count(CallOut.CLOCK_READ);
        world.time.runUntilIdle();

        assertThat(world.report().attemptReports())
                .hasSize(2)
                .allSatisfy(attempt -> assertThat(attempt.detail()).isEmpty());
        assertThat(world.time.callOuts().count(CallOut.CLOCK_READ)).isEqualTo(before + 2);
    }

    @Test
    @DisplayName("E5 a picker's client keeps where attempts went, and shows it in full detail alone")
    void basicWithAPickerHasNone() {
        world.policy(p -> p.reportDetail(ReportDetail.BASIC))
                .client(builder -> builder.endpoints((request, ordinal, view) -> Optional.of(SERVER)));
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().attemptReports())
                .hasSize(2)
                .allSatisfy(attempt -> assertThat(attempt.detail()).isEmpty());
    }

    @Test
    @DisplayName("E5 a call that was never let in has no attempts to tell of")
    void rejected() {
        world.permits(1, 0).holdPermits();

        world.call(GET);

        assertThat(world.report().attemptReports()).isEmpty();
        world.givePermit();
    }

    // ---- A clock that breaks

    /** Which stamp is which reading: one at entry, then one a step. */
    @ParameterizedTest(name = "E5 A5 the clock throws at stamp {0}")
    @DisplayName(
            "E5 A5 a clock that throws in a stamp breaks nothing: that step has no instant, the others have theirs")
    @ValueSource(ints = {1, 2, 3, 4})
    void aClockThatThrowsInAStamp(int stamp) {
        world.client();
        world.transport.on(1).answer(200);
        int reads = world.time.callOuts().count(CallOut.CLOCK_READ);
        world.time.callOuts().before(CallOut.CLOCK_READ, reads + 1 + stamp).raise(new IllegalStateException("bug"));

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(detail(1).connected().isPresent()).isEqualTo(stamp != 1);
        assertThat(detail(1).sending().isPresent()).isEqualTo(stamp != 2);
        assertThat(detail(1).sent().isPresent()).isEqualTo(stamp != 3);
        assertThat(detail(1).replied().isPresent()).isEqualTo(stamp != 4);
    }

    @Test
    @DisplayName("E5 A5 a clock that throws from a first stamp on ends the call as broken, with the detail there is")
    void aClockThatThrowsFromThereOn() {
        world.client();
        AttemptScript script = world.transport.on(1);
        script.connect()
                .act(attempt ->
                        world.time.callOuts().beforeEach(CallOut.CLOCK_READ).raise(new IllegalStateException("bug")))
                .writeAll()
                .hang();

        world.client().call(GET, CallOptions.none(), world.reports::add);
        world.time.callOuts().clear();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
        assertInstants(detail(1), 0, 0, 0, -1, -1, -1, 0);
        assertThat(world.report().attemptReports().get(0).progress()).isEqualTo(Progress.COMPLETE);
    }

    // ---- VECTORS

    @ParameterizedTest(name = "E5 evt-4821, report detail {0}")
    @DisplayName("E4 E5 evt-4821: accepted 03.000, permit after 310, sent .360, deadline 04.000, timeout seen 04.001")
    @EnumSource(ReportDetail.class)
    void event4821(ReportDetail reportDetail) {
        world = new World(new VirtualTime(ms(3_000).toNanos()))
                .policy(p -> p.attemptTimeout(ms(1_000)).maxRetries(0).reportDetail(reportDetail))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).pause(ms(50)).hangAfterWrite();
        world.call(POST, CallOptions.none().withIdempotencyKey("evt-4821"));
        world.runTo(ms(310));
        world.givePermit();
        world.runTo(ms(360));

        world.stallTo(ms(1_001));
        world.time.runReady();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.report().startedNanos()).isEqualTo(ms(3_000).toNanos());
        assertThat(world.report().endedNanos()).isEqualTo(ms(4_001).toNanos());
        assertThat(world.report().ambiguous()).isTrue();
        Optional<AttemptDetail> detail = world.report().attemptReports().get(0).detail();
        assertThat(detail.isPresent()).isEqualTo(reportDetail == ReportDetail.FULL);
        detail.ifPresent(known -> {
            assertInstants(known, 0, 310, 360, 360, 360, -1, 1_001);
            assertThat(known.deadlineNanos()).isEqualTo(ms(4_000).toNanos());
            assertThat(known.queueTime()).isEqualTo(ms(310));
            assertThat(known.remainingAtEnd()).isEqualTo(ms(1).negated());
        });
    }

    @Test
    @DisplayName("T4 E5 evt-4821: an attempt at .360 has 640 left; with a reserve of 100 it gets 540 and ends 03.900")
    void event4821WithReserve() {
        world = new World(new VirtualTime(ms(3_000).toNanos()));
        full(world, p -> p.attemptTimeout(ms(1_000)).maxRetries(0).cleanupReserve(ms(100)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).hangAfterWrite();
        world.call(POST);
        world.runTo(ms(360));
        world.givePermit();

        world.time.runUntilIdle();

        assertThat(world.transport.attempt(1).exchange().deadlineNanos())
                .isEqualTo(ms(3_900).toNanos());
        assertThat(detail(1).remainingAtStart()).isEqualTo(ms(640));
        assertThat(detail(1).serviceTime()).isEqualTo(ms(540));
        assertThat(detail(1).endedNanos()).isEqualTo(ms(3_900).toNanos());
        assertThat(detail(1).remainingAtEnd()).isEqualTo(ms(100));
    }

    @Test
    @DisplayName("The endpoint of a URI with a port of its own, over TLS, is told as it is")
    void anEndpointAsItIs() {
        world.transport.on(1).answer(200);

        world.call(Request.get("https://Server.test:8443/alpha"));

        assertThat(detail(1).endpoint()).isEqualTo(Endpoint.of("https://server.test:8443"));
    }

    @Test
    @DisplayName(
            "O2 a full report tells, by attempt, its number, failure class, backoff and remaining budget, and why no retry followed")
    void tellsWhatEventsCarry() {
        world.transport.otherwise().answerAfter(ms(20), 503);

        world.call(GET);
        world.time.runUntilIdle();

        AttemptReport first = world.report().attemptReports().get(0);
        assertThat(first.ordinal()).isEqualTo(1);
        assertThat(first.failure().orElseThrow().permanence()).isEqualTo(TransportFailure.Permanence.TRANSIENT);
        assertThat(first.retryDelay()).contains(ms(10));
        assertThat(first.detail().orElseThrow().remainingAtStart()).isEqualTo(ms(1_000));
        assertThat(first.detail().orElseThrow().remainingAtEnd()).isEqualTo(ms(980));
        AttemptReport second = world.report().attemptReports().get(1);
        assertThat(second.ordinal()).isEqualTo(2);
        assertThat(second.retryDelay()).isEmpty();
        assertThat(second.detail().orElseThrow().remainingAtEnd()).isEqualTo(ms(950));
        assertThat(world.report().suppressed()).contains(Suppressed.ATTEMPTS_USED);
    }
}
