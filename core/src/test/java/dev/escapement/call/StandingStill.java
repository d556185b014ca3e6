package dev.escapement.call;

import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;

/** Time stands still, everyone is in context, no timer fires: nothing happens to a call but what its test does. */
final class StandingStill implements Scheduler {

    @Override
    public long nanos() {
        return 1_000;
    }

    @Override
    public boolean inContext() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        throw new IllegalStateException("everyone is in context");
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        return true;
    }

    @Override
    public boolean disarm(Timer timer) {
        return true;
    }
}
