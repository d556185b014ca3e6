package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.CallOuts;
import dev.escapement.report.Outcome;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A2, A5, S1: one thing happens at every place at which the machine has left its own code, and what it brings follows from the place. */
class LookTest {

    private enum Side {
        BEFORE,
        AFTER
    }

    /** A transport that is done with the attempt at 50 and answers then, so that the last look is the one that decides. */
    private static World answered() {
        World world = new World();
        world.client();
        world.time.callOuts().recordTrace();
        world.transport.on(1).writeAll().pause(ms(50)).clean().answer(200);
        return world;
    }

    private static CallMachine play(World world, CallMachine call) {
        call.start();
        world.time.runUntilIdle();
        return call;
    }

    private static List<CallOuts.Step> trace() {
        World world = answered();
        play(world, world.entered(GET));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        return world.time.callOuts().trace();
    }

    private static CallOuts.Placement at(World world, CallOuts.Step step, Side side) {
        CallOuts callOuts = world.time.callOuts();
        return side == Side.BEFORE ? callOuts.before(step) : callOuts.after(step);
    }

    private static int decidingRead(List<CallOuts.Step> trace) {
        int last = trace.size() - 1;
        while (trace.get(last).place() != CallOut.CLOCK_READ) {
            last--;
        }
        return last;
    }

    @ParameterizedTest(name = "A2 {0} each call-out")
    @DisplayName(
            "A2 the clock is read for the look that decides: a stall before that reading counts, one after it does not")
    @EnumSource(Side.class)
    void aStallBeforeTheDecidingReadingCounts(Side side) {
        List<CallOuts.Step> trace = trace();
        int deciding = decidingRead(trace);
        for (int i = 0; i < trace.size(); i++) {
            World world = answered();
            CallMachine call = world.entered(GET);
            at(world, trace.get(i), side).run(() -> world.time.stall(ms(1_000)));

            play(world, call);

            boolean late = i < deciding || (i == deciding && side == Side.BEFORE);
            assertThat(world.kind())
                    .as(side + " " + trace.get(i))
                    .isEqualTo(late ? Outcome.Kind.OVERALL_DEADLINE : Outcome.Kind.RESPONSE);
            world.assertClean();
        }
    }

    @ParameterizedTest(name = "A2 {0} each call-out")
    @DisplayName(
            "A2 signals are taken before the clock is read: a cancellation up to then counts, one after it waits for a next look")
    @EnumSource(Side.class)
    void aCancellationBeforeTheDecidingReadingCounts(Side side) {
        List<CallOuts.Step> trace = trace();
        int deciding = decidingRead(trace);
        for (int i = 0; i < trace.size(); i++) {
            World world = answered();
            CallMachine call = world.entered(GET);
            at(world, trace.get(i), side).run(call::cancel);

            play(world, call);

            assertThat(world.kind())
                    .as(side + " " + trace.get(i))
                    .isEqualTo(i < deciding ? Outcome.Kind.CANCELLED : Outcome.Kind.RESPONSE);
            world.assertClean();
        }
    }
}
