package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Arming against disarming against polling, in every order of a few of each: what they answer is what some order of them,
 * one after the other, would have answered. So a timer that was disarmed never fires, and an armed one fires once.
 */
class StripesLincheckTest {

    @Test
    @DisplayName("T6 arm, disarm and poll are each one step, in every interleaving of a few")
    void armDisarmAndPollAreEachOneStep() {
        new ModelCheckingOptions()
                .iterations(12)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .check(OneStripe.class);
    }

    @Test
    @DisplayName("T6 arm, disarm and poll are each one step, on real threads")
    void armDisarmAndPollAreEachOneStepOnRealThreads() {
        new StressOptions()
                .iterations(8)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(4)
                .check(OneStripe.class);
    }

    @Test
    @DisplayName("The checker sees it where disarming believes its glance without the lock")
    void checkerSeesDisarmingThatBelievesItsGlance() {
        assertThatThrownBy(() -> new ModelCheckingOptions()
                        .iterations(40)
                        .invocationsPerIteration(500)
                        .threads(3)
                        .actorsPerThread(3)
                        .check(Gullible.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** Two timers, each armed and disarmed by one owner at a time, and anybody who polls. */
    public static class OneStripe {

        final CountingTimer[] timers = {new CountingTimer(), new CountingTimer()};
        final Stripes stripes = new Stripes(1, 0);

        @Operation(nonParallelGroup = "first")
        public Stripes.Armed armFirst(@Param(gen = BooleanGen.class) boolean later) {
            return arm(0, later);
        }

        @Operation(nonParallelGroup = "first")
        public boolean disarmFirst() {
            return disarm(timers[0]);
        }

        @Operation(nonParallelGroup = "second")
        public Stripes.Armed armSecond(@Param(gen = BooleanGen.class) boolean later) {
            return arm(1, later);
        }

        @Operation(nonParallelGroup = "second")
        public boolean disarmSecond() {
            return disarm(timers[1]);
        }

        /** Which of the two came out, as two bits: both are due, or only what was not armed for later. */
        @Operation
        public int poll(@Param(gen = BooleanGen.class) boolean later) {
            Timer[] due = new Timer[5];
            int count = stripes.poll(0, later ? 2_000_000 : 1_000_000, due);
            int fired = 0;
            for (int i = 0; i < count; i++) {
                fired |= due[i] == timers[0] ? 1 : 2;
            }
            return fired;
        }

        /** What is armed from now on would fire at once. */
        @Operation
        public void seal() {
            stripes.seal();
        }

        boolean disarm(Timer timer) {
            return stripes.disarm(timer);
        }

        private Stripes.Armed arm(int timer, boolean later) {
            // The bound is not part of the answer: when it moves depends on earlier polls that found nothing.
            Stripes.Armed armed = stripes.arm(timers[timer], later ? 1_500_000 : 500_000);
            return armed == Stripes.Armed.EARLIEST ? Stripes.Armed.YES : armed;
        }
    }

    /** As it would be without looking again under the lock. */
    public static class Gullible extends OneStripe {
        @Override
        boolean disarm(Timer timer) {
            boolean armed = timer.handle != Timer.IDLE;
            stripes.disarm(timer);
            return armed;
        }
    }
}
