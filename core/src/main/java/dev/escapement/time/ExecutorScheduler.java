package dev.escapement.time;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler over a {@link ScheduledExecutorService}: for programs that have one already, or few calls.
 *
 * <p>Arming costs what scheduling on that executor costs, usually a heap behind a lock and some 200 bytes; {@link WheelScheduler}
 * is made for many. The executor measures time by a clock of its own, so each task reads ours before it fires its timer and
 * goes back if it is early (T6). Timers fire, and calls run, on the executor's threads; every thread is in context.
 *
 * <p><b>Errors and closing.</b> An executor that refuses a timer, or fails at it, is taken as closed: the timer is fired at once and
 * {@link #arm} says so (T7). {@link #close} fires everything armed, on the closing thread. Close the scheduler
 * before its executor: one that is shut down and drops its tasks takes armed timers with it. With a
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor}, set {@code removeOnCancelPolicy}, or disarmed timers leave
 * small tasks behind until their time.
 *
 * <p>Thread-safety: any thread, one at a time for one timer (see {@link Timer}).
 */
public final class ExecutorScheduler implements Scheduler, AutoCloseable {

    private final ScheduledExecutorService executor;
    private final MonotonicClock clock;

    /** What is armed, for closing. */
    private final Set<Alarm> armed = ConcurrentHashMap.newKeySet();

    /** Set once, by closing. */
    private volatile boolean closed;

    /**
     * A scheduler on the clock of this process.
     *
     * @param executor stays the caller's to shut down
     */
    public ExecutorScheduler(ScheduledExecutorService executor) {
        this(executor, MonotonicClock.system());
    }

    /** A scheduler on a clock of its own, for tests. */
    public ExecutorScheduler(ScheduledExecutorService executor, MonotonicClock clock) {
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    /** True on every thread. */
    @Override
    public boolean inContext() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("the scheduler is closed");
        }
        executor.execute(task);
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        disarm(timer);
        Alarm alarm = new Alarm(this, timer, deadlineNanos);
        timer.attach(alarm);
        armed.add(alarm);
        // Closing sets the flag before it looks through the set: one of us sees the other. Whoever takes the timer
        // fires it.
        if (closed || !alarm.schedule()) {
            alarm.ring();
            return false;
        }
        return true;
    }

    @Override
    public boolean disarm(Timer timer) {
        return timer.attachment() instanceof Alarm alarm && alarm.cancel();
    }

    /** Fires every armed timer on this thread; from now on arming fires at once and tasks are refused (T7). */
    @Override
    public void close() {
        closed = true;
        for (Alarm alarm : armed) {
            alarm.close();
        }
    }

    /** How many timers are armed; exact while nobody arms, disarms or fires. */
    int size() {
        return armed.size();
    }

    /** Has an alarm run at its deadline or later; false where the executor refuses or fails. */
    boolean schedule(Alarm alarm, long deadlineNanos) {
        long nowNanos = clock.nanos();
        long delayNanos = deadlineNanos <= nowNanos ? 0 : deadlineNanos - nowNanos;
        try {
            alarm.scheduled(executor.schedule(alarm, delayNanos, TimeUnit.NANOSECONDS));
            return true;
        } catch (Throwable refused) {
            return false;
        }
    }

    void forget(Alarm alarm) {
        armed.remove(alarm);
    }
}
