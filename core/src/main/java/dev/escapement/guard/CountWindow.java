package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The results that ended last, so many of them: a ring of two-bit results, 32 in a word.
 *
 * <p>A result takes the next place of the ring and puts itself where the oldest stood; only where the two differ are the
 * sums corrected, by that difference. So whatever the threads do in between, the sums come to be those of the ring, and while all
 * is well a result costs the one addition that takes its place.
 */
final class CountWindow extends ResultWindow {

    private static final int PLACES_PER_WORD = 32;
    private static final long MASK = 3;

    private static final long GOOD = 0;
    private static final long SLOW = 1;
    private static final long FAILED = 2;

    private static final VarHandle TAKEN;
    private static final VarHandle SUMS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAKEN = lookup.findVarHandle(CountWindow.class, "taken", long.class);
            SUMS = lookup.findVarHandle(CountWindow.class, "sums", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int size;

    /** Any thread, by compare-and-set. A place that was never taken reads as a good result, and is not counted as a call. */
    private final AtomicLongArray ring;

    /** How many places were taken from the beginning. Any thread, atomic additions. */
    private volatile long taken;

    /** How many failures the ring holds, and in the lower half how many slow answers. Any thread, atomic additions. */
    private volatile long sums;

    CountWindow(BreakerSettings settings) {
        super(settings);
        size = settings.windowCalls();
        ring = new AtomicLongArray((size - 1) / PLACES_PER_WORD + 1);
    }

    @Override
    boolean countSuccess(long nowNanos) {
        return put(GOOD) == minimumCalls && judge();
    }

    @Override
    boolean countSlow(long nowNanos) {
        put(SLOW);
        return judge();
    }

    @Override
    boolean countFailure(long nowNanos) {
        put(FAILED);
        return judge();
    }

    /** Returns how many results there were, with this one. */
    private long put(long result) {
        long before = (long) TAKEN.getAndAdd(this, 1L);
        int place = (int) (before % size);
        int word = place / PLACES_PER_WORD;
        int bits = place % PLACES_PER_WORD * 2;
        for (; ; ) {
            long seen = ring.get(word);
            long old = seen >>> bits & MASK;
            if (old == result) {
                return before + 1;
            }
            if (ring.weakCompareAndSetVolatile(word, seen, seen ^ (old ^ result) << bits)) {
                SUMS.getAndAdd(this, weight(result) - weight(old));
                return before + 1;
            }
        }
    }

    private static long weight(long result) {
        return result == FAILED ? 1L << 32 : result;
    }

    private boolean judge() {
        long calls = calls();
        long seen = sums;
        return calls >= minimumCalls && reached(failedIn(seen), slowIn(seen), calls);
    }

    private long calls() {
        return Math.min(taken, size);
    }

    /** The lower half may be negative for an instant, and has borrowed from the upper then. */
    private static long failedIn(long sums) {
        return (sums - (int) sums) >> 32;
    }

    private static long slowIn(long sums) {
        return (int) sums;
    }

    @Override
    Totals totals(long nowNanos) {
        long seen = sums;
        return new Totals(calls(), failedIn(seen), slowIn(seen));
    }
}
