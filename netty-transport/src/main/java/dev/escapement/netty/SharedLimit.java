package dev.escapement.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there may be to one destination over all event loops, and who waits for one: the only thing that
 * the loops' pools write in common.
 *
 * <p><b>Off the hot path.</b> Lending and giving back read {@link #waiting}, and while nobody waits that is all; a
 * connection's opening, coming up and end take the lock, and so do entering the queue, leaving it and being served from it.
 * The lock is held for a few dozen instructions, never parks, and no foreign code runs under it. Every operation is O(1)
 * and allocates nothing.
 *
 * <p><b>Counts.</b> {@code open} counts places taken: connections up and on their way up. {@code connecting} counts those of
 * them that are for whoever waits longest. After every operation either as many are on their way as there are waiters, or
 * the limit is reached, or a connection that has just come up or come free is about to be lent.
 *
 * <p><b>Nobody waits beside an idle connection.</b> A pool first publishes that it has one ({@link IdleCount#publish}) and then
 * reads {@link #waiting}; a newcomer first enters here and then reads what the pools have published. All four accesses are
 * volatile, so at least one of the two sees the other (Dekker's handshake), and acts.
 *
 * @param <W> who waits
 * @param <P> what a place is, at home in which a waiter is
 */
final class SharedLimit<W extends Waiter<W, P>, P> {

    /** What a newcomer is told. */
    enum Entry {
        QUEUED,
        FULL,
        CLOSED
    }

    private static final VarHandle LOCKED;

    static {
        try {
            LOCKED = MethodHandles.lookup().findVarHandle(SharedLimit.class, "locked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** For as long as a holder that is running can take; after that it may have lost its processor. */
    private static final int SPINS = 100;

    private final int limit;
    private final int maxWaiters;

    /** 1 while held. */
    @SuppressWarnings("unused") // by LOCKED
    private int locked;

    // Guarded by the lock.
    private final WaitQueue<W> queue = new WaitQueue<>();
    private int open;
    private int connecting;
    private boolean closed;

    /** The size of the queue. Written under the lock; volatile for its part in the handshake, with readers on all loops. */
    private volatile int waiting;

    SharedLimit(int limit, int maxWaiters) {
        this.limit = limit;
        this.maxWaiters = maxWaiters;
    }

    int limit() {
        return limit;
    }

    int maxWaiters() {
        return maxWaiters;
    }

    // Waiters.

    /** How many wait. Whoever has something to lend publishes it first and asks then. */
    int waiting() {
        return waiting;
    }

    /** Enters at the end of the queue. From here on the waiter is its owner's no more, unless it was refused. */
    Entry enter(W waiter, long nowNanos) {
        lock();
        try {
            if (closed) {
                return Entry.CLOSED;
            }
            // Each connect, under way or still possible, has a waiter of its own; the bound is for the rest.
            if (queue.size() >= maxWaiters + connecting + (limit - open)) {
                return Entry.FULL;
            }
            waiter.waitingSinceNanos = nowNanos;
            queue.add(waiter);
            waiting = queue.size();
            return Entry.QUEUED;
        } finally {
            unlock();
        }
    }

    /** Takes out the one that has waited longest, who moves to this place; null if nobody waits. */
    @Nullable
    W take(P to) {
        if (waiting == 0) {
            return null;
        }
        lock();
        try {
            return first(to);
        } finally {
            unlock();
        }
    }

    /** Takes the waiter out, who is the caller's then; false if it is not in: not yet, or taken by another. */
    boolean leave(W waiter) {
        lock();
        try {
            if (!waiter.queued) {
                return false;
            }
            queue.remove(waiter);
            waiting = queue.size();
            return true;
        } finally {
            unlock();
        }
    }

    // Places.

    /**
     * Takes a place for a connection to be made, where a waiter lacks one.
     *
     * @return the one that has waited longest, beside whom the connection is best made; null if none is lacking or possible
     */
    @Nullable
    W reserve() {
        lock();
        try {
            return reserveFirst();
        } finally {
            unlock();
        }
    }

    /** Whether somebody waits and the limit is reached: then whatever lies idle elsewhere is to serve. */
    boolean isShort() {
        if (waiting == 0) {
            return false;
        }
        lock();
        try {
            return queue.size() > 0 && open >= limit;
        } finally {
            unlock();
        }
    }

    /** Gives a place back and takes it again at once where a waiter lacks a connection, as {@link #reserve} does. */
    @Nullable
    W freed() {
        lock();
        try {
            open--;
            return reserveFirst();
        } finally {
            unlock();
        }
    }

    /** A connection for whoever waits has come up. */
    void cameUp() {
        lock();
        try {
            connecting--;
        } finally {
            unlock();
        }
    }

    /** A connection for whoever waits has not come up: gives its place back, and takes out the one to be told, as {@link #take} does. */
    @Nullable
    W failed(P to) {
        lock();
        try {
            open--;
            connecting--;
            return first(to);
        } finally {
            unlock();
        }
    }

    /** A place that was reserved comes to nothing, and nobody is told. */
    void unreserve() {
        lock();
        try {
            open--;
            connecting--;
        } finally {
            unlock();
        }
    }

    /** A connection that was being made for one alone is for whoever waits from here on. */
    void adopt() {
        lock();
        try {
            connecting++;
        } finally {
            unlock();
        }
    }

    /** Refuses newcomers and reserves nothing any more; who waits is to be taken out. */
    void close() {
        lock();
        try {
            closed = true;
        } finally {
            unlock();
        }
    }

    // Figures.

    int open() {
        lock();
        try {
            return open;
        } finally {
            unlock();
        }
    }

    /** How long the one that has waited longest has, at that instant; 0 if nobody waits. */
    long oldestWaitNanos(long nowNanos) {
        lock();
        try {
            W first = queue.first();
            return first == null ? 0 : Math.max(0, nowNanos - first.waitingSinceNanos);
        } finally {
            unlock();
        }
    }

    // Under the lock.

    private @Nullable W first(P to) {
        W first = queue.first();
        if (first != null) {
            queue.remove(first);
            waiting = queue.size();
            first.moved = first.place() != to;
            first.stand(to);
        }
        return first;
    }

    private @Nullable W reserveFirst() {
        if (closed || open >= limit || connecting >= queue.size()) {
            return null;
        }
        open++;
        connecting++;
        return queue.first();
    }

    @SuppressWarnings("ThreadPriorityCheck") // Correct without the yield, but a whole time slice slower.
    private void lock() {
        // Acquire (the compare-and-set is volatile) pairs with the release of unlock.
        for (int spins = 0; !LOCKED.compareAndSet(this, 0, 1); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private void unlock() {
        LOCKED.setRelease(this, 0);
    }
}
