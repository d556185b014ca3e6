package dev.escapement.time;

/**
 * The wheels of one scheduler, each behind its own lock: which one a thread uses, and which one a timer is on.
 *
 * <p>A thread arms on its own stripe, or on the next one that is free. The timer remembers where, so moving and disarming go there
 * at once. A timer that is armed on a stripe becomes unarmed under that stripe's lock alone, and armed by its owner alone: that is
 * all that arming, disarming and polling agree on.
 *
 * <p>Thread-safety: any thread; for one timer, {@code arm} and {@code disarm} one at a time (see {@link Timer}).
 */
final class Stripes {

    /** How an arming ended. */
    enum Armed {
        /** The stripe is sealed; the timer is not armed. */
        NO,
        YES,
        /** And {@link #earliestNanos} may have been brought forward. */
        EARLIEST
    }

    private final Stripe[] stripes;

    /** @param count a power of two */
    Stripes(int count, long nowNanos) {
        stripes = new Stripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(i, nowNanos);
        }
    }

    Armed arm(Timer timer, long deadlineNanos) {
        // Nobody else arms it: unarmed, it stays so. Armed, it may fire before we have the lock, and is then armed
        // anew.
        Stripe stripe = timer.handle == Timer.IDLE ? lockAny() : lockHome(timer);
        try {
            if (stripe.isSealed()) {
                stripe.disarm(timer);
                return Armed.NO;
            }
            return stripe.arm(timer, deadlineNanos) ? Armed.EARLIEST : Armed.YES;
        } finally {
            stripe.unlock();
        }
    }

    boolean disarm(Timer timer) {
        // A glance without the lock: what we armed can only have become idle, and then it has fired or is about to.
        if (timer.handle == Timer.IDLE) {
            return false;
        }
        Stripe stripe = lockHome(timer);
        try {
            return stripe.disarm(timer);
        } finally {
            stripe.unlock();
        }
    }

    /** When to poll next, or earlier. Opaque: whoever relies on it has a fence of its own. */
    long earliestNanos() {
        long earliestNanos = TimerWheel.NEVER;
        for (Stripe stripe : stripes) {
            earliestNanos = Math.min(earliestNanos, stripe.earliestNanos());
        }
        return earliestNanos;
    }

    int count() {
        return stripes.length;
    }

    /** One step of one stripe: see {@link TimerWheel#poll}. */
    int poll(int index, long nowNanos, Timer[] due) {
        Stripe stripe = stripes[index];
        if (nowNanos < stripe.earliestNanos()) {
            return 0;
        }
        stripe.lock();
        try {
            return stripe.poll(nowNanos, due);
        } finally {
            stripe.unlock();
        }
    }

    /** From now on nothing can be armed; what is armed stays so, for {@code poll(…, NEVER, …)} to take out. */
    void seal() {
        for (Stripe stripe : stripes) {
            stripe.lock();
            stripe.seal();
            stripe.unlock();
        }
    }

    /** How many timers are armed; exact while nobody arms, disarms or polls. */
    int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            stripe.lock();
            size += stripe.size();
            stripe.unlock();
        }
        return size;
    }

    private Stripe lockAny() {
        int own = (int) Thread.currentThread().getId();
        for (int i = 0; i < stripes.length; i++) {
            Stripe stripe = stripes[(own + i) & (stripes.length - 1)];
            if (stripe.tryLock()) {
                return stripe;
            }
        }
        Stripe stripe = stripes[own & (stripes.length - 1)];
        stripe.lock();
        return stripe;
    }

    private Stripe lockHome(Timer timer) {
        Stripe stripe = stripes[timer.home];
        stripe.lock();
        return stripe;
    }
}
