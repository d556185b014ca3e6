package dev.escapement.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few dozen instructions; waiting for it never parks. Not reentrant. What is done under it happens before what
 * is done under it next.
 *
 * <p>A waiter spins for as long as a holder that is running can take, then yields: the holder may have lost its processor.
 */
abstract class SpinLock extends Padding {

    private static final VarHandle LOCKED;

    static {
        try {
            LOCKED = MethodHandles.lookup().findVarHandle(SpinLock.class, "locked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int SPINS = 100;

    /** 1 while held. */
    @SuppressWarnings("unused") // by LOCKED
    private int locked;

    final boolean tryLock() {
        // Acquire pairs with the release of unlock.
        return LOCKED.compareAndSet(this, 0, 1);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Correct without the yield, but a whole time slice slower.
    final void lock() {
        for (int spins = 0; !tryLock(); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    final void unlock() {
        LOCKED.setRelease(this, 0);
    }
}
