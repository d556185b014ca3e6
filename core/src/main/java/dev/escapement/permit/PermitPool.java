package dev.escapement.permit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits and the bounded queue of those who wait for one, first come, first served (L2, L3).
 *
 * <p>Everything that is counted stands in one word, and the lock of the queue with it:
 *
 * <pre>
 *     63                    32   31      30     29                 0
 *    ┌────────────────────────┬────────┬────────┬───────────────────┐
 *    │ available, signed      │ CLOSED │ LOCKED │ waiting           │
 *    └────────────────────────┴────────┴────────┴───────────────────┘
 * </pre>
 *
 * <p>While the lower half is zero, acquiring is one compare-and-set and releasing is one addition. Three facts carry the rest:
 *
 * <ul>
 *   <li>A newcomer takes a permit only where the lower half is zero, so it overtakes nobody (L2). A release that finds somebody
 *       waiting hands one permit to the head of the queue; until it has, that permit counts as available, and no one
 *       else can take it.
 *   <li>Whoever joins the queue counts itself by the same compare-and-set that takes the lock. So no release slips between its
 *       look and its place, and {@code LOCKED} means that somebody waits or that the pool is closed: where nobody waits nothing
 *       spins.
 *   <li>While {@code LOCKED} stands, releases still add, and nobody else writes the word.
 * </ul>
 *
 * <p>Grant, cancellation and closing of one waiter are decided under the lock, by its state: one of them wins (L4). The lock is
 * given back by the very call that took it, from the same frame, and between the two nothing is called and nothing allocated:
 * so neither a StackOverflowError nor an OutOfMemoryError can leave it taken. Signals go out afterwards. A lock-free queue
 * would do without the lock, but keeps cancelled waiters, with the requests behind them, exactly when the upstream hangs.
 *
 * <p>Available is signed so that a limit can be lowered while permits are out: below zero it is debt, paid by releases before
 * anything is granted.
 *
 * <p>Thread-safety: any thread; a single waiter by its owner alone. Cost: two atomic instructions for a permit taken and
 * given back while nobody waits, five where one is handed over to a new waiter; no allocation. Every access of the word is
 * volatile: a holder must see what any former holder did, also where others have changed the word in between. Unlocking starts
 * from the word that locked: only a release can have changed it.
 */
public final class PermitPool extends PermitPoolRightPadding {

    /** The largest limit, 2^30 − 1: the word holds it with either sign, and {@code int} holds what lies above it. */
    public static final int MAX_PERMITS = (1 << 30) - 1;

    /** The largest length of the queue, 2^30 − 1: what the word can count. */
    public static final int MAX_WAITING = (1 << 30) - 1;

    private static final long ONE_PERMIT = 1L << 32;
    private static final long CLOSED = 1L << 31;
    private static final long LOCKED = 1L << 30;
    private static final long ONE_WAITING = 1L;

    /** How often to look at a taken lock before giving up the processor: its owner has been taken off its own, then. */
    private static final int SPINS = 64;

    private PermitPool(int limit, int maxWaiting) {
        super(limit, maxWaiting, limit * ONE_PERMIT);
    }

    /**
     * A pool of {@code limit} permits, all free.
     *
     * @param limit 1 to {@link #MAX_PERMITS}
     * @param maxWaiting how many may wait at a time, 0 to {@link #MAX_WAITING}
     * @throws IllegalArgumentException naming the parameter that is out of its range
     */
    public static PermitPool of(int limit, int maxWaiting) {
        requireWithin("limit", limit, 1, MAX_PERMITS);
        requireWithin("maxWaiting", maxWaiting, 0, MAX_WAITING);
        return new PermitPool(limit, maxWaiting);
    }

    /**
     * Takes a permit if one is free.
     *
     * @return true: one permit is the caller's. False: none is free, or somebody waits (L2: a newcomer never
     *     overtakes), or the pool is closed. Never spins on the lock
     */
    public boolean tryAcquire() {
        for (; ; ) {
            long seen = word;
            if (!isFree(seen)) {
                return false;
            }
            if (casWord(seen, seen - ONE_PERMIT)) {
                return true;
            }
        }
    }

    /**
     * Takes a permit if one is free, otherwise a place at the end of the queue.
     *
     * @param waiter not waiting; its state is {@code GRANTED}, {@code WAITING}, or unchanged where it was refused
     * @throws IllegalStateException if it waits already
     */
    public Enqueued enqueue(PermitWaiter waiter) {
        if (waiter.state == PermitWaiter.WAITING) {
            throw new IllegalStateException("this waiter waits already");
        }
        for (int spins = 0; ; ) {
            long seen = word;
            if ((seen & CLOSED) != 0) {
                return Enqueued.CLOSED;
            }
            if (isFree(seen)) {
                if (casWord(seen, seen - ONE_PERMIT)) {
                    waiter.state = PermitWaiter.GRANTED;
                    return Enqueued.GRANTED;
                }
            } else if ((seen & LOCKED) != 0) {
                pause(spins++);
            } else if (waitingIn(seen) >= maxWaiting) {
                return Enqueued.QUEUE_FULL;
            } else if (casWord(seen, (seen + ONE_WAITING) | LOCKED)) {
                PermitWaiter last = tail;
                waiter.previous = last;
                if (last == null) {
                    head = waiter;
                } else {
                    last.next = waiter;
                }
                tail = waiter;
                waiter.state = PermitWaiter.WAITING;
                seen = (seen + ONE_WAITING) | LOCKED;
                while (!casWord(seen, seen - LOCKED)) {
                    seen = word;
                }
                handOverIfOwed(seen);
                return Enqueued.WAITING;
            }
        }
    }

    /**
     * Withdraws a waiter, in constant time.
     *
     * @param waiter enqueued here, or waiting nowhere
     * @return true: it does not wait and owns nothing. False: its wait had ended otherwise, as its state says: {@code GRANTED},
     *     and the caller owns a permit that it must release; or {@code CLOSED}, and it owns nothing
     */
    public boolean cancel(PermitWaiter waiter) {
        for (int spins = 0; ; ) {
            // The word before the state: if this waits after the look, the look has counted it.
            long seen = word;
            int state = waiter.state;
            if (state != PermitWaiter.WAITING) {
                return state == PermitWaiter.NEW;
            }
            if ((seen & LOCKED) != 0) {
                pause(spins++);
            } else if (casWord(seen, seen | LOCKED)) {
                // L4: the word may have come back to what was seen, with this granted and another in its place.
                boolean waits = waiter.state == PermitWaiter.WAITING;
                // Closing ends every wait at one instant; that it goes from one to the next must not show.
                boolean closed = (seen & CLOSED) != 0;
                if (waits) {
                    PermitWaiter before = waiter.previous;
                    PermitWaiter after = waiter.next;
                    if (before == null) {
                        head = after;
                    } else {
                        before.next = after;
                    }
                    if (after == null) {
                        tail = before;
                    } else {
                        after.previous = before;
                    }
                    waiter.previous = null;
                    waiter.next = null;
                    waiter.state = closed ? PermitWaiter.CLOSED : PermitWaiter.NEW;
                }
                long leaving = waits ? ONE_WAITING : 0;
                seen |= LOCKED;
                while (!casWord(seen, seen - leaving - LOCKED)) {
                    seen = word;
                }
                handOverIfOwed(seen);
                return waits && !closed;
            }
        }
    }

    /**
     * Gives one permit back: to the first who waits, otherwise to the free ones.
     *
     * <p>Should the stack end in here, the error comes out and the permit is back all the same; where it has not been handed
     * over, whoever joins or leaves the queue next sees to it.
     *
     * @throws IllegalStateException if no permit is out, with the numbers. What was added is taken back; should another
     *     thread have acquired it in that instant, it is debt
     */
    public void release() {
        int resizesBefore = resizes;
        long before = addWord(ONE_PERMIT);
        if ((int) before != 0 || availableIn(before) >= limit) {
            released(before, resizesBefore);
        }
    }

    /** What is left to do after a release that was more than an addition. */
    private void released(long before, int resizesBefore) {
        if (availableIn(before) >= limit && isTooMany(resizesBefore)) {
            addWord(-ONE_PERMIT);
            throw new IllegalStateException("a permit was released that nobody holds: " + describe(before));
        }
        handOver(before + ONE_PERMIT);
    }

    /**
     * What was seen and the limit may be of different times, where a resize ran or came between: then what is there now decides, which no
     * resize changes meanwhile.
     */
    private boolean isTooMany(int resizesBefore) {
        synchronized (resizing) {
            boolean alone = resizesBefore % 2 == 0 && resizes == resizesBefore;
            return alone || availableIn(word) > limit;
        }
    }

    /**
     * Makes up for a release whose thread came to the end of its stack after the addition. As a rule there is nothing to do: a
     * permit is on its way for an instant only, and its release sees to it.
     */
    private void handOverIfOwed(long seen) {
        if (availableIn(seen) > 0) {
            handOver(word);
        }
    }

    /** Gives what is available to those who wait, one to each. */
    private void handOver(long last) {
        long seen = last;
        for (int spins = 0; ; seen = word) {
            if (waitingIn(seen) == 0 || availableIn(seen) <= 0 || (seen & CLOSED) != 0) {
                return;
            }
            if ((seen & LOCKED) != 0) {
                pause(spins++);
            } else {
                PermitWaiter granted = takeHead(seen, seen - ONE_PERMIT, PermitWaiter.GRANTED);
                if (granted != null) {
                    signal(granted);
                }
            }
        }
    }

    /**
     * Refuses everyone from now on and ends every wait in {@code CLOSED} (S1). Permits that are out stay out until they are
     * released.
     *
     * @return false: it was closed before
     */
    public boolean close() {
        for (int spins = 0; ; ) {
            long seen = word;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            if ((seen & LOCKED) != 0) {
                pause(spins++);
            } else if (casWord(seen, seen | CLOSED)) {
                endWaits();
                return true;
            }
        }
    }

    /** One lock for each, so that no one is held up behind the whole queue. */
    private void endWaits() {
        for (int spins = 0; ; ) {
            long seen = word;
            if (waitingIn(seen) == 0) {
                return;
            }
            if ((seen & LOCKED) != 0) {
                pause(spins++);
            } else {
                PermitWaiter ended = takeHead(seen, seen, PermitWaiter.CLOSED);
                if (ended != null) {
                    signal(ended);
                }
            }
        }
    }

    /**
     * Changes how many permits there are. Where more are out than the new limit allows, the rest is debt: nothing is granted until releases
     * have paid it (L3). Where there are more than before, those who wait get them.
     *
     * @param limit 1 to {@link #MAX_PERMITS}
     * @param maxWaiting 0 to {@link #MAX_WAITING}; who waits beyond a shorter queue stays
     * @throws IllegalArgumentException naming the parameter that is out of its range; nothing has changed
     */
    public void resize(int limit, int maxWaiting) {
        requireWithin("limit", limit, 1, MAX_PERMITS);
        requireWithin("maxWaiting", maxWaiting, 0, MAX_WAITING);
        long last;
        synchronized (resizing) {
            resizes++;
            long added = (limit - this.limit) * ONE_PERMIT;
            this.maxWaiting = maxWaiting;
            this.limit = limit;
            last = addWord(added) + added;
            resizes++;
        }
        handOver(last);
    }

    /** How many permits there are. */
    public int limit() {
        return limit;
    }

    /** How many permits are free at this instant; held + available = limit (L3). */
    public int available() {
        return availableIn(word);
    }

    /** How many permits are out at this instant; while {@link #resize} runs, by up to the difference more. */
    public int held() {
        return limit - availableIn(word);
    }

    /** How many wait at this instant. */
    public int waiting() {
        return waitingIn(word);
    }

    /** Whether {@link #close} was called. */
    public boolean closed() {
        return (word & CLOSED) != 0;
    }

    /** How many signals have thrown so far; the permits and waits that they were about are in order. */
    public long signalFailures() {
        return signalFailures;
    }

    @Override
    public String toString() {
        return "PermitPool[" + describe(word) + "]";
    }

    /**
     * Takes the first out of the queue, into a state that ends its wait.
     *
     * @param seen the word: not locked, somebody waits
     * @param taken the word less what goes to the waiter
     * @return null where the word is no longer {@code seen}; nothing has changed then
     */
    @SuppressWarnings("NullAway") // Somebody waits, so there is a head.
    private @Nullable PermitWaiter takeHead(long seen, long taken, int state) {
        if (!casWord(seen, taken | LOCKED)) {
            return null;
        }
        PermitWaiter first = head;
        PermitWaiter second = first.next;
        head = second;
        if (second == null) {
            tail = null;
        } else {
            second.previous = null;
        }
        first.next = null;
        first.state = state;
        seen = taken | LOCKED;
        while (!casWord(seen, seen - ONE_WAITING - LOCKED)) {
            seen = word;
        }
        return first;
    }

    private void signal(PermitWaiter waiter) {
        try {
            waiter.signalled();
        } catch (Throwable thrown) {
            countSignalFailure();
        }
    }

    private String describe(long seen) {
        return "limit " + limit + ", available " + availableIn(seen) + ", waiting " + waitingIn(seen)
                + ((seen & CLOSED) == 0 ? "" : ", closed");
    }

    private static boolean isFree(long seen) {
        // One comparison for all that forbids: nobody waits, not locked, not closed.
        return (int) seen == 0 && seen > 0;
    }

    private static int availableIn(long seen) {
        return (int) (seen >> 32);
    }

    private static int waitingIn(long seen) {
        return (int) seen & MAX_WAITING;
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // Only progress depends on it, where the lock's owner waits for our processor.
    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private static void requireWithin(String parameter, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(parameter + " is " + value + ", must be " + min + " to " + max);
        }
    }
}

/** Keeps what lies before the pool in the heap off its cache line and the one fetched with it. */
abstract class PermitPoolLeftPadding {
    long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14;
}

/** The fields of the pool, on one cache line: whoever needs one of them needs the word too. */
abstract class PermitPoolState extends PermitPoolLeftPadding {

    private static final VarHandle WORD;
    private static final VarHandle SIGNAL_FAILURES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(PermitPoolState.class, "word", long.class);
            SIGNAL_FAILURES = lookup.findVarHandle(PermitPoolState.class, "signalFailures", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Taken by those who resize, and by a release that seems to be one too many. */
    final Object resizing = new Object();

    // Written with that taken; read anywhere. Volatile: a release that sees a limit's permits sees that it was changed.
    volatile int limit;
    volatile int maxWaiting;

    /** Odd while it is being resized, and another number afterwards. */
    volatile int resizes;

    /** What is counted, and the lock of the queue. Any thread, as the header of {@link PermitPool} says. */
    volatile long word;

    /** The queue. Guarded by the lock; both null where nobody waits. */
    @Nullable
    PermitWaiter head;

    @Nullable
    PermitWaiter tail;

    /** Any thread; atomic additions. */
    volatile long signalFailures;

    PermitPoolState(int limit, int maxWaiting, long word) {
        this.limit = limit;
        this.maxWaiting = maxWaiting;
        this.word = word;
    }

    /** Weak: every caller looks again. Volatile: see {@link PermitPool}. */
    final boolean casWord(long seen, long next) {
        return WORD.weakCompareAndSet(this, seen, next);
    }

    /** Returns the word before. Volatile: the other half of what {@link #casWord} says. */
    final long addWord(long delta) {
        return (long) WORD.getAndAdd(this, delta);
    }

    /** Opaque would do in another world: a count orders nothing. There is no weaker addition than the one with acquire. */
    final void countSignalFailure() {
        SIGNAL_FAILURES.getAndAddAcquire(this, 1L);
    }
}

/** Keeps what follows the pool in the heap off its cache line. */
abstract class PermitPoolRightPadding extends PermitPoolState {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14;

    PermitPoolRightPadding(int limit, int maxWaiting, long word) {
        super(limit, maxWaiting, word);
    }
}
