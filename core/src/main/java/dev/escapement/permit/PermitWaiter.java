package dev.escapement.permit;

import org.jspecify.annotations.Nullable;

/**
 * One who waits for a permit: a node of its pool's queue, and the place where the answer is left.
 *
 * <pre>
 *           enqueue              release
 *     NEW ──────────► WAITING ──────────► GRANTED    owns one permit
 *      ▲                │  │    close
 *      └────────────────┘  └────────────► CLOSED     owns nothing
 *            cancel
 * </pre>
 *
 * <p>A waiter has one owner, who enqueues, cancels and reads it, and may enqueue it again whenever it does not wait. The answer
 * is the state; the signal is only a reason to look at it. A signal can come late, after the owner has seen the state by
 * itself and gone on: it then costs a look and means nothing.
 *
 * <p>Costs 24 bytes with compressed references, before the fields of the subclass.
 */
public abstract class PermitWaiter {

    /** Where a waiter stands. */
    public enum State {
        /** Not waiting and owning nothing: never enqueued, refused, or withdrawn. */
        NEW,
        /** In the queue. */
        WAITING,
        /** One permit is the owner's, to be released by it. */
        GRANTED,
        /** The pool was closed while this waited; it owns nothing. */
        CLOSED
    }

    // The states as numbers: storing a reference would cost the collector's barrier at each step.
    static final int NEW = 0;
    static final int WAITING = 1;
    static final int GRANTED = 2;
    static final int CLOSED = 3;

    /** Written under the pool's lock, or by the owner while this does not wait; volatile: read by the owner at any time. */
    volatile int state;

    /** Towards the tail. Guarded by the pool's lock; null outside the queue, so that nothing is kept alive by a neighbour. */
    @Nullable
    PermitWaiter next;

    /** Towards the head. Guarded by the pool's lock; null outside the queue. */
    @Nullable
    PermitWaiter previous;

    /** For the owner. */
    protected PermitWaiter() {}

    /** Where this stands now. Seeing {@code GRANTED} also sees all that former holders did before they released. */
    public final State state() {
        return switch (state) {
            case NEW -> State.NEW;
            case WAITING -> State.WAITING;
            case GRANTED -> State.GRANTED;
            default -> State.CLOSED;
        };
    }

    /**
     * Tells the owner that the wait ended in {@code GRANTED} or {@code CLOSED}; called once for each wait that did.
     *
     * <p>Runs on the releasing or closing thread with no lock held, and should raise a bit and do nothing else. The pool may be
     * used from here, but a chain of releases inside signals stands on one stack. What it throws is caught and
     * counted ({@link PermitPool#signalFailures()}); the state stands, and the owner finds it when it looks next.
     */
    protected abstract void signalled();
}
