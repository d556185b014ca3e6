package dev.escapement.guard;

import dev.escapement.policy.BudgetSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * May the population afford another retry? The budget of one upstream and operation class (G1).
 *
 * <p>A retry goes to an upstream that has just failed, from one of many callers who all see it fail: what each of them may
 * reasonably do multiplies the load exactly when there is least room for it. So calls pay in, and retries draw upon it. In the
 * sliding window, whenever a retry is granted and with it counted,
 *
 * <pre>
 *     retries  ≤  ratio × calls  +  floor per second × window
 * </pre>
 *
 * <p>in exact integers: 0.6 of 10 calls are 6 retries, and what a division leaves over is kept for later. The floor is for those who
 * call rarely; it is there from the start, whole. The window has ten buckets, [start, end) each, that start at multiples of their
 * width from the clock's origin; what a bucket counts is forgotten ten widths after its start (A6). A retry is never forgotten
 * before the calls that paid for it, since it came after them: with a floor of 0, retries stay within the ratio of the calls over
 * any length of time.
 *
 * <p>{@link #deposit} once for a call, when its first attempt starts; {@link #tryReserve} when a retry is decided upon, so
 * that retries in backoff count; {@link #giveBack} if it then does not start. Where two budgets must agree, ask one after the other
 * and give back to the first what the second refuses.
 *
 * <p>Every instant is a reading of one monotonic clock, not negative (T1). A reading that is older than the newest bucket, of a
 * thread that comes late, counts as the newest one: the window never moves back, and no deposit is lost.
 *
 * <p>Thread-safety: any thread. Every operation takes effect at one instant, and the window moves on at one, when a reading comes that
 * lies beyond its newest bucket; of two who ask for the last retry one gets it. Lock-free.
 * Cost: one atomic instruction for a deposit, on a word of few threads, and one for an answer; once in a bucket, a few dozen. No
 * allocation. {@link BudgetSettings#none()} costs a comparison.
 */
public final class RetryBudget extends Padding {

    private static final int MAX_STRIPES = 16;

    /** What one retry costs, where a call pays in parts of a million. */
    private static final long COST = BudgetSettings.MILLION;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final VarHandle CLOSED_DEPOSITS;
    private static final VarHandle CLOSED_RESERVED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLOSED_DEPOSITS = lookup.findVarHandle(RetryBudget.class, "closedDeposits", long.class);
            CLOSED_RESERVED = lookup.findVarHandle(RetryBudget.class, "closedReserved", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null where there is no budget: then nothing is counted. */
    private final @Nullable BucketWindow window;

    private final long ratioPartsPerMillion;

    /** What the floor affords in a window, in the unit of {@link #COST}. */
    private final long floor;

    private final LongAdder refused = new LongAdder();

    /**
     * What the closed buckets hold, as a word of the newest one; another bucket's is out of date. Any thread, which sums up again.
     * Release and acquire, as for the words that were summed up.
     */
    @SuppressWarnings("unused") // by CLOSED_DEPOSITS
    private long closedDeposits;

    /**
     * The same for reservations. It can shrink within a bucket, when one is given back: any thread, by compare-and-set from
     * what it was before summing up, so that an older sum never takes the place of a newer one.
     */
    @SuppressWarnings("unused") // by CLOSED_RESERVED
    private long closedReserved;

    private RetryBudget(BudgetSettings settings, long nowNanos, int stripes) {
        BucketWindow counts = settings.unlimited() ? null : new BucketWindow(settings.windowNanos(), nowNanos, stripes);
        window = counts;
        if (counts != null) {
            closedDeposits = Tally.word(counts.newest(), 0);
            closedReserved = closedDeposits;
        }
        ratioPartsPerMillion = settings.ratioPartsPerMillion();
        // Exact, since a window has whole milliseconds.
        floor = settings.floorPerSecond() * (settings.windowNanos() / (NANOS_PER_SECOND / COST));
    }

    /** A budget in which nothing has been counted yet. */
    public static RetryBudget of(BudgetSettings settings, long nowNanos) {
        int wanted = 2 * Runtime.getRuntime().availableProcessors();
        return of(settings, nowNanos, Math.min(MAX_STRIPES, Integer.highestOneBit(2 * wanted - 1)));
    }

    /** @param stripes a power of two */
    static RetryBudget of(BudgetSettings settings, long nowNanos, int stripes) {
        return new RetryBudget(settings, nowNanos, stripes);
    }

    /** Pays in for one call, at the start of its first attempt. */
    public void deposit(long nowNanos) {
        BucketWindow counts = window;
        if (counts == null) {
            return;
        }
        long bucket;
        do {
            bucket = counts.bucketAt(nowNanos);
        } while (!counts.tryDeposit(bucket));
    }

    /**
     * Takes what one retry costs.
     *
     * @return true: the retry is counted, and is given back if it does not start. False: the population cannot afford it; counted
     *     as refused
     */
    public boolean tryReserve(long nowNanos) {
        BucketWindow counts = window;
        if (counts == null) {
            return true;
        }
        for (; ; ) {
            long bucket = counts.bucketAt(nowNanos);
            // This word is read first and replaced last, so no other retry was granted in between, and deposits can
            // only have
            // grown. If it is refused, it was so already when the word was read.
            long seen = counts.lookAtReserved(bucket);
            if (seen == BucketWindow.GONE) {
                continue;
            }
            long retries = Tally.count(seen, bucket) + closedReserved(counts, bucket) + 1;
            long calls = closedDeposits(counts, bucket);
            if (!affords(calls, retries)) {
                long met = counts.lookAtDeposits(bucket);
                if (met == BucketWindow.GONE) {
                    continue;
                }
                if (!affords(calls + Tally.count(met, bucket), retries)) {
                    refused.increment();
                    return false;
                }
            }
            if (counts.tryReserve(bucket, seen)) {
                return true;
            }
        }
    }

    /**
     * Undoes a reservation whose retry does not start: once for each, by whoever holds it. Where its bucket has been forgotten
     * meanwhile, there is nothing to undo.
     *
     * @param reservedNanos the reading that {@link #tryReserve} was given
     */
    public void giveBack(long reservedNanos) {
        BucketWindow counts = window;
        if (counts == null) {
            return;
        }
        long newest = counts.newest();
        long bucket = counts.bucketOf(reservedNanos);
        if (bucket <= newest - BucketWindow.BUCKETS) {
            return;
        }
        // What was reserved late stands in a later bucket.
        while (bucket <= newest && !counts.tryUncountReserved(bucket)) {
            bucket++;
        }
        if (bucket < counts.newest()) {
            sumUpReserved(counts);
        }
    }

    /** What has been counted, as it stands at an instant. */
    public BudgetFigures figures(long nowNanos) {
        BucketWindow counts = window;
        if (counts == null) {
            return new BudgetFigures(0, 0, Long.MAX_VALUE, 0);
        }
        for (; ; ) {
            long bucket = counts.bucketAt(nowNanos);
            long retries = counts.openReserved(bucket) + counts.closedReserved(bucket);
            long calls = counts.openDeposits(bucket) + counts.closedDeposits(bucket);
            if (counts.newest() == bucket) {
                long affordable = (calls * ratioPartsPerMillion + floor) / COST; // rounded down: whole retries
                return new BudgetFigures(calls, retries, Math.max(0, affordable - retries), refused.sum());
            }
        }
    }

    private boolean affords(long calls, long retries) {
        return retries * COST <= calls * ratioPartsPerMillion + floor;
    }

    private long closedDeposits(BucketWindow counts, long bucket) {
        long seen = (long) CLOSED_DEPOSITS.getAcquire(this);
        return Tally.isOpen(seen, bucket) ? Tally.count(seen, bucket) : sumUpDeposits(counts, bucket);
    }

    private long sumUpDeposits(BucketWindow counts, long bucket) {
        long sum = counts.closedDeposits(bucket);
        CLOSED_DEPOSITS.setRelease(this, Tally.word(bucket, sum));
        return sum;
    }

    private long closedReserved(BucketWindow counts, long bucket) {
        long seen = (long) CLOSED_RESERVED.getAcquire(this);
        return Tally.isOpen(seen, bucket) ? Tally.count(seen, bucket) : sumUpReserved(counts);
    }

    /** Of the newest bucket, which may be later than the asker's: it notices. */
    private long sumUpReserved(BucketWindow counts) {
        for (; ; ) {
            long seen = (long) CLOSED_RESERVED.getAcquire(this);
            long bucket = counts.newest();
            long sum = counts.closedReserved(bucket);
            if (CLOSED_RESERVED.weakCompareAndSetRelease(this, seen, Tally.word(bucket, sum))) {
                return sum;
            }
        }
    }
}
