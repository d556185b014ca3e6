package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * The results of the last ten buckets, of which the newest is under way.
 *
 * <p>Nothing is ever taken out: results are counted from the beginning, and {@link Marks} remember what the counts were when
 * each of the buckets began. What the window holds is the difference to the oldest. So a result costs one addition and a look
 * whether its bucket still runs, the marks move on by one compare-and-set, and no count is cleared that somebody is adding to.
 *
 * <p>Buckets are [start, end), and start at multiples of their width from the clock's origin (A6). A result of a thread whose
 * clock reading lies before the newest bucket is counted in that one.
 *
 * <p>Memory: an object of 300 bytes for each bucket in which there was a result.
 */
final class TimeWindow extends ResultWindow {

    private static final int BUCKETS = BreakerSettings.TIME_WINDOW_BUCKETS;

    private static final VarHandle MARKS;
    private static final VarHandle FAILED;
    private static final VarHandle SLOW;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MARKS = lookup.findVarHandle(TimeWindow.class, "marks", Marks.class);
            FAILED = lookup.findVarHandle(TimeWindow.class, "failed", long.class);
            SLOW = lookup.findVarHandle(TimeWindow.class, "slow", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long widthNanos;

    /** Striped: on the path of every good call. */
    private final LongAdder good = new LongAdder();

    /** Any thread, by compare-and-set: whoever finds the newest bucket over. */
    private volatile Marks marks = new Marks(0);

    /** From the beginning; any thread, atomic additions. */
    private volatile long failed;

    private volatile long slow;

    /**
     * Whether calls are all that is missing to open, so that a success must be judged. Any thread; a value that is out of date costs
     * a look, or puts a judgement off to the next failure or bucket.
     */
    private volatile boolean watched;

    TimeWindow(BreakerSettings settings) {
        super(settings);
        // Rounded up: ten of them are never less than what was asked for.
        widthNanos = (settings.windowNanos() - 1) / BUCKETS + 1;
    }

    @Override
    boolean countSuccess(long nowNanos) {
        boolean moved = moveTo(nowNanos);
        good.increment();
        return (moved || watched) && judge();
    }

    @Override
    boolean countSlow(long nowNanos) {
        moveTo(nowNanos);
        SLOW.getAndAdd(this, 1L);
        return judge();
    }

    @Override
    boolean countFailure(long nowNanos) {
        moveTo(nowNanos);
        FAILED.getAndAdd(this, 1L);
        return judge();
    }

    private boolean judge() {
        Marks oldest = marks;
        long inFailed = failed - oldest.failed[0];
        long inSlow = slow - oldest.slow[0];
        long calls = good.sum() - oldest.good[0] + inFailed + inSlow;
        if (calls >= minimumCalls) {
            if (watched) {
                watched = false;
            }
            return reached(inFailed, inSlow, calls);
        }
        boolean watch = reached(inFailed, inSlow, minimumCalls);
        if (watched != watch) {
            watched = watch;
        }
        return false;
    }

    /** Begins the bucket of {@code nowNanos}, unless it has begun; true if it was this that did. */
    private boolean moveTo(long nowNanos) {
        for (; ; ) {
            Marks seen = marks;
            // Both are instants, so the difference cannot overflow; it is negative for a thread that is late.
            long sinceStart = nowNanos - seen.startNanos;
            if (sinceStart < widthNanos) {
                return false;
            }
            if (MARKS.compareAndSet(this, seen, movedOn(seen, sinceStart / widthNanos))) {
                return true;
            }
        }
    }

    private Marks movedOn(Marks from, long buckets) {
        Marks next = new Marks(from.startNanos + buckets * widthNanos);
        int kept = (int) Math.max(0, BUCKETS - buckets);
        move(from.good, next.good, kept, good.sum());
        move(from.failed, next.failed, kept, failed);
        move(from.slow, next.slow, kept, slow);
        return next;
    }

    private static void move(long[] from, long[] to, int kept, long now) {
        System.arraycopy(from, BUCKETS - kept, to, 0, kept);
        Arrays.fill(to, kept, BUCKETS, now);
    }

    @Override
    Totals totals(long nowNanos) {
        Marks seen = marks;
        long buckets = Math.max(0, nowNanos - seen.startNanos) / widthNanos;
        if (buckets >= BUCKETS) {
            return Totals.NONE;
        }
        int oldest = (int) buckets;
        long inFailed = failed - seen.failed[oldest];
        long inSlow = slow - seen.slow[oldest];
        return new Totals(good.sum() - seen.good[oldest] + inFailed + inSlow, inFailed, inSlow);
    }

    /** The counts at the beginning of each bucket, oldest first. Not written after it is published. */
    private static final class Marks {

        /** Of the newest bucket. */
        final long startNanos;

        final long[] good = new long[BUCKETS];
        final long[] failed = new long[BUCKETS];
        final long[] slow = new long[BUCKETS];

        Marks(long startNanos) {
            this.startNanos = startNanos;
        }
    }
}
