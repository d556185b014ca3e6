package dev.escapement.time;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries due timers from the timer thread to the executor that fires them: a queue, and tasks that drain it one timer at a
 * time.
 *
 * <p>Waking an executor costs more than firing dozens of timers, so one drainer is enough as long as it makes progress. A
 * timer's {@code fire} may run a call and what its user hung on it, and be slow: where nothing was taken from the queue for
 * {@link #PATIENCE_NANOS}, another drainer joins ({@link #attend}). At most one is submitted and not yet begun, so that a
 * busy executor is not flooded.
 *
 * <p>An executor that refuses does not lose a timer: the timer thread then fires what is queued itself. {@code fire} only
 * raises a signal; the call behind it finds the executor closed and ends itself (S1).
 *
 * <p>Thread-safety: {@link #run} and {@link #drain} on any thread; the rest on the timer thread.
 */
final class HandOff extends SpinLock implements Runnable {

    /** How long the queue may stand still before another drainer is sent. */
    static final long PATIENCE_NANOS = 1_000_000;

    private static final int INITIAL_CAPACITY = 256;

    private final Executor executor;
    private final Thread timerThread;

    // Under the lock.
    /** A ring, its capacity a power of two. */
    private @Nullable Timer[] queue = new Timer[INITIAL_CAPACITY];

    private int head;
    private int size;

    /** Timers taken out so far. */
    private long taken;

    /** Drainers that have begun and not ended. */
    private int running;

    /** Whether a drainer is submitted and has not begun. */
    private boolean submitted;

    // The timer thread's own.
    /** {@link #taken} when the queue was last seen to move, and when that was. */
    private long seenTaken;

    private long seenNanos;

    /** Whether the executor runs its task on the timer thread just now. */
    private boolean inPlace;

    HandOff(Executor executor, Thread timerThread) {
        this.executor = executor;
        this.timerThread = timerThread;
    }

    /** Whether the executor is one that runs its tasks on the timer thread, and does so now. */
    boolean isInPlace() {
        return inPlace;
    }

    /** Queues the first timers of an array, clears them there, and sees to it that they are fired. */
    void offer(Timer[] due, int count, long nowNanos) {
        boolean queued = false;
        boolean submit = false;
        lock();
        try {
            if (size == 0) {
                seenTaken = taken;
                seenNanos = nowNanos;
            }
            reserve(count);
            for (int i = 0; i < count; i++) {
                queue[(head + size++) & (queue.length - 1)] = due[i];
            }
            queued = true;
            submit = running == 0 && !submitted;
            submitted |= submit;
        } catch (OutOfMemoryError full) {
            Failures.report(full);
        } finally {
            unlock();
        }
        for (int i = 0; i < count; i++) {
            Timer timer = due[i];
            forget(due, i);
            if (!queued) {
                timer.wake();
            }
        }
        if (submit) {
            submit();
        }
    }

    /**
     * Sends another drainer where those that run are stuck.
     *
     * @return when to ask again, or {@link TimerWheel#NEVER} while nothing is queued
     */
    long attend(long nowNanos) {
        boolean submit;
        lock();
        try {
            if (size == 0) {
                return TimerWheel.NEVER;
            }
            if (taken != seenTaken) {
                seenTaken = taken;
                seenNanos = nowNanos;
            }
            submit = !submitted && nowNanos - seenNanos >= PATIENCE_NANOS;
            submitted |= submit;
        } finally {
            unlock();
        }
        if (submit) {
            seenNanos = nowNanos;
            submit();
        }
        return nowNanos + PATIENCE_NANOS;
    }

    /** A drainer: for the executor. */
    @Override
    public void run() {
        if (Thread.currentThread() != timerThread) {
            drain();
            return;
        }
        inPlace = true;
        try {
            drain();
        } finally {
            inPlace = false;
        }
    }

    /** Fires what is queued, on this thread. */
    void drain() {
        lock();
        submitted = false;
        running++;
        unlock();
        Timer timer;
        while ((timer = take()) != null) {
            timer.wake();
        }
    }

    /** The next timer; or {@code null}, and one drainer fewer, as one step: no timer is queued behind the last one's back. */
    private @Nullable Timer take() {
        lock();
        Timer timer = queue[head];
        if (size == 0) {
            running--;
        } else {
            forget(queue, head);
            head = (head + 1) & (queue.length - 1);
            size--;
            taken++;
        }
        unlock();
        return timer;
    }

    private void submit() {
        try {
            executor.execute(this);
        } catch (Throwable refused) {
            drain();
        }
    }

    /** Makes room; changes nothing if there is no memory for it. */
    private void reserve(int count) {
        if (size + count > queue.length) {
            @Nullable Timer[] larger = new Timer[queue.length << 1];
            for (int i = 0; i < size; i++) {
                larger[i] = queue[(head + i) & (queue.length - 1)];
            }
            queue = larger;
            head = 0;
        }
    }

    @SuppressWarnings("NullAway") // The array is scratch space: the place is filled again before it is read.
    private static void forget(@Nullable Timer[] timers, int index) {
        timers[index] = null;
    }
}
