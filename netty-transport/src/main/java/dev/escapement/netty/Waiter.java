package dev.escapement.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One who may have to wait at a {@link SharedLimit}: its links in the queue, and the place where it is at home.
 *
 * <p><b>Ownership.</b> A waiter belongs to its place: what else it has is touched there alone. While it is queued it
 * belongs to nobody, and whoever takes it out of the queue owns it from then on: a place that serves it, which is its own
 * place now, or the one who makes it leave, on any thread. It is queued once in its life at most, so it moves at most once.
 *
 * @param <W> its own type
 * @param <P> what a place is
 */
abstract class Waiter<W extends Waiter<W, P>, P> {

    private static final VarHandle PLACE;

    static {
        try {
            PLACE = MethodHandles.lookup().findVarHandle(Waiter.class, "place", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Guarded by the lock of the limit.
    @Nullable
    W previousWaiter;

    @Nullable
    W nextWaiter;

    boolean queued;
    long waitingSinceNanos;

    /** Whether it was taken by another place than its own. Written under the lock, by whoever owns it from then on. */
    boolean moved;

    /** Written by its owner, or under the lock by its next owner. */
    @SuppressWarnings("UnusedVariable") // by PLACE
    private @Nullable P place;

    /** Where it is at home; null before it has come anywhere. Any thread, which sees this place or an earlier one. */
    @SuppressWarnings("unchecked") // Nothing but a P is ever stored.
    final @Nullable P place() {
        // Acquire pairs with the release of stand: whoever finds the place finds it whole.
        return (P) PLACE.getAcquire(this);
    }

    final void stand(P here) {
        PLACE.setRelease(this, here);
    }
}
