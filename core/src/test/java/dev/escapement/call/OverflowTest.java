package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.report.Outcome;
import dev.escapement.report.Outcome.PolicyTimeOverflow.Which;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P4: a client built in time finds the clock near its last reading, where sums of policy time do not fit any more. */
class OverflowTest {

    /** What the clock has left when the call enters. */
    private static final Duration LEFT = ms(1_000);

    /** A world that was built 10 s before the clock's end and has come to {@link #LEFT} before it. */
    private static World late(Duration overall, UnaryOperator<PolicyBuilder> with) {
        World world = new World(Long.MAX_VALUE - ms(10_000).toNanos())
                .policy(overall, with)
                .permits(1, 1);
        world.client();
        world.time.advanceTo(Long.MAX_VALUE - LEFT.toNanos());
        return world;
    }

    private static void assertOverflow(World world, Which which, int attempts) {
        assertThat(world.report().outcome()).isEqualTo(new Outcome.PolicyTimeOverflow(which));
        assertThat(world.report().attempts()).isEqualTo(attempts);
        assertThat(world.report().retryDelays()).isEmpty();
        assertThat(world.transport.sends()).isEqualTo(attempts);
        assertThat(world.time.armedTimers()).isZero();
        world.assertClean();
    }

    @ParameterizedTest(name = "P4 {0} ns over what the clock has left")
    @DisplayName("P4 now + attempt timeout is checked before it is clipped to the deadline")
    @ValueSource(longs = {-1, 0, 1})
    void anAttemptTimeoutBeyondTheClockOverflows(long edge) {
        World world = late(ms(500), p -> p.attemptTimeout(LEFT.plusNanos(edge)));
        world.transport.otherwise().answer(200);

        world.call(GET);

        if (edge > 0) {
            assertOverflow(world, Which.ATTEMPT, 0);
        } else {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            world.assertClean();
        }
    }

    @ParameterizedTest(name = "P4 {0} ns over what the clock has left")
    @DisplayName("P4 an overall deadline beyond the clock overflows at entry")
    @ValueSource(longs = {-1, 0, 1})
    void anOverallTimeoutBeyondTheClockOverflows(long edge) {
        World world = late(LEFT.plusNanos(edge), p -> p);
        world.transport.otherwise().answer(200);

        world.call(GET);

        if (edge > 0) {
            assertOverflow(world, Which.OVERALL, 0);
        } else {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            world.assertClean();
        }
    }

    @Test
    @DisplayName(
            "P4 a deadline that counts from the permit overflows after the wait: no attempt, no delay, no timer, no send")
    void anOverallTimeoutOverflowsAfterTheWait() {
        World world = late(ms(700), p -> p.deadlineOrigin(DeadlineOrigin.PERMIT).attemptTimeout(ms(1)))
                .holdPermits();

        world.call(GET);
        world.time.advance(ms(300).plusNanos(1));
        world.givePermit();

        assertOverflow(world, Which.OVERALL, 0);
    }

    @Test
    @DisplayName(
            "P3 P4 A1 a spent budget is an overall deadline, also where the attempt's timeout does not fit the clock")
    void aSpentBudgetComesBeforeAnOverflow() {
        World world = late(ms(0), p -> p.deadlineOrigin(DeadlineOrigin.PERMIT).attemptTimeout(LEFT.plusNanos(1)));

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName(
            "P4 a wait for a permit that ends beyond the clock is bounded by the deadline, and no outcome of its own")
    void aQueueWaitBeyondTheClockIsNoOverflow() {
        World world = late(ms(500), p -> p.maxQueueWait(ms(2_000))).holdPermits();

        world.call(GET);
        world.time.advance(ms(500));

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        world.givePermit();
        world.assertClean();
    }

    @ParameterizedTest(name = "P4 {0} ns over what the clock has left")
    @DisplayName(
            "P4 B3 a backoff that ends beyond the clock overflows, with the last result kept; one that only cannot fit does not")
    @ValueSource(longs = {-1, 0, 1})
    void aBackoffBeyondTheClockOverflows(long edge) {
        World world = late(
                ms(500),
                p -> p.initialBackoff(LEFT.plusNanos(edge))
                        .maxBackoff(ms(5_000))
                        .attemptFit(AttemptFit.CLIPPED));
        world.transport.on(1).answer(503);

        world.call(GET);

        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(world.transport.bodies().held()).hasSize(1);
        if (edge > 0) {
            assertOverflow(world, Which.BACKOFF, 1);
        } else {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
            world.assertClean();
        }
    }

    @Test
    @DisplayName("P4 a server's hint beyond the clock is an overall deadline, never an overflow of policy time")
    void anOverflowingHintIsOverallDeadline() {
        World world = late(ms(500), p -> p);
        world.transport.on(1).answer(429, "Retry-After", "18446744073709551615");

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.report().attempts()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("P4 T2 a reserve that ends beyond the clock is no outcome, and bounds nothing")
    void aReserveBeyondTheClockIsNoOverflow() {
        World world = late(
                ms(900), p -> p.attemptTimeout(ms(1)).cleanupReserve(ms(850)).maxRetries(0));
        world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(300));

        world.call(GET);
        world.time.stall(ms(200));
        world.time.runReady();
        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.time.armedTimers()).isZero();
        world.time.advance(ms(300));

        assertThat(world.client().figures().forcedCleanups()).isZero();
        world.assertClean();
    }
}
