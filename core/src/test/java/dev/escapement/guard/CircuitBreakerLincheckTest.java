package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.explorer.PlainBreaker;
import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an order of admissions, results and changes by hand that the naive model could not have shown: one trial too
 * many, a result that counts for another generation, a place that is lost. Its model checking assumes sequential consistency;
 * the breaker's phase is volatile, and immutable but for what a closed one counts.
 */
public class CircuitBreakerLincheckTest {

    private static final long PERIOD = 100;

    private static final List<Verdict> VERDICTS = List.of(Verdict.SUCCESS, Verdict.FAILURE, Verdict.NEUTRAL);

    /** More than Lincheck's threads with the first and the last part of a scenario. */
    private static final int PARTIES = 6;

    public CircuitBreakerLincheckTest() {}

    @Test
    @DisplayName("G2 trials, their leases and their results are decided at one instant each")
    void trialsAreDecidedAtOneInstant() {
        options(0, 8).sequentialSpecification(ModelOfTrials.class).check(Trials.class);
    }

    @Test
    @DisplayName("G2 so are changes by hand, and no result counts for another generation")
    void transitionsAreDecidedAtOneInstant() {
        options(1, 5).sequentialSpecification(ModelByHand.class).check(ByHand.class);
    }

    @Test
    @DisplayName("G2 a trial place that is looked at first and taken then is caught")
    void aTrialTakenInTwoStepsIsCaught() {
        assertThatThrownBy(() -> options(0, 8)
                        .minimizeFailedScenario(false)
                        .sequentialSpecification(ModelOfTrials.class)
                        .check(WeakenedTrials.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static ModelCheckingOptions options(int before, int iterations) {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(before)
                .actorsPerThread(3)
                .actorsAfter(1)
                .iterations(iterations)
                .invocationsPerIteration(150);
    }

    private static BreakerSettings settings() {
        return BreakerSettings.builder()
                .consecutiveFailures(2)
                .countWindow(4)
                .minimumCalls(3)
                .failureRatePercent(60)
                .openPeriod(Duration.ofNanos(PERIOD))
                .build();
    }

    /** Attempts, one at a time for each thread, at a breaker that is open and whose period is over. */
    public abstract static class Attempts {

        private final boolean[] attempting = new boolean[PARTIES];

        @Operation
        public boolean admit(
                @Param(gen = ThreadIdGen.class) int party, @Param(gen = IntGen.class, conf = "0:2") int at) {
            if (!attempting[party]) {
                // A lease of 2: some are over when others ask.
                attempting[party] = tryAdmit(party, PERIOD + at, PERIOD + at + 2);
                return attempting[party];
            }
            return false;
        }

        @Operation
        public boolean record(
                @Param(gen = ThreadIdGen.class) int party,
                @Param(gen = IntGen.class, conf = "0:2") int verdict,
                @Param(gen = IntGen.class, conf = "0:2") int at) {
            boolean ends = attempting[party];
            if (ends) {
                attempting[party] = false;
                end(party, VERDICTS.get(verdict), PERIOD + at);
            }
            return ends;
        }

        abstract boolean tryAdmit(int party, long now, long leaseEnd);

        abstract void end(int party, Verdict verdict, long now);
    }

    /** On the breaker. */
    public static class Trials extends Attempts {

        final CircuitBreaker breaker = CircuitBreaker.of(settings());
        private final int[] stamps = new int[PARTIES];

        public Trials() {
            for (int i = 0; i < 2; i++) {
                breaker.record(breaker.tryAdmit(0, PERIOD), Verdict.FAILURE, 0, 1);
            }
        }

        @Override
        boolean tryAdmit(int party, long now, long leaseEnd) {
            stamps[party] = breaker.tryAdmit(now, leaseEnd);
            return stamps[party] != CircuitBreaker.REFUSED;
        }

        @Override
        void end(int party, Verdict verdict, long now) {
            breaker.record(stamps[party], verdict, now, 1);
        }
    }

    /** On the breaker, and somebody opens and closes it. */
    public static final class ByHand extends Trials {

        public ByHand() {}

        @Operation
        public boolean rejects(@Param(gen = IntGen.class, conf = "0:2") int at) {
            return breaker.rejects(PERIOD + at);
        }

        @Operation
        public void forceOpen() {
            breaker.forceOpen(PERIOD);
        }

        @Operation
        public void close() {
            breaker.close(PERIOD);
        }
    }

    /** On the breaker, but what is answered is what was seen before the place was taken. */
    public static final class WeakenedTrials extends Trials {

        public WeakenedTrials() {}

        @Override
        boolean tryAdmit(int party, long now, long leaseEnd) {
            boolean free = !breaker.rejects(now);
            super.tryAdmit(party, now, leaseEnd);
            return free;
        }
    }

    /** On the model. */
    public static class ModelOfTrials extends Attempts {

        final PlainBreaker breaker = new PlainBreaker(settings());
        private final PlainBreaker.@Nullable Ticket[] tickets = new PlainBreaker.Ticket[PARTIES];

        public ModelOfTrials() {
            for (int i = 0; i < 2; i++) {
                breaker.record(breaker.tryAdmit(0, PERIOD), Verdict.FAILURE, 0, 1);
            }
        }

        @Override
        boolean tryAdmit(int party, long now, long leaseEnd) {
            tickets[party] = breaker.tryAdmit(now, leaseEnd);
            return tickets[party] != null;
        }

        @Override
        void end(int party, Verdict verdict, long now) {
            breaker.record(tickets[party], verdict, now, 1);
        }
    }

    /** On the model, and somebody opens and closes it. */
    public static final class ModelByHand extends ModelOfTrials {

        public ModelByHand() {}

        @Operation
        public boolean rejects(@Param(gen = IntGen.class, conf = "0:2") int at) {
            return breaker.rejects(PERIOD + at);
        }

        @Operation
        public void forceOpen() {
            breaker.forceOpen(PERIOD);
        }

        @Operation
        public void close() {
            breaker.close(PERIOD);
        }
    }
}
