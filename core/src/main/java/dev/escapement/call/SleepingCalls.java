package dev.escapement.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a client that have gone to sleep and are not clean yet, so that closing the client can reach them.
 *
 * <p>Doubly linked lists, one a stripe, each behind a spin lock that is held for a few stores. A call stays on the
 * stripe of the thread that put it to sleep first; one that completes at once never comes here. Any thread.
 */
final class SleepingCalls {

    /** Four a core, a power of two: enough that two threads seldom meet. */
    private static final int STRIPES =
            Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors() - 1);

    private final Stripe[] stripes = new Stripe[STRIPES];

    SleepingCalls() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    Place add(CallMachine call) {
        Stripe stripe = stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
        Place place = new Place(call, stripe);
        stripe.link(place);
        return place;
    }

    void remove(Place place) {
        place.stripe.unlink(place);
    }

    /** Whoever sleeps now, stripe by stripe; no lock is held when this returns. */
    List<CallMachine> snapshot() {
        List<CallMachine> calls = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.copyTo(calls);
        }
        return calls;
    }

    /** How many sleep; exact only while nobody comes or goes. */
    int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            size += stripe.size();
        }
        return size;
    }

    /** A call's node. */
    static final class Place {

        private final CallMachine call;
        private final Stripe stripe;

        // Guarded by the stripe.
        private @Nullable Place previous;
        private @Nullable Place next;

        private Place(CallMachine call, Stripe stripe) {
            this.call = call;
            this.stripe = stripe;
        }
    }

    private static final class Stripe {

        private static final VarHandle LOCKED;

        static {
            try {
                LOCKED = MethodHandles.lookup().findVarHandle(Stripe.class, "locked", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        @SuppressWarnings("unused") // by LOCKED
        private boolean locked;

        // Guarded by the lock.
        private @Nullable Place first;
        private int size;

        private void lock() {
            // Acquire: pairs with the releasing store of unlock.
            while (!LOCKED.weakCompareAndSetAcquire(this, false, true)) {
                Thread.onSpinWait();
            }
        }

        private void unlock() {
            LOCKED.setRelease(this, false);
        }

        void link(Place place) {
            lock();
            Place head = first;
            place.next = head;
            if (head != null) {
                head.previous = place;
            }
            first = place;
            size++;
            unlock();
        }

        void unlink(Place place) {
            lock();
            Place before = place.previous;
            Place after = place.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            place.previous = null;
            place.next = null;
            size--;
            unlock();
        }

        void copyTo(List<CallMachine> calls) {
            // The one long hold of this lock, at a close: calls that come or go spin until the stripe is copied.
            lock();
            try {
                for (Place place = first; place != null; place = place.next) {
                    calls.add(place.call);
                }
            } finally {
                unlock();
            }
        }

        int size() {
            lock();
            int seen = size;
            unlock();
            return seen;
        }
    }
}
