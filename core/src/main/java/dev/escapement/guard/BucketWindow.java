package dev.escapement.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts in a sliding window of time: {@value #BUCKETS} buckets, [start, end) each, of which the newest is open and the others are
 * closed (A6). Time is an argument; nothing here reads a clock.
 *
 * <p>There are several rows of counts, so that threads which only add need not meet, but there is one newest bucket, and it
 * moves for all rows at once. A count and what it belongs to stand in one word:
 *
 * <pre>
 *     63                         33    32     31                              0
 *    ┌─────────────────────────────┬────────┬─────────────────────────────────┐
 *    │ bucket, its lower 31 bits   │ SEALED │ count                           │
 *    └─────────────────────────────┴────────┴─────────────────────────────────┘
 * </pre>
 *
 * <p>A word of an older bucket stands for a count of zero, so nothing needs to be cleared. Three facts carry the rest:
 *
 * <ul>
 *   <li>Only the open bucket grows. Before the newest bucket moves on, its word in every row is sealed; an addition is a
 *       compare-and-set from a word without the seal. So an addition that succeeds was made while its bucket was the newest, and the
 *       counts of a closed bucket can only be taken back.
 *   <li>A word that belongs to a bucket proves that the newest one had come there. So whoever has read a word and <em>then</em>
 *       finds the newest bucket where it was may take another bucket's word for an older one.
 *   <li>Whoever meets a seal finishes the moving itself, to the next bucket: a reading of the clock must have come there. So
 *       nobody waits for a thread that has been taken off its processor (lock-free).
 * </ul>
 *
 * <p>A reading of the clock that is older than the newest bucket, of a thread that came late, counts as the newest one. A window
 * is never moved back.
 *
 * <p>Thread-safety: any thread. Cost: an addition is one atomic instruction; moving on is one for each row. No allocation.
 * Limits: a count holds 2^32 − 1, more than a processor can add one by one within the longest bucket of 6 s; a row that nobody
 * touches for 2^31 buckets, nearly seven years, could take one old bucket for a new one.
 */
final class BucketWindow extends Padding {

    /** How many buckets the window has, the open one included. */
    static final int BUCKETS = 10;

    /** The answer of {@link #look} where the window has moved on. No word is this: no count is that large. */
    static final long GONE = -1L;

    /** Words of a row, a power of two, at least {@link #BUCKETS}. */
    private static final int KEPT = 16;

    /** From one row to the next, in words: a row and as much room, since cache lines are fetched in pairs. */
    private static final int STRIDE = 2 * KEPT;

    private static final long SEALED = 1L << 32;
    private static final long COUNT = SEALED - 1;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(BucketWindow.class, "newest", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long bucketNanos;
    private final int rows;

    /** Any thread. Read with acquire and written with release: a word's bucket says how far {@link #newest} had come. */
    private final long[] words;

    /** The open bucket, counted from the clock's origin; only grows. Any thread; acquire and release pair with those of the words. */
    @SuppressWarnings("unused") // by NEWEST
    private long newest;

    /**
     * @param rows at least 1
     * @param windowNanos a multiple of {@link #BUCKETS}, at most 60 s
     */
    BucketWindow(int rows, long windowNanos, long nowNanos) {
        this.rows = rows;
        bucketNanos = windowNanos / BUCKETS;
        // Room before the first row, and behind the last its own.
        words = new long[KEPT + rows * STRIDE];
        newest = bucketOf(nowNanos);
    }

    /** The bucket in which a reading of the clock counts: the newest one, after moving it there. */
    long bucketAt(long nowNanos) {
        long bucket = newestAcquire();
        // One comparison for both sides of [start, end), which cannot overflow: the start is no later than some reading
        // was.
        return Long.compareUnsigned(nowNanos - bucket * bucketNanos, bucketNanos) < 0
                ? bucket
                : moveTo(bucketOf(nowNanos));
    }

    /** The bucket a reading of the clock lies in, whether or not the window has come there. */
    long bucketOf(long nowNanos) {
        return nowNanos / bucketNanos;
    }

    long newest() {
        return newestAcquire();
    }

    /**
     * A row's word, to be counted up: see {@link #tryCount} and {@link #count(long, long)}.
     *
     * @param bucket of {@link #bucketAt}
     * @return {@link #GONE} if it is no longer the newest
     */
    long look(int row, long bucket) {
        long seen = word(row, bucket);
        // The word before the newest bucket: see the second fact.
        return isOf(seen, bucket) ? seen : lookElsewhere(seen, bucket);
    }

    private long lookElsewhere(long seen, long bucket) {
        if (highHalf(seen) == (open(bucket) | 1)) {
            moveOn(bucket, bucket + 1);
            return GONE;
        }
        return newestAcquire() == bucket ? seen : GONE;
    }

    /** Adds one to a row's open bucket, if its word is still the one {@link #look} gave. */
    boolean tryCount(int row, long bucket, long seen) {
        long counted = isOf(seen, bucket) ? seen + 1 : fresh(bucket) + 1;
        return WORDS.weakCompareAndSetRelease(words, index(row, bucket), seen, counted);
    }

    /** Takes one back from a row's bucket, closed or not; false where it counts none, or has left the row. */
    boolean tryUncount(int row, long bucket) {
        for (; ; ) {
            long seen = word(row, bucket);
            if (count(seen, bucket) == 0) {
                return false;
            }
            if (WORDS.weakCompareAndSetRelease(words, index(row, bucket), seen, seen - 1)) {
                return true;
            }
        }
    }

    /** What a row counts in one bucket. */
    long count(int row, long bucket) {
        return count(word(row, bucket), bucket);
    }

    /** What a row counts in the closed buckets of the window whose newest is this one. */
    long closedCount(int row, long bucket) {
        long sum = 0;
        for (long closed = bucket - BUCKETS + 1; closed < bucket; closed++) {
            sum += count(row, closed);
        }
        return sum;
    }

    /** What a word counts for a bucket: nothing, if it is another's. */
    static long count(long word, long bucket) {
        return (highHalf(word) | 1) == (open(bucket) | 1) ? word & COUNT : 0;
    }

    /** Whether a word is an open one of this bucket. */
    static boolean isOf(long word, long bucket) {
        return highHalf(word) == open(bucket);
    }

    /** A word of this bucket, open, that counts so many, or as many as a word can. */
    static long wordOf(long bucket, long count) {
        return fresh(bucket) | Math.min(count, COUNT);
    }

    private long moveTo(long bucket) {
        for (; ; ) {
            long seen = newestAcquire();
            if (seen >= bucket) {
                return seen;
            }
            moveOn(seen, bucket);
        }
    }

    /** Closes the newest bucket and opens a later one, unless another thread did. */
    private void moveOn(long from, long to) {
        for (int row = 0; row < rows; row++) {
            seal(row, from);
        }
        NEWEST.compareAndSet(this, from, to);
    }

    private void seal(int row, long bucket) {
        for (; ; ) {
            long seen = word(row, bucket);
            long sealed;
            if ((highHalf(seen) | 1) == (open(bucket) | 1)) {
                sealed = seen | SEALED;
            } else if (newestAcquire() == bucket) {
                sealed = fresh(bucket) | SEALED;
            } else {
                return;
            }
            if (sealed == seen || WORDS.weakCompareAndSetRelease(words, index(row, bucket), seen, sealed)) {
                return;
            }
        }
    }

    private long word(int row, long bucket) {
        return (long) WORDS.getAcquire(words, index(row, bucket));
    }

    private long newestAcquire() {
        return (long) NEWEST.getAcquire(this);
    }

    private static int index(int row, long bucket) {
        return KEPT + row * STRIDE + ((int) bucket & (KEPT - 1));
    }

    private static int highHalf(long word) {
        return (int) (word >>> 32);
    }

    /** The upper half of an open bucket's word; that of a sealed one has its lowest bit set. */
    private static int open(long bucket) {
        return (int) bucket << 1;
    }

    private static long fresh(long bucket) {
        return (long) open(bucket) << 32;
    }
}
