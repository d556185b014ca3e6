package dev.escapement.netty;

import org.jspecify.annotations.Nullable;

/**
 * Those who wait, first in, first out. The links are the waiters' own, so that entering, leaving from anywhere and taking
 * the first are O(1) and allocate nothing. Guarded by the lock of its {@link SharedLimit}.
 */
final class WaitQueue<W extends Waiter<W, ?>> {

    private @Nullable W first;
    private @Nullable W last;
    private int size;

    int size() {
        return size;
    }

    /** The one who has waited longest, who stays. */
    @Nullable
    W first() {
        return first;
    }

    void add(W waiter) {
        waiter.queued = true;
        waiter.previousWaiter = last;
        if (last == null) {
            first = waiter;
        } else {
            last.nextWaiter = waiter;
        }
        last = waiter;
        size++;
    }

    /** Takes the waiter out, who must be in. */
    void remove(W waiter) {
        W before = waiter.previousWaiter;
        W after = waiter.nextWaiter;
        if (before == null) {
            first = after;
        } else {
            before.nextWaiter = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previousWaiter = before;
        }
        waiter.previousWaiter = null;
        waiter.nextWaiter = null;
        waiter.queued = false;
        size--;
    }
}
