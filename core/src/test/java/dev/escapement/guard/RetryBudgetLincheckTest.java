package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.explorer.PlainBudget;
import dev.escapement.policy.BudgetSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an order of deposits, retries and moving time that the naive model could not have shown: a retry too many, one
 * refused that could be afforded, a deposit lost at the end of a bucket. Its model checking assumes sequential consistency;
 * why the weaker modes do is said where they are used.
 */
class RetryBudgetLincheckTest {

    /** Each call affords a retry. */
    private static final BudgetSettings SETTINGS = BudgetSettings.of(1, 0, Duration.ofSeconds(1));

    /** By how much the clock can go on: to the next bucket, by half a window, and by a whole one. */
    private static final long[] STEPS_NANOS = {100_000_000L, 500_000_000L, 1_000_000_000L};

    /** More than Lincheck's threads with the first and the last part of a scenario. */
    private static final int PARTIES = 6;

    @Test
    @DisplayName("G1 every operation takes effect at one instant: nothing is granted twice, refused wrongly or lost")
    void everyOperationIsOneInstant() {
        options(8, 60).check(OnBudget.class);
    }

    @Test
    @DisplayName("A6 a retry granted while its bucket closes is written down with it")
    void aBucketClosesWithWhatWasGranted() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(1)
                .iterations(6)
                .invocationsPerIteration(100)
                .sequentialSpecification(OnModelAtAnEdge.class)
                .check(OnBudgetAtAnEdge.class);
    }

    @Test
    @DisplayName("G1 a budget that looks first and takes then is caught")
    void takingInTwoStepsIsCaught() {
        assertThatThrownBy(() -> options(100, 20).minimizeFailedScenario(false).check(OnTwoSteps.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    private static ModelCheckingOptions options(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .sequentialSpecification(OnModel.class);
    }

    /** What the threads do, each giving back what it holds only. */
    public abstract static class Scenario {

        private final AtomicLong clock = new AtomicLong();

        private final Deque<?>[] held = IntStream.range(0, PARTIES)
                .mapToObj(i -> new ArrayDeque<Long>())
                .toArray(Deque<?>[]::new);

        /** Time goes on; who has read the clock before is late. */
        @Operation
        public void pass(@Param(gen = IntGen.class, conf = "0:2") int step) {
            clock.getAndAdd(STEPS_NANOS[step]);
        }

        @Operation
        public void deposit() {
            payIn(clock.get());
        }

        @Operation
        public boolean tryReserve(@Param(gen = ThreadIdGen.class) int party) {
            long nowNanos = clock.get();
            boolean granted = take(nowNanos);
            if (granted) {
                heldBy(party).push(nowNanos);
            }
            return granted;
        }

        @Operation
        public boolean giveBack(@Param(gen = ThreadIdGen.class) int party) {
            Long reservedNanos = heldBy(party).poll();
            if (reservedNanos == null) {
                return false;
            }
            undo(reservedNanos);
            return true;
        }

        @SuppressWarnings("unchecked")
        private Deque<Long> heldBy(int party) {
            return (Deque<Long>) held[party];
        }

        abstract void payIn(long nowNanos);

        abstract boolean take(long nowNanos);

        abstract void undo(long reservedNanos);
    }

    /** On the budget. */
    public static final class OnBudget extends Scenario {

        private final RetryBudget budget = RetryBudget.of(SETTINGS, 0, 2);

        public OnBudget() {}

        @Override
        void payIn(long nowNanos) {
            budget.deposit(nowNanos);
        }

        @Override
        boolean take(long nowNanos) {
            return budget.tryReserve(nowNanos);
        }

        @Override
        void undo(long reservedNanos) {
            budget.giveBack(reservedNanos);
        }
    }

    /** On the model, one step at a time. */
    public static class OnModel extends Scenario {

        final PlainBudget budget = new PlainBudget(SETTINGS, 0);

        public OnModel() {}

        @Override
        synchronized void payIn(long nowNanos) {
            budget.deposit(nowNanos);
        }

        @Override
        boolean take(long nowNanos) {
            synchronized (this) {
                return budget.tryReserve(nowNanos);
            }
        }

        @Override
        synchronized void undo(long reservedNanos) {
            budget.giveBack(reservedNanos);
        }
    }

    /** A call has paid for one retry, and the next bucket is near. */
    public static final class OnBudgetAtAnEdge {

        private final AtomicLong clock = new AtomicLong();
        private final RetryBudget budget = RetryBudget.of(SETTINGS, 0, 2);

        public OnBudgetAtAnEdge() {
            budget.deposit(0);
        }

        @Operation
        public boolean tryReserve() {
            return budget.tryReserve(clock.get());
        }

        @Operation
        public boolean tryReserveInTheNext() {
            clock.set(STEPS_NANOS[0]);
            return budget.tryReserve(STEPS_NANOS[0]);
        }
    }

    /** The same on the model. */
    public static final class OnModelAtAnEdge {

        private final PlainBudget budget = new PlainBudget(SETTINGS, 0);

        public OnModelAtAnEdge() {
            budget.deposit(0);
        }

        @Operation
        public boolean tryReserve() {
            return budget.tryReserve(0);
        }

        @Operation
        public boolean tryReserveInTheNext() {
            return budget.tryReserve(STEPS_NANOS[0]);
        }
    }

    /** On a model that asks in one step whether a retry is affordable, and takes it in another. */
    public static final class OnTwoSteps extends OnModel {

        public OnTwoSteps() {}

        @Override
        boolean take(long nowNanos) {
            synchronized (this) {
                if (budget.figures(nowNanos).available() == 0) {
                    return false;
                }
            }
            synchronized (this) {
                budget.takeUnasked(nowNanos);
                return true;
            }
        }
    }
}
