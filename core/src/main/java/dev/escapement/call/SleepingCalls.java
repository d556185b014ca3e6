package dev.escapement.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a client that have gone to sleep and are not clean yet, so that closing the client can reach them.
 *
 * <p>A table a stripe, each behind a spin lock that is held for a few stores; a call carries the number of its slot
 * and allocates nothing here. It stays on the stripe of the thread that put it to sleep first; one that completes at
 * once never comes here. Tables grow by half and never shrink: 8 bytes for each call of the fullest moment. Any thread.
 */
final class SleepingCalls {

    /** No slot; every slot's number is positive. */
    static final int NONE = 0;

    /** Four a core, rounded up to a power of two: enough that two threads seldom meet. */
    private static final int STRIPES =
            Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors() - 1);

    private static final int STRIPE_BITS = Integer.numberOfTrailingZeros(STRIPES);

    private final Stripe[] stripes = new Stripe[STRIPES];

    SleepingCalls() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Takes a slot, whose number {@link #remove} wants back. */
    int add(CallRun call) {
        int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
        return stripes[stripe].add(call) << STRIPE_BITS | stripe;
    }

    void remove(int slot) {
        stripes[slot & (STRIPES - 1)].remove(slot >>> STRIPE_BITS);
    }

    /** Whoever sleeps now, stripe by stripe; no lock is held when this returns. */
    List<CallRun> snapshot() {
        List<CallRun> calls = new ArrayList<>();
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

    private static final class Stripe {

        private static final int FIRST_CAPACITY = 16;

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

        // Guarded by locked. Slot 0 is never used; a free slot's link is the next free one.
        private @Nullable CallRun[] calls = new CallRun[FIRST_CAPACITY];
        private int[] links = new int[FIRST_CAPACITY];
        private int free = NONE;
        private int used = 1;
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

        int add(CallRun call) {
            lock();
            try {
                int slot = free;
                if (slot != NONE) {
                    free = links[slot];
                } else {
                    if (used == calls.length) {
                        grow();
                    }
                    slot = used++;
                }
                calls[slot] = call;
                size++;
                return slot;
            } finally {
                unlock();
            }
        }

        private void grow() {
            int capacity = calls.length + (calls.length >> 1);
            @Nullable CallRun[] moreCalls = Arrays.copyOf(calls, capacity);
            links = Arrays.copyOf(links, capacity);
            calls = moreCalls;
        }

        void remove(int slot) {
            lock();
            calls[slot] = null;
            links[slot] = free;
            free = slot;
            size--;
            unlock();
        }

        void copyTo(List<CallRun> out) {
            lock();
            try {
                for (int slot = 1; slot < used; slot++) {
                    CallRun call = calls[slot];
                    if (call != null) {
                        out.add(call);
                    }
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
