package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;
import dev.escapement.time.TimerWheel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of one event loop: a wheel that the loop alone touches, and one task of the loop's own that stands at the wheel's
 * earliest bound, never one per call.
 *
 * <p>A task that stands earlier than needed is left where it is: it wakes, finds nothing, and stands anew. So calls that
 * end before their deadlines cost the loop one task per deadline's length, whatever their number. The loop decides how
 * precisely it wakes (select over NIO rounds up to a millisecond); never early (T6), since the wheel reads the clock.
 *
 * <p>It closes with its loop: every armed timer is fired by the loop on its way down, and arming fires from then on (T7).
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class LoopScheduler implements Scheduler, Runnable {

    /** So many timers are fired in one task at most, that sockets are not kept waiting by a crowd of deadlines. */
    private static final int BATCH = 16 * TimerWheel.STEP;

    private final EventLoop loop;
    private final MonotonicClock clock;

    // Touched by the loop alone; after its end by whoever closes, once.
    private final TimerWheel wheel;
    private final Timer[] due = new Timer[TimerWheel.STEP];
    private @Nullable Future<?> task;
    private long taskAtNanos = TimerWheel.NEVER;

    /** Written once, by the loop or after its end. Volatile: a thread that the loop refused reads it when it arms. */
    private volatile boolean closed;

    LoopScheduler(EventLoop loop, MonotonicClock clock) {
        this.loop = loop;
        this.clock = clock;
        this.wheel = new TimerWheel(clock.nanos());
        if (loop instanceof SingleThreadEventExecutor executor) {
            executor.addShutdownHook(this::close);
        }
        // For loops that know no hooks; closing again does nothing.
        loop.terminationFuture().addListener(terminated -> close());
    }

    EventLoop loop() {
        return loop;
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public boolean inContext() {
        return loop.inEventLoop();
    }

    @Override
    public void execute(Runnable work) {
        loop.execute(work);
    }

    @Override
    public boolean arm(Timer timer, long deadlineNanos) {
        if (closed) {
            timer.fire();
            return false;
        }
        wheel.arm(timer, deadlineNanos);
        if (wheel.earliestNanos() < taskAtNanos) {
            standAtEarliest();
        }
        return true;
    }

    @Override
    public boolean disarm(Timer timer) {
        return !closed && wheel.disarm(timer);
    }

    /** The task: fires what is due and stands at the next bound. */
    @Override
    public void run() {
        task = null;
        taskAtNanos = TimerWheel.NEVER;
        long nowNanos = clock.nanos();
        for (int fired = 0; fired < BATCH && wheel.earliestNanos() <= nowNanos; ) {
            int count = wheel.poll(nowNanos, due);
            for (int i = 0; i < count; i++) {
                Timer timer = due[i];
                due[i] = null;
                fire(timer);
            }
            fired += Math.max(1, count);
        }
        if (!closed && wheel.earliestNanos() < taskAtNanos) {
            standAtEarliest();
        }
    }

    /** What a timer throws is reported, so that the timers behind it fire all the same. */
    private static void fire(Timer timer) {
        try {
            timer.fire();
        } catch (Throwable bug) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
        }
    }

    private void standAtEarliest() {
        Future<?> later = task;
        if (later != null) {
            later.cancel(false);
        }
        taskAtNanos = wheel.earliestNanos();
        task = loop.schedule(this, Math.max(0, taskAtNanos - clock.nanos()), TimeUnit.NANOSECONDS);
    }

    private void close() {
        if (!closed) {
            closed = true;
            wheel.close();
        }
    }
}
