package dev.escapement.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A wheel behind its lock: every timer that was armed comes out once, or was disarmed and does not (T6, T7). */
public final class WheelRaces {

    private static final long SOON = 1_000;
    private static final long LATER = 1_000_000_000;

    private WheelRaces() {}

    /** Disarming a timer as it is due. */
    @JCStressTest
    @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "disarmed: it does not fire")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "it fires, and disarming says so")
    @State
    public static class DisarmingAgainstFiring extends Wheel {

        public DisarmingAgainstFiring() {
            stripes.arm(timer, SOON);
        }

        @Actor
        public void owner(ZI_Result r) {
            r.r1 = stripes.disarm(timer);
        }

        @Actor
        public void poller(ZI_Result r) {
            r.r2 = fire(SOON);
        }
    }

    /** Arming a timer anew, for later, as it is due. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "moved: it fires later, once")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it fires now, and once more for being armed anew")
    @State
    public static class MovingAgainstFiring extends Wheel {

        public MovingAgainstFiring() {
            stripes.arm(timer, SOON);
        }

        @Actor
        public void owner() {
            stripes.arm(timer, LATER);
        }

        @Actor
        public void poller(II_Result r) {
            r.r1 = fire(SOON);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r2 = fire(LATER);
        }
    }

    /** Two threads arm a timer each. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both fire")
    @State
    public static class TwoArmings extends Wheel {

        private final Plain other = new Plain();

        @Actor
        public void owner() {
            stripes.arm(timer, SOON);
        }

        @Actor
        public void otherOwner() {
            stripes.arm(other, SOON);
        }

        @Arbiter
        public void later(I_Result r) {
            // What two would have done to the lists at once may be a ring, which no poll leaves.
            boolean sound = stripes.size() == 2 && timer.handle != other.handle;
            r.r1 = sound ? fire(SOON) : 0;
        }
    }

    /** Arming as the scheduler closes: seals the wheel, then takes out everything. */
    @JCStressTest
    @Outcome(id = "NO, 0", expect = ACCEPTABLE, desc = "refused: the caller fires it")
    @Outcome(id = "EARLIEST, 1", expect = ACCEPTABLE, desc = "armed: closing fires it")
    @State
    public static class ArmingAgainstClosing extends Wheel {

        @Actor
        public void owner(LI_Result r) {
            r.r1 = stripes.arm(timer, SOON);
        }

        @Actor
        public void closer(LI_Result r) {
            stripes.seal();
            r.r2 = fire(TimerWheel.NEVER);
        }
    }

    /** One stripe and a timer. */
    abstract static class Wheel {

        final Stripes stripes = new Stripes(1, 0);
        final Plain timer = new Plain();

        /** Takes out what is due and returns how many there were. */
        final int fire(long nowNanos) {
            return stripes.poll(0, nowNanos, new Timer[TimerWheel.STEP]);
        }
    }

    /** What fires is seen by its coming out. */
    private static final class Plain extends Timer {

        @Override
        public void fire() {}
    }
}
