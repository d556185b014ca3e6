package dev.escapement.time;

import dev.escapement.fixtures.ConcurrentSchedulerContract;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("WheelScheduler keeps the scheduler's contract")
class WheelSchedulerContractTest {

    @Nested
    @DisplayName("over one thread")
    class OverOneThread extends OverAnExecutor {
        OverOneThread() {
            super(Executors.newSingleThreadExecutor());
        }
    }

    @Nested
    @DisplayName("over a pool")
    class OverAPool extends OverAnExecutor {
        OverAPool() {
            super(Executors.newFixedThreadPool(3));
        }

        @Override
        protected boolean runsTasksOneByOne() {
            return false;
        }
    }

    private abstract static class OverAnExecutor extends ConcurrentSchedulerContract {

        private final ExecutorService executor;

        OverAnExecutor(ExecutorService executor) {
            this.executor = executor;
        }

        @Override
        protected Scheduler open() {
            return new WheelScheduler(executor);
        }

        @Override
        protected void close(Scheduler scheduler) {
            ((WheelScheduler) scheduler).close();
        }

        @AfterEach
        void shutDown() {
            executor.shutdown();
        }
    }
}
