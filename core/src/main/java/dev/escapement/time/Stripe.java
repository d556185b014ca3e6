package dev.escapement.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One of a scheduler's wheels and the lock that guards it. The lock is held for no more than {@link TimerWheel#STEP} timers.
 *
 * <p>Thread-safety: {@link #earliestNanos} from any thread; everything else, and the handles of the timers armed here, under
 * the lock.
 */
final class Stripe extends SpinLock {

    private static final VarHandle EARLIEST;

    static {
        try {
            EARLIEST = MethodHandles.lookup().findVarHandle(Stripe.class, "earliestNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The stripe's number, which its timers remember as their home. */
    private final int index;

    private final TimerWheel wheel;

    /** The wheel's, for readers without the lock; written under it. */
    private long earliestNanos = TimerWheel.NEVER;

    Stripe(int index, long nowNanos) {
        this.index = index;
        this.wheel = new TimerWheel(nowNanos);
    }

    /** When to poll next, or earlier. Any thread. Opaque: whoever relies on it has a fence of its own. */
    long earliestNanos() {
        return (long) EARLIEST.getOpaque(this);
    }

    /**
     * Arms or moves a timer.
     *
     * @return whether that brought {@link #earliestNanos} forward
     */
    boolean arm(Timer timer, long deadlineNanos) {
        wheel.arm(timer, deadlineNanos);
        timer.home = index;
        long earliest = wheel.earliestNanos();
        if (earliest >= earliestNanos) {
            return false;
        }
        EARLIEST.setOpaque(this, earliest);
        return true;
    }

    boolean disarm(Timer timer) {
        return wheel.disarm(timer);
    }

    int poll(long nowNanos, Timer[] due) {
        int count = wheel.poll(nowNanos, due);
        EARLIEST.setOpaque(this, wheel.earliestNanos());
        return count;
    }

    /** Lets nothing be armed any more; what is armed stays so. */
    void seal() {
        wheel.seal();
    }

    boolean isSealed() {
        return wheel.isSealed();
    }

    int size() {
        return wheel.size();
    }
}
