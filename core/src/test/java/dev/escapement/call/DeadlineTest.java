package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** P3, T2–T5, A1, A4: one absolute deadline over everything a call does. */
class DeadlineTest {

    @ParameterizedTest(name = "T2 origin {0}")
    @DisplayName("T2 three attempts of up to 1,000 each, with backoff, end at the deadline of 1,000 and not later")
    @MethodSource("dev.escapement.call.World#origins")
    void oneDeadlineCoversAttemptsAndBackoff(long origin) {
        World world = new World(origin)
                .policy(p -> p.attemptTimeout(ms(1_000))
                        .maxRetries(2)
                        .attemptFit(AttemptFit.CLIPPED)
                        .minimumAttempt(ms(0)));
        world.transport.on(1).failAfter(ms(400), Kind.RESET);
        world.transport.on(2).failAfter(ms(400), Kind.RESET);
        world.transport.on(3).hangAfterWrite();

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(1_000));
        assertThat(world.sentAt()).isEqualTo(allMs(0, 410, 830));
        assertThat(world.transport.attempts())
                .extracting(attempt -> attempt.exchange().deadlineNanos())
                .containsOnly(world.time.instant(ms(1_000)));
        world.assertClean();
    }

    @ParameterizedTest(name = "T3 deadline from {0}: ends at {1}")
    @DisplayName("T3 the deadline counts from entry, or from the grant of the permit")
    @CsvSource({"ENTRY, 1000", "PERMIT, 1300"})
    void theDeadlineCountsFromItsOrigin(DeadlineOrigin counted, long endsAtMillis) {
        World world = new World()
                .policy(p -> p.deadlineOrigin(counted).attemptTimeout(ms(2_000)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.runTo(ms(300));
        assertThat(world.transport.sends()).isZero();
        world.givePermit();
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(300));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(endsAtMillis));
        world.assertClean();
    }

    @Test
    @DisplayName("T3 with a permit for each attempt there is none for the call, and its deadline counts from entry")
    void aPermitForEachAttemptCountsFromEntry() {
        World world = new World()
                .policy(p -> p.deadlineOrigin(DeadlineOrigin.PERMIT)
                        .permitScope(PermitScope.ATTEMPT)
                        .attemptTimeout(ms(2_000)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.runTo(ms(300));
        world.givePermit();
        world.time.runUntilIdle();

        assertThat(world.endedAt()).isEqualTo(ms(1_000));
        world.assertClean();
    }

    @ParameterizedTest(name = "T3 origin {0}, own deadline {1} ns from the policy's")
    @DisplayName("T3 a caller's own deadline counts where it is earlier, and the policy caps a later one")
    @MethodSource("dev.escapement.call.World#edges")
    void thePolicyCapsTheCallersDeadline(long origin, long edge) {
        World world = new World(origin).policy(p -> p.attemptTimeout(ms(2_000)));
        world.transport.on(1).hangAfterWrite();

        world.call(GET, CallOptions.none().withDeadlineNanos(world.time.instant(ms(1_000)) + edge));
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(1_000).plusNanos(Math.min(edge, 0)));
        world.assertClean();
    }

    @Test
    @DisplayName("T3 the caller's own deadline bounds the wait where the policy's counts from the permit")
    void theCallersDeadlineBoundsTheWait() {
        World world = new World()
                .policy(p -> p.deadlineOrigin(DeadlineOrigin.PERMIT))
                .permits(1, 1)
                .holdPermits();

        world.call(GET, CallOptions.none().withDeadlineNanos(world.time.instant(ms(200))));
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(200));
        world.givePermit();
        world.assertClean();
    }

    @ParameterizedTest(name = "T4 A1 at {0}: {1}")
    @DisplayName(
            "T4 A1 an attempt gets min(cap 500, deadline 1,900 − now − reserve 100), and is not made where that is nothing")
    @CsvSource({"1250, 500", "1850, 0", "1300, 500", "1301, 499", "1799, 1", "1800, 0"})
    void anAttemptGetsWhatIsLeftAfterTheReserve(long atMillis, long timeoutMillis) {
        World world = new World(ms(1_000).toNanos())
                .policy(ms(900), p -> p.attemptTimeout(ms(500)).cleanupReserve(ms(100)))
                .permits(1, 1)
                .holdPermits();
        world.transport.otherwise().hangAfterWrite();
        world.call(GET);

        world.time.advanceTo(ms(atMillis).toNanos());
        world.givePermit();

        if (timeoutMillis == 0) {
            assertThat(world.transport.sends()).isZero();
            assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
            assertThat(world.report().endedNanos()).isEqualTo(ms(atMillis).toNanos());
        } else {
            SimulatedAttempt attempt = world.transport.attempt(1);
            assertThat(attempt.exchange().deadlineNanos() - world.time.now())
                    .isEqualTo(ms(timeoutMillis).toNanos());
        }
        world.time.runUntilIdle();
        world.assertClean();
    }

    @Test
    @DisplayName(
            "T2 T4 E4 evt-4821: a permit after 310 that is looked at at 360 leaves 640, of which the attempt gets 540 and ends at 900")
    void evt4821() {
        World world = new World()
                .policy(p -> p.attemptTimeout(ms(600)).cleanupReserve(ms(100)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).hangAfterWrite();
        world.call(POST);
        world.runTo(ms(310));

        world.time.callOuts().after(CallOut.EXECUTE, 1).run(() -> world.stallTo(ms(360)));
        world.givePermit();
        assertThat(world.sentAt()).isEqualTo(allMs(360));
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.endedAt()).isEqualTo(ms(900));
        assertThat(world.report().ambiguous()).isTrue();
        world.assertClean();
    }

    // ---- P3: a budget already spent

    @ParameterizedTest(name = "P3 home {0}")
    @DisplayName("P3 an overall timeout of 0 is an overall deadline, and nothing is sent")
    @EnumSource(VirtualTime.Home.class)
    void aSpentBudgetSendsNothing(VirtualTime.Home home) {
        World world = new World(new VirtualTime(0, home)).policy(ms(0), p -> p);

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.report().attempts()).isZero();
        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("P3 T3 a spent budget that counts from the permit waits for it first, and gives it back")
    void aSpentBudgetFromThePermitWaitsForIt() {
        World world = new World()
                .policy(ms(0), p -> p.deadlineOrigin(DeadlineOrigin.PERMIT))
                .permits(1, 1)
                .holdPermits();

        world.call(GET);
        world.runTo(ms(50));
        assertThat(world.reports).isEmpty();
        world.givePermit();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(50));
        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    // ---- A1: every start

    @ParameterizedTest(name = "A1 origin {0}, own deadline {1} ns from now")
    @DisplayName("A1 the first attempt is not made at the deadline or after it")
    @MethodSource("dev.escapement.call.World#edges")
    void noFirstAttemptAtTheDeadline(long origin, long edge) {
        World world = new World(origin);
        world.transport.otherwise().answer(200);
        world.runTo(ms(5));

        world.call(GET, CallOptions.none().withDeadlineNanos(world.time.now() + edge));

        assertThat(world.transport.sends()).isEqualTo(edge > 0 ? 1 : 0);
        assertThat(world.kind()).isEqualTo(edge > 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.OVERALL_DEADLINE);
        world.assertClean();
    }

    @ParameterizedTest(name = "A1 R6 origin {0}, woken {1} ns from the end of what is left after the reserve")
    @DisplayName("A1 R6 T4 a backoff seen late is judged by what is left after the reserve alone, fit or not")
    @MethodSource("dev.escapement.call.World#edges")
    void aLateRetryTakesWhatIsLeft(long origin, long edge) {
        World world = new World(origin).policy(p -> p.cleanupReserve(ms(30)));
        world.transport.on(1).fail(Kind.RESET);
        world.transport.on(2).hangAfterWrite();
        world.call(GET);

        world.stallTo(ms(970).plusNanos(edge));
        world.time.runReady();

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 2 : 1);
        if (edge < 0) {
            assertThat(world.transport.attempt(2).exchange().deadlineNanos()).isEqualTo(world.time.instant(ms(970)));
        } else {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        }
        world.time.runUntilIdle();
        world.assertClean();
    }

    // ---- A4: the send

    @ParameterizedTest(name = "A4 origin {0}, {1} ns over 1 ms")
    @DisplayName(
            "A4 a send that takes over 1 ms is counted once, completed inside or not; a slow answer to a quick send is not")
    @MethodSource("dev.escapement.call.World#edges")
    void aSlowSendIsCounted(long origin, long edge) {
        World world = new World(origin);
        world.transport.on(1).stall(ms(1).plusNanos(edge)).answer(200);
        world.transport.on(2).stall(ms(1).plusNanos(edge)).hangAfterWrite();
        world.transport.on(3).answer(200);
        world.transport.on(4).answerAfter(ms(50), 200);

        world.call(GET);
        world.call(GET).cancel();
        world.call(GET);
        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.client().figures().slowSends()).isEqualTo(edge > 0 ? 2 : 0);
        world.assertClean();
    }

    @ParameterizedTest(name = "A4 origin {0}, completed {1} ns from the deadline")
    @DisplayName("A4 a send that lets the clock pass the deadline and completes inline has lost")
    @MethodSource("dev.escapement.call.World#edges")
    void anInlineCompletionAfterTheDeadlineHasLost(long origin, long edge) {
        Duration late = ms(100).plusNanos(edge);
        World overall = new World(origin).policy(ms(100), p -> p.maxRetries(0).attemptTimeout(ms(1_000)));
        World attempt = new World(origin).policy(p -> p.maxRetries(0));
        overall.transport.on(1).stall(late).answer(200);
        attempt.transport.on(1).stall(late).answer(200);

        overall.call(GET);
        attempt.call(GET);

        assertThat(overall.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.OVERALL_DEADLINE);
        assertThat(attempt.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(overall.client().figures().lateResults()).isEqualTo(edge < 0 ? 0 : 1);
        overall.assertClean();
        attempt.assertClean();
    }
}
