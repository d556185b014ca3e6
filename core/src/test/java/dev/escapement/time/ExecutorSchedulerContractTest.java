package dev.escapement.time;

import dev.escapement.fixtures.ConcurrentSchedulerContract;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("ExecutorScheduler keeps the scheduler's contract")
class ExecutorSchedulerContractTest extends ConcurrentSchedulerContract {

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    @Override
    protected Scheduler open() {
        return new ExecutorScheduler(executor);
    }

    @Override
    protected void close(Scheduler scheduler) {
        ((ExecutorScheduler) scheduler).close();
    }

    @AfterEach
    void shutDown() {
        executor.shutdown();
    }
}
