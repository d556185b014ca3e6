package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;

/** A home that is no event loop and whose context is every thread; no test arms a timer on it. */
final class AnywhereScheduler implements Scheduler {

    @Override
    public long nanos() {
        return MonotonicClock.system().nanos();
    }

    @Override
    public boolean inContext() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        throw new AssertionError("a transport arms no timer of the call's");
    }

    @Override
    public boolean disarm(Timer timer) {
        throw new AssertionError("a transport disarms no timer of the call's");
    }
}
