package dev.escapement.benchmarks;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Schedulers;
import dev.escapement.time.Timer;

/**
 * A scheduler whose clock moves in steps, so that different things happen at one instant as often as a test wants.
 *
 * <p>Timers are the inner scheduler's, by the fine clock: where a deadline is a multiple of the step, the coarse clock has
 * reached it when the fine one has, so that nothing fires early (T6).
 */
final class QuantisedScheduler implements Scheduler {

    private final Scheduler inner;
    private final long stepNanos;

    QuantisedScheduler(Scheduler inner, long stepNanos) {
        this.inner = inner;
        this.stepNanos = stepNanos;
    }

    /** The same set, each of its schedulers seen through a coarse clock. */
    static Schedulers over(Schedulers inner, long stepNanos) {
        return new Schedulers() {
            @Override
            public MonotonicClock clock() {
                return () -> floor(inner.clock().nanos(), stepNanos);
            }

            @Override
            public Scheduler forCall() {
                return new QuantisedScheduler(inner.forCall(), stepNanos);
            }
        };
    }

    private static long floor(long nanos, long stepNanos) {
        return nanos - nanos % stepNanos;
    }

    @Override
    public long nanos() {
        return floor(inner.nanos(), stepNanos);
    }

    @Override
    public boolean inContext() {
        return inner.inContext();
    }

    @Override
    public void execute(Runnable task) {
        inner.execute(task);
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        return inner.arm(timer, deadlineNanos);
    }

    @Override
    public boolean disarm(Timer timer) {
        return inner.disarm(timer);
    }
}
