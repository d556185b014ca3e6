package dev.escapement.permit;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/** What a pool does, said as plainly as possible: one step at a time, waiters are numbers. */
final class NaivePermits {

    int limit;
    int maxWaiting;
    final Queue<Integer> queue = new ArrayDeque<>();
    final Set<Integer> granted = new HashSet<>();
    int held;
    boolean closed;

    NaivePermits(int limit, int maxWaiting) {
        this.limit = limit;
        this.maxWaiting = maxWaiting;
    }

    boolean tryAcquire() {
        if (closed || !queue.isEmpty() || held >= limit) {
            return false;
        }
        held++;
        return true;
    }

    Enqueued enqueue(int waiter) {
        granted.remove(waiter);
        if (closed) {
            return Enqueued.CLOSED;
        }
        if (tryAcquire()) {
            granted.add(waiter);
            return Enqueued.GRANTED;
        }
        if (queue.size() >= maxWaiting) {
            return Enqueued.QUEUE_FULL;
        }
        queue.add(waiter);
        return Enqueued.WAITING;
    }

    boolean cancel(int waiter) {
        return queue.remove(waiter);
    }

    void release() {
        held--;
        grant();
    }

    void resize(int newLimit, int newMaxWaiting) {
        limit = newLimit;
        maxWaiting = newMaxWaiting;
        grant();
    }

    private void grant() {
        while (!closed && !queue.isEmpty() && held < limit) {
            held++;
            granted.add(queue.remove());
        }
    }

    void close() {
        closed = true;
        queue.clear();
    }
}
