package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** L3, L4, T2: a permit comes home when its holder is clean, or by force at the end of the reserve; once. */
class PermitReturnTest {

    private static int held(World world) {
        return world.client().figures().permitsHeld();
    }

    private static long forced(World world) {
        return world.client().figures().forcedCleanups();
    }

    /** A call that times out at 100, with a reserve of 50 after its end. */
    private static World timesOutAt100(long origin) {
        return new World(origin).policy(p -> p.maxRetries(0).cleanupReserve(ms(50)));
    }

    @ParameterizedTest(name = "L4 E7 origin {0}, {1} ns from clean")
    @DisplayName("L4 E7 the report comes at once, the permit when the abandoned attempt is clean")
    @MethodSource("dev.escapement.call.World#edges")
    void thePermitReturnsWhenTheAttemptIsClean(long origin, long edge) {
        World world = timesOutAt100(origin);
        world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(30));

        world.call(GET);
        world.runTo(ms(100));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.transport.attempt(1).abandonedAt()).contains(ms(100));
        world.runTo(ms(130).plusNanos(edge));

        assertThat(held(world)).isEqualTo(edge < 0 ? 1 : 0);
        world.time.runUntilIdle();
        assertThat(forced(world)).isZero();
        world.assertClean();
    }

    @ParameterizedTest(name = "L4 T2 origin {0}, {1} ns from the end of the reserve")
    @DisplayName(
            "L4 T2 where a transport ignores abandonment the permit returns by force at the end of the reserve, counted from the end")
    @MethodSource("dev.escapement.call.World#edges")
    void thePermitReturnsByForceAtTheEndOfTheReserve(long origin, long edge) {
        World world = timesOutAt100(origin);
        world.transport.on(1).hangAfterWrite().ignoreAbandonment();

        world.call(GET);
        world.runTo(ms(150).plusNanos(edge));

        assertThat(held(world)).isEqualTo(edge < 0 ? 1 : 0);
        assertThat(forced(world)).isEqualTo(edge < 0 ? 0 : 1);
        world.time.runUntilIdle();
        assertThat(world.client().figures().asleep()).isZero();
        world.time.assertNothingLeft();
    }

    @Test
    @DisplayName("E7 how long calls held something after their end is measured, and only where they did")
    void theTimeFromEndToCleanIsMeasured() {
        World world = timesOutAt100(0);
        world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(30));
        world.transport.on(2).answer(200).pause(ms(7)).clean();
        world.transport.on(3).answer(200);
        world.transport.on(4).hangAfterWrite();

        for (int i = 0; i < 4; i++) {
            world.call(GET);
        }
        world.time.runUntilIdle();

        assertThat(world.client().figures().delayedCleanups()).isEqualTo(2);
        assertThat(world.client().figures().delayedCleanupNanos()).isEqualTo(ms(37).toNanos());
        world.assertClean();
    }

    @Test
    @DisplayName("T2 a reserve of 0 means forced at once")
    void aReserveOfZeroIsForcedAtOnce() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite().ignoreAbandonment();

        world.call(GET);
        world.runTo(ms(100));

        assertThat(held(world)).isZero();
        assertThat(forced(world)).isEqualTo(1);
        world.time.assertNothingLeft();
    }

    @Test
    @DisplayName(
            "L3 an attempt that is clean only after it was forced gives no second permit, and its late answer is let go")
    void cleaningAfterForceReturnsNothingTwice() {
        World world = timesOutAt100(0);
        world.transport.on(1).hangAfterWrite().ignoreAbandonment();
        world.call(GET);
        world.runTo(ms(200));

        world.transport.attempt(1).answerCleanly(200);

        assertThat(held(world)).isZero();
        assertThat(world.client().figures().lateResults()).isEqualTo(1);
        assertThat(world.transport.attempt(1).refusedResponses()).isEqualTo(1);
        world.assertClean();
    }

    @Test
    @DisplayName("L3 L5 what an attempt holds ends once: reporting itself clean twice gives one permit back")
    void cleaningTwiceReturnsOnePermit() {
        World world = timesOutAt100(0);
        world.transport.on(1).answer(200).clean().pause(ms(10)).clean();
        world.transport.on(2).hangAfterWrite();

        world.call(GET);
        world.call(GET);
        world.runTo(ms(10));

        assertThat(world.transport.attempt(1).cleanings()).isEqualTo(2);
        assertThat(held(world)).isEqualTo(1);
        world.time.runUntilIdle();
        assertThat(held(world)).isZero();
    }

    @Test
    @DisplayName("L4 a success is delivered before its attempt is clean, and keeps the permit until then")
    void aSuccessKeepsThePermitUntilClean() {
        World world = timesOutAt100(0);
        world.transport.on(1).answer(200).pause(ms(20)).clean();

        world.call(GET);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        world.runTo(ms(20).minusNanos(1));
        assertThat(held(world)).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(held(world)).isZero();
        assertThat(forced(world)).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("L1 L4 a permit for one attempt is kept until that attempt is clean; the retry takes another")
    void anAbandonedAttemptKeepsItsOwnPermit() {
        World world = new World()
                .policy(p -> p.permitScope(PermitScope.ATTEMPT)
                        .cleanupReserve(ms(50))
                        .attemptFit(AttemptFit.CLIPPED))
                .permits(2, 0);
        world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(40));
        world.transport.on(2).answerAfter(ms(50), 200);

        world.call(GET);
        world.runTo(ms(109));
        assertThat(held(world)).isEqualTo(1);
        world.runTo(ms(139));
        assertThat(held(world)).isEqualTo(2);
        world.runTo(ms(140));
        assertThat(held(world)).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 110));
        assertThat(held(world)).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("L1 L4 permits of attempts that never are clean return by force at the end of the call's reserve")
    void permitsOfAttemptsReturnByForce() {
        World world = new World()
                .policy(p -> p.permitScope(PermitScope.ATTEMPT)
                        .cleanupReserve(ms(50))
                        .attemptFit(AttemptFit.CLIPPED))
                .permits(2, 0);
        world.transport.otherwise().hangAfterWrite().ignoreAbandonment();

        world.call(GET);
        world.runTo(ms(210));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        world.runTo(ms(260).minusNanos(1));
        assertThat(held(world)).isEqualTo(2);
        world.runTo(ms(260));

        assertThat(held(world)).isZero();
        assertThat(forced(world)).isEqualTo(2);
        world.time.assertNothingLeft();
    }

    @ParameterizedTest(name = "L2 home {0}")
    @DisplayName("L2 100,000 waiters are served one after another without growing the stack")
    @EnumSource(VirtualTime.Home.class)
    void aHundredThousandWaitersStandOnOneStack(VirtualTime.Home home) {
        int waiters = 100_000;
        World world = new World(new VirtualTime(0, home))
                .policy(p -> p.cleanupReserve(Duration.ofMillis(1)))
                .permits(1, waiters)
                .holdPermits();
        world.transport.otherwise().answer(200);
        List<Integer> depths = new ArrayList<>();
        int[] ended = new int[1];
        IntStream.range(0, waiters)
                .forEach(i -> world.client().call(GET, CallOptions.none(), report -> {
                    report.release();
                    if (ended[0]++ % 10_000 == 5) {
                        depths.add(Thread.currentThread().getStackTrace().length);
                    }
                }));
        world.time.runReady();
        assertThat(world.client().figures().waiting()).isEqualTo(waiters);

        world.givePermit();

        assertThat(ended[0]).isEqualTo(waiters);
        assertThat(depths).hasSize(10).containsOnly(depths.get(0));
        world.assertClean();
    }
}
