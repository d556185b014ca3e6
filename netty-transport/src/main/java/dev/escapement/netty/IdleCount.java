package dev.escapement.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many connections of one pool lie idle, as its loop tells the others: the pool's part of the handshake by which nobody waits
 * beside an idle connection ({@link SharedLimit}). One writer, the loop; any reader.
 */
final class IdleCount {

    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(IdleCount.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int count;

    /** Tells the count. The loop asks for waiters after this. */
    void publish(int now) {
        int before = count;
        if (before == now) {
            return;
        }
        if (before == 0) {
            // Volatile, and so before the loop's question who waits: a newcomer that was not seen sees this.
            COUNT.setVolatile(this, now);
        } else {
            // Opaque: one who finds too many calls in vain, and too few is never 0 where there are some.
            COUNT.setOpaque(this, now);
        }
    }

    /** The count. A newcomer asks after it has entered the queue. */
    int get() {
        // Volatile, and so after the newcomer's entry.
        return (int) COUNT.getVolatile(this);
    }
}
