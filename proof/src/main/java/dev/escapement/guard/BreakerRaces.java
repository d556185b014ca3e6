package dev.escapement.guard;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A breaker where two threads meet: transitions, trial places, and results of another generation (G2). */
public final class BreakerRaces {

    private static final long PERIOD = 100;

    /** When the open period is over. */
    private static final long NOW = PERIOD;

    private static final long LEASE_END = 2 * PERIOD;

    private static final BreakerSettings TWO_IN_A_ROW = settings(2, 1);
    private static final BreakerSettings ONE = settings(1, 1);
    private static final BreakerSettings TWO_TRIALS = settings(1, 2);

    private BreakerRaces() {}

    private static BreakerSettings settings(int consecutiveFailures, int trials) {
        return BreakerSettings.builder()
                .consecutiveFailures(consecutiveFailures)
                .countWindow(10)
                .minimumCalls(10)
                .openPeriod(Duration.ofNanos(PERIOD))
                .trials(trials)
                .build();
    }

    /** A breaker whose open period is over at {@link #NOW}. */
    private static CircuitBreaker open(BreakerSettings settings) {
        CircuitBreaker breaker = CircuitBreaker.of(settings);
        breaker.record(breaker.tryAdmit(0, PERIOD), Verdict.FAILURE, 0, 1);
        return breaker;
    }

    /** Two failures, of which two in a row open. */
    @JCStressTest
    @Outcome(id = "OPEN, 1", expect = ACCEPTABLE, desc = "opened, once")
    @State
    public static class TwoAtTheThreshold {

        private final CircuitBreaker breaker = CircuitBreaker.of(TWO_IN_A_ROW);
        private final int stamp = breaker.tryAdmit(0, PERIOD);

        @Actor
        public void first() {
            breaker.record(stamp, Verdict.FAILURE, 0, 1);
        }

        @Actor
        public void second() {
            breaker.record(stamp, Verdict.FAILURE, 0, 1);
        }

        @Arbiter
        public void state(LI_Result r) {
            BreakerFigures figures = breaker.figures(0);
            r.r1 = figures.state();
            r.r2 = (int) figures.openings();
        }
    }

    /** A failure that opens, and somebody who opens by hand: the hand has the last word. */
    @JCStressTest
    @Outcome(id = "FORCED_OPEN", expect = ACCEPTABLE, desc = "opened by hand, whatever the result has done before")
    @State
    public static class ResultAgainstOpeningByHand {

        private final CircuitBreaker breaker = CircuitBreaker.of(ONE);
        private final int stamp = breaker.tryAdmit(0, PERIOD);

        @Actor
        public void result() {
            breaker.record(stamp, Verdict.FAILURE, 0, 1);
        }

        @Actor
        public void operator() {
            breaker.forceOpen(0);
        }

        @Arbiter
        public void state(L_Result r) {
            r.r1 = breaker.figures(0).state();
        }
    }

    /** A trial fails as somebody closes by hand: its result is for a generation that has gone. */
    @JCStressTest
    @Outcome(id = "CLOSED", expect = ACCEPTABLE, desc = "closed by hand, and the late result counts for nothing")
    @State
    public static class TrialAgainstClosingByHand {

        private final CircuitBreaker breaker = open(ONE);
        private final int stamp = breaker.tryAdmit(NOW, LEASE_END);

        @Actor
        public void trial() {
            breaker.record(stamp, Verdict.FAILURE, NOW, 1);
        }

        @Actor
        public void operator() {
            breaker.close(NOW);
        }

        @Arbiter
        public void state(L_Result r) {
            r.r1 = breaker.figures(NOW).state();
        }
    }

    /** Two attempts ask for the one trial place. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first has it")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second has it")
    @State
    public static class TwoForOnePlace {

        private final CircuitBreaker breaker = open(ONE);

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = breaker.tryAdmit(NOW, LEASE_END) != CircuitBreaker.REFUSED;
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = breaker.tryAdmit(NOW, LEASE_END) != CircuitBreaker.REFUSED;
        }
    }

    /** Of two places one is given back, as the other is asked for. */
    @JCStressTest
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "it has the other, and the one that is back is free")
    @State
    public static class GivingBackAgainstAsking {

        private final CircuitBreaker breaker = open(TWO_TRIALS);
        private final int stamp = breaker.tryAdmit(NOW, LEASE_END);

        @Actor
        public void trial() {
            breaker.record(stamp, Verdict.NEUTRAL, NOW, 1);
        }

        @Actor
        public void attempt(ZI_Result r) {
            r.r1 = breaker.tryAdmit(NOW, LEASE_END) != CircuitBreaker.REFUSED;
        }

        @Arbiter
        public void free(ZI_Result r) {
            while (breaker.tryAdmit(NOW, LEASE_END) != CircuitBreaker.REFUSED) {
                r.r2++;
            }
        }
    }

    /** Two trials succeed, of two that are wanted. */
    @JCStressTest
    @Outcome(id = "CLOSED", expect = ACCEPTABLE, desc = "both count")
    @State
    public static class TwoTrialsWon {

        private final CircuitBreaker breaker = open(TWO_TRIALS);
        private final int first = breaker.tryAdmit(NOW, LEASE_END);
        private final int second = breaker.tryAdmit(NOW, LEASE_END);

        @Actor
        public void first() {
            breaker.record(first, Verdict.SUCCESS, NOW, 1);
        }

        @Actor
        public void second() {
            breaker.record(second, Verdict.SUCCESS, NOW, 1);
        }

        @Arbiter
        public void state(L_Result r) {
            r.r1 = breaker.figures(NOW).state();
        }
    }

    /** Two attempts on a ramp that lets one in ten pass: credit for exactly one. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first passes")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second passes")
    @State
    public static class TwoOnTheRamp {

        private final Ramp ramp = new Ramp(0, PERIOD);

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = ramp.admits(0);
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = ramp.admits(0);
        }
    }
}
