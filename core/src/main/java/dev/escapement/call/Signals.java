package dev.escapement.call;

import dev.escapement.time.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The word of a call: RUNNING plus hint bits, by which any thread wakes the machine and exactly one runs it.
 *
 * <p>{@link #set} adds a bit and RUNNING in one step; whoever finds RUNNING clear owns the machine and every plain field
 * of it until {@link #goIdle} succeeds. A bit set meanwhile makes {@code goIdle} fail, and the owner looks again: no
 * signal is lost and no two threads run. Bits only wake; what is true is read from state, so that a stale or doubled
 * bit costs a look and changes nothing.
 *
 * <p>Built with RUNNING set and owned by the constructing thread, so that nothing races the start.
 */
abstract class Signals extends Timer {

    /** Somebody runs the machine. */
    static final int RUNNING = 1;
    /** A lane has a result. */
    static final int COMPLETED = 1 << 1;
    /** The timer fired. */
    static final int WOKEN = 1 << 2;
    /** A permit was granted, or the pool was closed. */
    static final int GRANTED = 1 << 3;
    /** A lane owns nothing any more. */
    static final int CLEANED = 1 << 4;
    /** The caller wants an end. Its own state: the machine remembers it. */
    static final int CANCELLED = 1 << 5;
    /** The client wants an end. Its own state, likewise. */
    static final int CLOSED = 1 << 6;
    /** The owner has handed the machine to a task; whoever clears this bit owns it. */
    private static final int HANDED_OVER = 1 << 7;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Signals.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by WORD
    private volatile int word = RUNNING;

    /**
     * Sets a bit; any thread.
     *
     * @return true if the caller owns the machine now and must run it, or have it run
     */
    final boolean set(int bit) {
        // Volatile: releases what the signaller wrote before, and acquires what the last owner released in goIdle.
        return ((int) WORD.getAndBitwiseOr(this, bit | RUNNING) & RUNNING) == 0;
    }

    /** Takes all bits and stays running; owner only. */
    final int take() {
        // Acquire: pairs with set; what a signaller wrote before its bit is seen by the look that took it.
        return (int) WORD.getAndBitwiseAndAcquire(this, RUNNING) & ~RUNNING;
    }

    /** Whether a bit was set since the last take; owner only. */
    final boolean isSignalled() {
        // Opaque: only a hint that another look is due; take acquires.
        return (int) WORD.getOpaque(this) != RUNNING;
    }

    /** Before the machine is handed to a task: from here on {@link #claim} decides who runs it; owner only. */
    final void offer() {
        // Volatile: releases the owner's fields to the claimer.
        WORD.getAndBitwiseOr(this, HANDED_OVER);
    }

    /**
     * Claims a machine that was offered; the task, or the offerer whose scheduler threw.
     *
     * @return true if the caller owns it now; false if somebody else came first, or nothing was offered
     */
    final boolean claim() {
        // Acquire: pairs with offer.
        return ((int) WORD.getAndBitwiseAndAcquire(this, ~HANDED_OVER) & HANDED_OVER) != 0;
    }

    /** Gives up the machine, unless a bit was set since the last take; owner only. */
    final boolean goIdle() {
        // Release: pairs with the set that finds RUNNING clear; the next owner sees every plain field.
        return (int) WORD.compareAndExchangeRelease(this, RUNNING, 0) == RUNNING;
    }
}
