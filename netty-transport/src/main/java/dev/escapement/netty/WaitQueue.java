package dev.escapement.netty;

import org.jspecify.annotations.Nullable;

/**
 * Lanes that wait for a connection, first in, first out. The links are the lanes' own, so that entering, leaving from anywhere
 * and taking the first are O(1) and allocate nothing. Confined to the pool's event loop.
 */
final class WaitQueue {

    private @Nullable Lane first;
    private @Nullable Lane last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The lane that has waited longest, which stays. */
    @Nullable
    Lane first() {
        return first;
    }

    void add(Lane lane) {
        lane.queued = true;
        lane.previousWaiter = last;
        if (last == null) {
            first = lane;
        } else {
            last.nextWaiter = lane;
        }
        last = lane;
        size++;
    }

    /** Takes the lane out. It must be in. */
    void remove(Lane lane) {
        Lane before = lane.previousWaiter;
        Lane after = lane.nextWaiter;
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
        lane.previousWaiter = null;
        lane.nextWaiter = null;
        lane.queued = false;
        size--;
    }
}
