package dev.escapement.call;

import dev.escapement.report.Report;
import dev.escapement.time.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who runs a call, and how: one look after another until nothing is signalled, then sleep on one timer.
 *
 * <p><b>One look</b> ({@link #drive}): take all bits; read the clock, after the take; {@link #look}; arm the timer for the
 * earliest instant at which anything could change; go idle. If a bit arrived meanwhile, look again with a fresh clock. A
 * report, once fixed, is delivered after going idle, as the thread's last act.
 *
 * <p><b>Where.</b> On the thread that won the word, if that is in the home's context; by way of the home otherwise. What another call
 * signals always goes by way of the home. A home that refuses has the thread at hand end the call ({@link #HOMELESS}).
 *
 * <p><b>Call-outs.</b> Clock, context, execute, arm, disarm and the callback may throw anything: each is caught where it is called.
 * What keeps the call from going on is left in {@link #broken}, and the next look ends it.
 *
 * <p><b>Ownership.</b> Every field is the runner's: of whoever holds RUNNING in {@link Signals}. Threads that only signal
 * touch the word and nothing else. The call is its own timer and its own task.
 */
abstract class CallRun extends Signals implements Call, Runnable {

    /** An instant that no clock reaches: no deadline, no timer. */
    static final long NEVER = Long.MAX_VALUE;

    /** In {@link #asked}: the home refuses work, and nothing can be armed or waited for. */
    private static final int HOMELESS = 1;

    /** After so many failures of our own code in one run the call is handed to a fresh stack, later given up. */
    private static final int FRESH_STACK_AFTER = 3;

    private static final int GIVE_UP_AFTER = 8;

    final Client client;
    private final Scheduler home;
    private final Consumer<? super Report> whenEnded;

    /** This look's reading; a call's clock never runs backwards. */
    long nowNanos;

    /** What the timer is armed for, {@link #NEVER} if it is not. */
    private long armedNanos = NEVER;

    /** Where the client finds this call asleep, from the first sleep on; the timer is armed only after that. */
    private int sleepingSlot = SleepingCalls.NONE;

    /** CANCELLED and CLOSED, once taken: bits that are their own state; and {@link #HOMELESS}. */
    private byte asked;

    /** What keeps the call from going on; the next look ends it. */
    @Nullable
    Throwable broken;

    /** Fixed and not yet delivered. */
    @Nullable
    Report report;

    CallRun(Client client, Scheduler home, Consumer<? super Report> whenEnded, long startedNanos) {
        this.client = client;
        this.home = home;
        this.whenEnded = whenEnded;
        this.nowNanos = startedNanos;
    }

    // What the call does with its look.

    /** Judges and acts, at {@link #nowNanos}. */
    abstract void look();

    /** A reading was taken; {@link #nowNanos} is still the one before. */
    abstract void clockRead(long readingNanos);

    /** Whether the outcome is fixed. */
    abstract boolean isEnded();

    /** Whether the call holds nothing any more. */
    abstract boolean isClean();

    /** The earliest instant at which anything could change by time alone. */
    abstract long wakeNanos();

    // Signals, from any thread.

    /** Begins, in context with the reading taken at entry, or by way of the home. */
    final void start() {
        if (inContext()) {
            drive(true);
        } else {
            handOver();
        }
    }

    /** Sets a bit, and runs the call if nobody does. */
    final void raise(int bit) {
        if (set(bit)) {
            if (inContext()) {
                drive(false);
            } else {
                handOver();
            }
        }
    }

    /** Sets a bit from within another call's run, on whose stack this one must not run. */
    final void raiseElsewhere(int bit) {
        if (set(bit)) {
            handOver();
        }
    }

    @Override
    public final void cancel() {
        raise(CANCELLED);
    }

    @Override
    public final void fire() {
        raise(WOKEN);
    }

    /** The home runs us. */
    @Override
    public final void run() {
        if (claim()) {
            Turns.take(this);
        }
    }

    /** This thread has claimed the call and comes to it now. */
    final void takeTurn() {
        drive(false);
    }

    final Scheduler home() {
        return home;
    }

    // The owner only, from here on.

    final boolean isCancelled() {
        return (asked & CANCELLED) != 0;
    }

    /** Whether the client wants an end, or the home serves no more. */
    final boolean isClosed() {
        return (asked & (CLOSED | HOMELESS)) != 0;
    }

    private boolean isHomeless() {
        return (asked & HOMELESS) != 0;
    }

    /** Whether nothing can be waited for: what is held must be let go in this look. */
    final boolean isStranded() {
        return isHomeless() || broken != null;
    }

    private boolean inContext() {
        try {
            return home.inContext();
        } catch (Throwable thrown) {
            // By way of the home, then: what runs there is in context.
            broken = thrown;
            return false;
        }
    }

    private void handOver() {
        offer();
        try {
            home.execute(this);
        } catch (Throwable refused) {
            // A scheduler may throw and run us all the same: whoever claims, drives.
            if (claim()) {
                asked |= HOMELESS;
                if (!(refused instanceof RejectedExecutionException)) {
                    broken = refused;
                }
                Turns.take(this);
            }
        }
    }

    private void drive(boolean clockIsFresh) {
        Report fixed = null;
        boolean fresh = clockIsFresh;
        boolean clean = false;
        boolean idle = false;
        int failures = 0;
        while (!idle) {
            try {
                remember(take());
                if (!fresh) {
                    readClock();
                }
                fresh = false;
                look();
                if (report != null) {
                    fixed = report;
                    report = null;
                }
                clean = isClean();
                idle = !isSignalled() && readyToSleep() && goIdle();
            } catch (Throwable bug) {
                // Ours, or a stack without room: the next round ends the call by the same steps as any other end.
                broken = bug;
                failures++;
                if (failures == FRESH_STACK_AFTER && !isHomeless() && fixed == null && report == null) {
                    handOver();
                    return;
                }
                idle = failures >= GIVE_UP_AFTER && goIdle();
            }
        }
        // Nobody waits for us any more, and another thread may run the call: only locals from here on.
        if (fixed != null) {
            deliver(fixed);
        }
        if (clean) {
            client.callCleaned();
        }
    }

    /** Bits that are their own state are kept. */
    private void remember(int bits) {
        asked |= (byte) (bits & (CANCELLED | CLOSED));
        if ((bits & WOKEN) != 0) {
            armedNanos = NEVER;
        }
    }

    final void readClock() {
        long readingNanos;
        try {
            readingNanos = home.nanos();
        } catch (Throwable thrown) {
            broken = thrown;
            return;
        }
        clockRead(readingNanos);
        nowNanos = Math.max(nowNanos, readingNanos);
    }

    private void deliver(Report fixed) {
        try {
            whenEnded.accept(fixed);
        } catch (Throwable thrown) {
            client.counters().failedCallbacks.increment();
        }
    }

    // Sleeping.

    /** Makes the call findable for the client's close and arms the timer; false if there is something to look at first. */
    private boolean readyToSleep() {
        if (isClean()) {
            return true;
        }
        if (broken != null && !isEnded()) {
            // The clock that measures a send may have thrown: nothing else would wake us to end that.
            return false;
        }
        if (sleepingSlot == SleepingCalls.NONE) {
            sleepingSlot = client.sleeping().add(this);
            if (client.endsCalls()) {
                // The close may have looked for sleepers before we were one.
                asked |= CLOSED;
                return false;
            }
        }
        long wakeNanos = wakeNanos();
        // A timer armed for earlier than needed is left alone: it wakes, looks, and arms again.
        return wakeNanos >= armedNanos || arm(wakeNanos);
    }

    private boolean arm(long wakeNanos) {
        try {
            if (!home.arm(this, wakeNanos)) {
                asked |= HOMELESS;
                return false;
            }
        } catch (Throwable thrown) {
            broken = thrown;
            return false;
        }
        armedNanos = wakeNanos;
        return true;
    }

    /** Nothing is held: no timer is needed, and the client need not find the call. */
    final void sleepNoMore() {
        if (sleepingSlot == SleepingCalls.NONE) {
            return;
        }
        if (!isHomeless()) {
            try {
                home.disarm(this);
            } catch (Throwable thrown) {
                client.counters().failedCallOuts.increment();
            }
        }
        client.sleeping().remove(sleepingSlot);
        sleepingSlot = SleepingCalls.NONE;
    }
}
