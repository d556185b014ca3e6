package dev.escapement.time;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One arming of one timer on an {@link ExecutorScheduler}: holds the timer until someone takes it out, to fire or to disarm it.
 *
 * <p>Taking is the one atomic step, so an arming ends once; afterwards nothing of the timer is held, however long the
 * executor keeps the task.
 *
 * <p>Thread-safety: any thread.
 */
final class Alarm implements Runnable {

    private final ExecutorScheduler scheduler;
    private final long deadlineNanos;

    /** The timer, until it is taken. */
    private final AtomicReference<@Nullable Timer> timer;

    /** The executor's handle; written by whoever scheduled last. */
    private volatile @Nullable Future<?> future;

    Alarm(ExecutorScheduler scheduler, Timer timer, long deadlineNanos) {
        this.timer = new AtomicReference<>(timer);
        this.scheduler = scheduler;
        this.deadlineNanos = deadlineNanos;
    }

    /** False where the executor refuses. */
    boolean schedule() {
        return scheduler.schedule(this, deadlineNanos);
    }

    void scheduled(Future<?> future) {
        this.future = future;
        if (timer.get() == null) {
            // Taken meanwhile, by someone who may not have seen this handle.
            future.cancel(false);
        }
    }

    /** By the executor, at or near the deadline. */
    @Override
    public void run() {
        // T6: the executor's clock is not ours. One that refuses now is closing, and then early is right (T7).
        if (timer.get() != null && (scheduler.nanos() >= deadlineNanos || !schedule())) {
            ring();
        }
    }

    /** Fires the timer, unless someone has taken it. */
    void ring() {
        Timer taken = take();
        if (taken != null) {
            taken.wake();
        }
    }

    /** Disarms; true if the timer was still here. */
    boolean cancel() {
        boolean armed = take() != null;
        if (armed) {
            withdraw();
        }
        return armed;
    }

    /** Fires the timer ahead of its time, because the scheduler closes. */
    void close() {
        Timer taken = take();
        if (taken != null) {
            withdraw();
            taken.wake();
        }
    }

    private @Nullable Timer take() {
        Timer taken = timer.getAndSet(null);
        if (taken != null) {
            scheduler.forget(this);
        }
        return taken;
    }

    private void withdraw() {
        Future<?> scheduled = future;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }
}
