package dev.escapement.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * A scheduler for any thread: timing wheels, one thread that watches them, and an executor that fires what is due.
 *
 * <p><b>Arming</b> takes a spin lock for a few dozen instructions and never parks. There are four wheels for each processor, each
 * with its lock: a thread uses its own or, if that one is busy, the next. A timer remembers where it went, so disarming
 * removes it there at once, in O(1), whatever is pending. Nothing is allocated once warm.
 *
 * <p><b>Waking.</b> A daemon thread parks until the earliest instant due, not for a tick: a lone timer is late by what the operating
 * system takes to wake a thread, some 60 µs. Having handed timers over it rests for {@link #REST_NANOS}; at high rates a
 * wake-up then serves hundreds of timers, and at low ones there is nothing to miss.
 *
 * <p><b>Firing</b> is the executor's: due timers are queued for a task that drains them, and another one joins if that one is
 * stuck in somebody's code. User code never runs on the timer thread, unless the executor itself runs tasks in place
 * ({@code Runnable::run}, or a full pool whose caller runs what it cannot take). If the executor refuses, the timer thread fires what is due itself, so that each
 * timer fires all the same (T6); {@link #inContext} is false there, and the calls behind them are refused by {@link #execute} and
 * end themselves (S1). An executor that drops tasks silently drops timers.
 *
 * <p><b>Closing</b> fires everything armed on the closing thread and then arms nothing more (T7). The executor is the user's to
 * close, after the scheduler. A scheduler that is not closed keeps its thread.
 *
 * <p>Thread-safety: any thread, one at a time for one timer (see {@link Timer}).
 */
public final class WheelScheduler implements Scheduler, AutoCloseable {

    /** How long the timer thread rests after a wake-up that fired something. */
    static final long REST_NANOS = 100_000;

    private static final int STRIPES_PER_PROCESSOR = 4;

    /** {@link #parkedUntilNanos} while nobody needs to wake the timer thread; before every instant. */
    private static final long AWAKE = Long.MIN_VALUE;

    private static final VarHandle PARKED_UNTIL;

    static {
        try {
            PARKED_UNTIL = MethodHandles.lookup().findVarHandle(WheelScheduler.class, "parkedUntilNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MonotonicClock clock;
    private final Executor executor;
    private final Stripes stripes;
    private final Thread timerThread;
    private final HandOff handOff;

    /**
     * The instant the timer thread sleeps to, or {@link #AWAKE}. Written by that thread; whoever arms for an earlier instant sets it
     * to {@code AWAKE} and wakes the thread.
     */
    @SuppressWarnings("unused") // by PARKED_UNTIL
    private long parkedUntilNanos = AWAKE;

    /** Owned by the timer thread. */
    private long restUntilNanos;

    /** Set once, by closing. */
    private volatile boolean closed;

    /**
     * A scheduler on the clock of this process. Starts its thread.
     *
     * @param executor fires timers and runs calls; stays the caller's to shut down
     */
    public WheelScheduler(Executor executor) {
        this(executor, MonotonicClock.system());
    }

    /**
     * A scheduler on a clock of its own, for tests. The timer thread sleeps in real time: a clock that leaps is noticed when it next
     * wakes.
     */
    public WheelScheduler(Executor executor, MonotonicClock clock) {
        this.clock = clock;
        this.executor = executor;
        int count = powerOfTwo(STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
        this.stripes = new Stripes(count, clock.nanos());
        this.timerThread = new Thread(this::serve, "escapement-timer");
        this.handOff = new HandOff(executor, timerThread);
        timerThread.setDaemon(true);
        timerThread.start();
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    /** True on every thread but the timer thread; there too while the executor runs its task in place. */
    @Override
    public boolean inContext() {
        return Thread.currentThread() != timerThread || handOff.isInPlace();
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
        return switch (stripes.arm(timer, deadlineNanos)) {
            case NO -> {
                timer.wake(); // T7
                yield false;
            }
            case YES -> true;
            case EARLIEST -> {
                wakeBefore(stripes.earliestNanos());
                yield true;
            }
        };
    }

    @Override
    public boolean disarm(Timer timer) {
        return stripes.disarm(timer);
    }

    /**
     * Fires every armed timer on this thread; from now on arming fires at once and tasks are refused (T7). When it returns, each
     * timer has been fired, or a thread that took it out before is about to. Closing again does no harm.
     */
    @Override
    public void close() {
        closed = true;
        stripes.seal();
        LockSupport.unpark(timerThread);
        Timer[] due = new Timer[TimerWheel.STEP];
        for (int stripe = 0; stripe < stripes.count(); stripe++) {
            int count;
            while ((count = stripes.poll(stripe, TimerWheel.NEVER, due)) > 0) {
                for (int i = 0; i < count; i++) {
                    due[i].wake();
                }
            }
        }
        handOff.drain();
    }

    /** How many timers are armed; exact while nobody arms, disarms or fires. */
    int size() {
        return stripes.size();
    }

    private void wakeBefore(long instantNanos) {
        // Pairs with the fence in sleep: either we see how long the thread sleeps, or it sees what we armed.
        VarHandle.fullFence();
        long untilNanos = (long) PARKED_UNTIL.getOpaque(this);
        if (instantNanos < untilNanos && PARKED_UNTIL.compareAndSet(this, untilNanos, AWAKE)) {
            LockSupport.unpark(timerThread);
        }
    }

    /** The timer thread. */
    private void serve() {
        Timer[] due = new Timer[TimerWheel.STEP];
        while (!closed) {
            try {
                sleep(pollAll(due));
            } catch (Throwable bug) {
                // The clock's, or no memory or stack: not ours to die of, nor to spin on.
                Failures.report(bug);
                LockSupport.parkNanos(this, REST_NANOS);
            }
        }
        handOff.drain();
    }

    /**
     * Takes out all that is due, a step of each stripe in turn.
     *
     * @return when to poll next
     */
    private long pollAll(Timer[] due) {
        long nowNanos;
        long usefulNanos;
        do {
            nowNanos = clock.nanos();
            for (int stripe = 0; stripe < stripes.count(); stripe++) {
                int count = stripes.poll(stripe, nowNanos, due);
                if (count > 0) {
                    restUntilNanos = nowNanos + REST_NANOS;
                    handOff.offer(due, count, nowNanos);
                }
            }
            usefulNanos = stripes.earliestNanos();
        } while (usefulNanos <= nowNanos && usefulNanos != TimerWheel.NEVER);
        return Math.min(usefulNanos, handOff.attend(nowNanos));
    }

    private void sleep(long usefulNanos) {
        if (usefulNanos <= restUntilNanos) {
            // Nobody need wake us: nothing is early enough to break the rest.
            LockSupport.parkNanos(this, restUntilNanos - clock.nanos());
        } else {
            PARKED_UNTIL.setOpaque(this, usefulNanos);
            // Pairs with the fence in wakeBefore. Closing unparks, and that is not forgotten.
            VarHandle.fullFence();
            if (stripes.earliestNanos() >= usefulNanos && !closed) {
                LockSupport.parkNanos(this, usefulNanos - clock.nanos());
            }
            PARKED_UNTIL.setOpaque(this, AWAKE);
        }
        // User code run in place may leave an interrupt behind, with which parking would not wait.
        Thread.interrupted();
    }

    private static int powerOfTwo(int atLeast) {
        return Integer.highestOneBit(Math.max(1, 2 * atLeast - 1));
    }
}
