package dev.escapement.benchmarks;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;
import dev.escapement.time.TimerWheel;

/** A scheduler confined to the thread that uses it: an event loop reduced to its clock and its wheel. */
final class ThreadScheduler implements Scheduler {

    private final MonotonicClock clock = MonotonicClock.system();
    private final Timer[] due = new Timer[TimerWheel.STEP];
    private final TimerWheel wheel = new TimerWheel(clock.nanos());

    /** Fires what is due, as a loop does between other work. */
    void poll() {
        int count;
        while ((count = wheel.poll(clock.nanos(), due)) > 0) {
            for (int i = 0; i < count; i++) {
                due[i].fire();
            }
        }
    }

    @Override
    public long nanos() {
        return clock.nanos();
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
        return wheel.arm(timer, deadlineNanos);
    }

    @Override
    public boolean disarm(Timer timer) {
        return wheel.disarm(timer);
    }
}
