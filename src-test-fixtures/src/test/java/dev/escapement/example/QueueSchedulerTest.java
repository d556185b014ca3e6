package dev.escapement.example;

import dev.escapement.fixtures.ConcurrentSchedulerContract;
import dev.escapement.time.Scheduler;

class QueueSchedulerTest extends ConcurrentSchedulerContract {

    @Override
    protected Scheduler open() {
        return new QueueScheduler();
    }

    @Override
    protected void close(Scheduler scheduler) {
        ((QueueScheduler) scheduler).close();
    }
}
