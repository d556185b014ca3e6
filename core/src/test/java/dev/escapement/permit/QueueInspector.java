package dev.escapement.permit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Walks the queue of a pool that nobody else touches, and checks how it hangs together. */
final class QueueInspector {

    private static final long LOCKED = 1L << 30;

    private QueueInspector() {}

    /** The waiters from head to tail, after checking links, states, counts and the lock. */
    static List<PermitWaiter> inspect(PermitPool pool) {
        List<PermitWaiter> queue = new ArrayList<>();
        PermitWaiter before = null;
        for (PermitWaiter waiter = pool.head; waiter != null; waiter = waiter.next) {
            assertThat(waiter.previous).isSameAs(before);
            assertThat(waiter.state()).isEqualTo(PermitWaiter.State.WAITING);
            queue.add(waiter);
            before = waiter;
        }
        assertThat(pool.tail).isSameAs(before);
        assertThat(pool.waiting()).isEqualTo(queue.size());
        assertThat(pool.word & LOCKED).isZero();
        assertThat(pool.held() + pool.available()).isEqualTo(pool.limit());
        assertThat(pool.held()).isNotNegative();
        if (!queue.isEmpty()) {
            assertThat(pool.available()).isNotPositive();
        }
        return queue;
    }

    /** Nothing outside the queue may keep a neighbour alive. */
    static void isUnlinked(PermitWaiter waiter) {
        assertThat(waiter.next).isNull();
        assertThat(waiter.previous).isNull();
    }
}
