package dev.escapement.permit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.permit.PermitWaiter.State;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an order of grants, cancellations, releases and closing that the naive model could not have shown. Its model
 * checking assumes sequential consistency; the pool's accesses are volatile throughout.
 */
class PermitPoolLincheckTest {

    private static final int LIMIT = 1;
    private static final int MAX_WAITING = 1;

    /** More than Lincheck's threads with the first and the last part of a scenario. */
    private static final int PARTIES = 6;

    @Test
    @DisplayName("L2 L3 L4 S1 grant, cancellation and closing are decided at one instant each")
    void everyOperationIsOneInstant() {
        options(30, 500).check(OnPool.class);
    }

    @Test
    @DisplayName("L4 a cancellation is not taken in by another waiter in the place of its own")
    void aCancellationIsNotTakenInByAnotherInItsPlace() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(20)
                .invocationsPerIteration(500)
                .sequentialSpecification(OnModelThatIsTaken.class)
                .check(OnPoolThatIsTaken.class);
    }

    @Test
    @DisplayName("L4 a cancellation that looks first and leaves then is caught")
    void aCancellationInTwoStepsIsCaught() {
        assertThatThrownBy(() -> options(30, 500).minimizeFailedScenario(false).check(OnWeakenedModel.class))
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

    /** What the threads do, each with a waiter of its own and giving back what it holds only. */
    public abstract static class Scenario {

        private final int[] held = new int[PARTIES];
        private final boolean[] waiting = new boolean[PARTIES];

        @Operation
        public boolean tryAcquire(@Param(gen = ThreadIdGen.class) int party) {
            boolean acquired = acquire();
            held[party] += acquired ? 1 : 0;
            return acquired;
        }

        @Operation
        public String enqueue(@Param(gen = ThreadIdGen.class) int party) {
            if (waiting[party]) {
                return "waits already";
            }
            Enqueued enqueued = join(party);
            held[party] += enqueued == Enqueued.GRANTED ? 1 : 0;
            waiting[party] = enqueued == Enqueued.WAITING;
            return enqueued.name();
        }

        @Operation
        public String cancel(@Param(gen = ThreadIdGen.class) int party) {
            if (!waiting[party]) {
                return "does not wait";
            }
            waiting[party] = false;
            if (leave(party)) {
                return "withdrawn";
            }
            boolean granted = isGranted(party);
            held[party] += granted ? 1 : 0;
            return granted ? "granted" : "closed";
        }

        @Operation
        public boolean release(@Param(gen = ThreadIdGen.class) int party) {
            if (held[party] == 0) {
                return false;
            }
            held[party]--;
            giveBack();
            return true;
        }

        @Operation
        public boolean close() {
            return end();
        }

        abstract boolean acquire();

        abstract Enqueued join(int party);

        abstract boolean leave(int party);

        abstract boolean isGranted(int party);

        abstract void giveBack();

        abstract boolean end();
    }

    /** On the pool. */
    public static final class OnPool extends Scenario {

        private final PermitPool pool = PermitPool.of(LIMIT, MAX_WAITING);
        private final SilentWaiter[] waiters = new SilentWaiter[PARTIES];

        public OnPool() {
            for (int i = 0; i < PARTIES; i++) {
                waiters[i] = new SilentWaiter();
            }
        }

        @Override
        boolean acquire() {
            return pool.tryAcquire();
        }

        @Override
        Enqueued join(int party) {
            return pool.enqueue(waiters[party]);
        }

        @Override
        boolean leave(int party) {
            return pool.cancel(waiters[party]);
        }

        @Override
        boolean isGranted(int party) {
            return waiters[party].state() == State.GRANTED;
        }

        @Override
        void giveBack() {
            pool.release();
        }

        @Override
        boolean end() {
            return pool.close();
        }
    }

    /** On the model, one step at a time. */
    public static class OnModel extends Scenario {

        final NaivePermits permits = new NaivePermits(LIMIT, MAX_WAITING);

        @Override
        synchronized boolean acquire() {
            return permits.tryAcquire();
        }

        @Override
        synchronized Enqueued join(int party) {
            return permits.enqueue(party);
        }

        @Override
        boolean leave(int party) {
            synchronized (this) {
                return permits.cancel(party);
            }
        }

        @Override
        synchronized boolean isGranted(int party) {
            return permits.granted.contains(party);
        }

        @Override
        synchronized void giveBack() {
            permits.release();
        }

        @Override
        synchronized boolean end() {
            boolean first = !permits.closed;
            permits.close();
            return first;
        }
    }

    /** On the model, but a grant fits between the look and the leaving. */
    public static final class OnWeakenedModel extends OnModel {

        @Override
        boolean leave(int party) {
            boolean waits;
            synchronized (this) {
                waits = permits.queue.contains(party);
            }
            synchronized (this) {
                permits.cancel(party);
            }
            return waits;
        }
    }

    /**
     * One waits, the other holds the permit and wants it again: with the first served and the second in its place, the
     * pool's numbers are what they were.
     */
    public abstract static class TakenScenario {

        private static final int FIRST = 0;
        private static final int SECOND = 1;

        final Scenario scenario;

        TakenScenario(Scenario scenario) {
            this.scenario = scenario;
            scenario.tryAcquire(SECOND);
            scenario.enqueue(FIRST);
        }

        @Operation(nonParallelGroup = "first")
        public String cancelFirst() {
            return scenario.cancel(FIRST);
        }

        @Operation(nonParallelGroup = "second")
        public boolean releaseSecond() {
            return scenario.release(SECOND);
        }

        @Operation(nonParallelGroup = "second")
        public String enqueueSecond() {
            return scenario.enqueue(SECOND);
        }
    }

    /** On the pool. */
    public static final class OnPoolThatIsTaken extends TakenScenario {
        public OnPoolThatIsTaken() {
            super(new OnPool());
        }
    }

    /** On the model. */
    public static final class OnModelThatIsTaken extends TakenScenario {
        public OnModelThatIsTaken() {
            super(new OnModel());
        }
    }

    /** A waiter whose signal does nothing. */
    private static final class SilentWaiter extends PermitWaiter {
        @Override
        protected void signalled() {}
    }
}
