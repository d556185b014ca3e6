package dev.escapement.example;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/** One thread, a queue of tasks and a queue of timers. Its monitor guards both; nothing runs under it. */
public final class QueueScheduler implements Scheduler, AutoCloseable {

    private final MonotonicClock clock = MonotonicClock.system();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Armed> timers = new PriorityQueue<>();
    private final Thread thread = new Thread(this::serve, "queue scheduler");
    private boolean closed;

    public QueueScheduler() {
        thread.start();
    }

    /** What a timer is armed for; kept with the timer as its attachment. */
    private record Armed(Timer timer, long deadlineNanos) implements Comparable<Armed> {
        @Override
        public int compareTo(Armed that) {
            return Long.compare(deadlineNanos, that.deadlineNanos);
        }
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public boolean inContext() {
        return Thread.currentThread() == thread;
    }

    @Override
    public synchronized void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("closed");
        }
        tasks.add(task);
        notifyAll();
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        synchronized (this) {
            disarm(timer);
            if (!closed) {
                Armed armed = new Armed(timer, deadlineNanos);
                timer.attach(armed);
                timers.add(armed);
                notifyAll();
                return true;
            }
        }
        timer.fire(); // T7
        return false;
    }

    @Override
    public synchronized boolean disarm(Timer timer) {
        Object armed = timer.attachment();
        timer.attach(null);
        return armed != null && timers.removeIf(each -> each == armed);
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void serve() {
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (Throwable bug) {
                System.err.println("thrown by a task or a timer: " + bug);
            }
        }
    }

    /** Waits for what is to run next: a timer that is due, or a task; null once all is done and closed. */
    private synchronized Runnable next() {
        while (true) {
            long nowNanos = nanos();
            Armed first = timers.peek();
            if (first != null && (closed || first.deadlineNanos <= nowNanos)) {
                timers.remove();
                first.timer.attach(null);
                return first.timer::fire;
            }
            if (!tasks.isEmpty() || closed) {
                return tasks.poll();
            }
            try {
                // Rounded up, so that it is due when we look again; 0 would wait for ever.
                wait(first == null ? 0 : (first.deadlineNanos - nowNanos) / 1_000_000 + 1);
            } catch (InterruptedException stop) {
                closed = true;
            }
        }
    }
}
