package dev.escapement.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The word of a call where two threads meet at it: no signal is lost, and never do two own the machine (A5). */
public final class SignalsRaces {

    private SignalsRaces() {}

    /** Two signals at an idle word. */
    @JCStressTest
    @Outcome(
            id = "true, false, 6",
            expect = ACCEPTABLE,
            desc = "the first signaller owns the machine, both bits are there")
    @Outcome(id = "false, true, 6", expect = ACCEPTABLE, desc = "the second does")
    @State
    public static class TwoSignals {

        private final Word word = new Word();

        public TwoSignals() {
            word.goIdle();
        }

        @Actor
        public void completed(ZZI_Result r) {
            r.r1 = word.set(Signals.COMPLETED);
        }

        @Actor
        public void woken(ZZI_Result r) {
            r.r2 = word.set(Signals.WOKEN);
        }

        @Arbiter
        public void take(ZZI_Result r) {
            r.r3 = word.take();
        }
    }

    /** A signal as the owner leaves. */
    @JCStressTest
    @Outcome(id = "true, true, 2", expect = ACCEPTABLE, desc = "the owner was gone: the signaller owns the machine")
    @Outcome(id = "false, false, 2", expect = ACCEPTABLE, desc = "the owner stays and looks again")
    @State
    public static class SignalAgainstLeaving {

        private final Word word = new Word();

        @Actor
        public void owner(ZZI_Result r) {
            r.r1 = word.goIdle();
        }

        @Actor
        public void signaller(ZZI_Result r) {
            r.r2 = word.set(Signals.COMPLETED);
        }

        @Arbiter
        public void take(ZZI_Result r) {
            r.r3 = word.take();
        }
    }

    /** A signal as the owner takes what there is. */
    @JCStressTest
    @Outcome(id = "6, 0", expect = ACCEPTABLE, desc = "this look has taken both")
    @Outcome(id = "4, 2", expect = ACCEPTABLE, desc = "the later one is left for the next look")
    @State
    public static class SignalAgainstTaking {

        private final Word word = new Word();

        public SignalAgainstTaking() {
            word.set(Signals.WOKEN);
        }

        @Actor
        public void owner(II_Result r) {
            r.r1 = word.take();
        }

        @Actor
        public void signaller() {
            word.set(Signals.COMPLETED);
        }

        @Arbiter
        public void take(II_Result r) {
            r.r2 = word.take();
        }
    }

    /** The home has queued the task and thrown all the same: the task and the thread that offered it want the machine. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the task runs it")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the offerer does")
    @State
    public static class TwoClaims {

        private final Word word = new Word();

        public TwoClaims() {
            word.offer();
        }

        @Actor
        public void task(ZZ_Result r) {
            r.r1 = word.claim();
        }

        @Actor
        public void offerer(ZZ_Result r) {
            r.r2 = word.claim();
        }
    }

    /** A signal as a machine that was handed over is claimed. */
    @JCStressTest
    @Outcome(id = "true, false, 2", expect = ACCEPTABLE, desc = "the claimer owns the machine and the bit is there")
    @State
    public static class SignalAgainstClaim {

        private final Word word = new Word();

        public SignalAgainstClaim() {
            word.offer();
        }

        @Actor
        public void task(ZZI_Result r) {
            r.r1 = word.claim();
        }

        @Actor
        public void signaller(ZZI_Result r) {
            r.r2 = word.set(Signals.COMPLETED);
        }

        @Arbiter
        public void take(ZZI_Result r) {
            r.r3 = word.take();
        }
    }

    /** A word without a machine: its owner is the test. */
    private static final class Word extends Signals {

        @Override
        public void fire() {}
    }
}
