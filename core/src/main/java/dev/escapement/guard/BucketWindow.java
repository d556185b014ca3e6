package dev.escapement.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A sliding window of time in {@value #BUCKETS} buckets, [start, end) each, of which the newest is open and the others are closed
 * (A6); and how many deposits and reservations are counted in it. Time is an argument; nothing here reads a clock.
 *
 * <p>There is one newest bucket, and it moves on for both counts at once. Three facts carry everything:
 *
 * <ul>
 *   <li>Only the newest bucket grows. Before it moves on, every {@link Tally} is sealed in it, and what it has counted is written
 *       down; adding is a compare-and-set from a word without the seal. So an addition that succeeds was made while its bucket was the
 *       newest, and what is counted in a closed bucket can only be taken back.
 *   <li>A bucket found in a word proves that the newest one had come there. So whoever has read a word and <em>then</em>
 *       finds the newest bucket where it was, may take any other bucket's word for an older one's.
 *   <li>Whoever meets the seal of a reservation or of all deposits finishes the moving, to the next bucket: some reading of the
 *       clock must have come there. So nobody waits for a thread that has been taken off its processor (lock-free).
 * </ul>
 *
 * <p>A reading of the clock that is older than the newest bucket, of a thread that comes late, counts as the newest one.
 *
 * <p>Thread-safety: any thread. Cost: an addition is one atomic instruction; moving on is one for each tally and some more. No
 * allocation.
 */
final class BucketWindow extends Padding {

    /** How many buckets the window has, the open one included. */
    static final int BUCKETS = 10;

    /** The answer in place of a word where the window has moved on. No word is this: no count is so large. */
    static final long GONE = -1L;

    /** How many closed buckets are written down, a power of two, at least {@link #BUCKETS}. */
    private static final int KEPT = 16;

    private static final VarHandle CLOSED = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(BucketWindow.class, "newest", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long bucketNanos;

    private final Tally reserved;

    private final StripedTally deposits;

    /**
     * What was counted in the closed buckets, as words of a tally. Any thread: written once for each bucket, before the newest one
     * leaves it, and taken back from afterwards. Modes as in {@link Tally}.
     */
    private final long[] closedReserved = new long[KEPT];

    private final long[] closedDeposits = new long[KEPT];

    /**
     * The open bucket, counted from the clock's origin; only grows. Any thread. Read with acquire and moved with release: whoever
     * sees it sees what the bucket before was closed with.
     */
    @SuppressWarnings("unused") // by NEWEST
    private long newest;

    /** @param windowNanos a multiple of {@link #BUCKETS}, at most 60 s */
    BucketWindow(long windowNanos, long nowNanos, int stripes) {
        bucketNanos = windowNanos / BUCKETS;
        newest = bucketOf(nowNanos);
        // Everything stands at the bucket before: of the first one nothing is counted, joined or written down.
        long before = newest - 1;
        reserved = new Tally(before);
        deposits = new StripedTally(this, stripes, before, reserved.beside(before));
        Arrays.fill(closedReserved, Tally.word(before, 0));
        Arrays.fill(closedDeposits, Tally.word(before, 0));
    }

    /** The bucket in which a reading of the clock counts: the newest one, after moving it there. */
    long bucketAt(long nowNanos) {
        long bucket = newest();
        // One comparison for both sides of [start, end), which cannot overflow: the start is no later than some reading
        // was.
        return Long.compareUnsigned(nowNanos - bucket * bucketNanos, bucketNanos) < 0
                ? bucket
                : moveTo(bucketOf(nowNanos));
    }

    /** The bucket that a reading of the clock lies in, whether or not the window has come there. */
    long bucketOf(long nowNanos) {
        return nowNanos / bucketNanos;
    }

    long newest() {
        return (long) NEWEST.getAcquire(this);
    }

    /** Counts a deposit in the newest bucket; false where another thread was faster, to be asked again. */
    boolean tryDeposit(long bucket) {
        return deposits.tryCount(bucket);
    }

    /** The word of all deposits in the newest bucket, or {@link #GONE}. From the first time on they meet in one tally. */
    long lookAtDeposits(long bucket) {
        return deposits.look(bucket);
    }

    /** The word of the reservations in the newest bucket, for {@link #tryReserve}, or {@link #GONE}. */
    long lookAtReserved(long bucket) {
        return look(reserved, bucket);
    }

    /** Counts a reservation in the newest bucket, if the word of {@link #lookAtReserved} still stands. */
    boolean tryReserve(long bucket, long seen) {
        return reserved.tryCount(bucket, seen);
    }

    /** Takes a reservation back, in a bucket of the window; false where none is counted in it. */
    boolean tryUncountReserved(long bucket) {
        for (; ; ) {
            boolean open = newest() == bucket;
            long seen = open ? look(reserved, bucket) : word(closedReserved, bucket);
            if (seen == GONE) {
                continue;
            }
            if (Tally.count(seen, bucket) == 0) {
                return false;
            }
            if (open
                    ? reserved.replace(seen, seen - 1)
                    : CLOSED.weakCompareAndSetRelease(closedReserved, index(bucket), seen, seen - 1)) {
                return true;
            }
        }
    }

    long openReserved(long bucket) {
        return Tally.count(reserved.word(), bucket);
    }

    long openDeposits(long bucket) {
        return deposits.count(bucket);
    }

    /** What is reserved in the closed buckets of the window, if this bucket is the newest. */
    long closedReserved(long bucket) {
        return closedCount(closedReserved, bucket);
    }

    /** What was deposited in the closed buckets of the window, if this bucket is the newest. */
    long closedDeposits(long bucket) {
        return closedCount(closedDeposits, bucket);
    }

    private static long closedCount(long[] closed, long bucket) {
        long sum = 0;
        for (long past = bucket - BUCKETS + 1; past < bucket; past++) {
            sum += Tally.count(word(closed, past), past);
        }
        return sum;
    }

    /** A tally's word, to be counted up. */
    long look(Tally tally, long bucket) {
        long seen = tally.word();
        return Tally.isOpen(seen, bucket) ? seen : lookAgain(seen, bucket);
    }

    private long lookAgain(long seen, long bucket) {
        if (Tally.isSealed(seen, bucket)) {
            moveOn(bucket, bucket + 1);
            return GONE;
        }
        // The word first, then the newest bucket: the second fact.
        return newest() == bucket ? seen : GONE;
    }

    private long moveTo(long bucket) {
        for (; ; ) {
            long seen = newest();
            if (seen >= bucket) {
                return seen;
            }
            moveOn(seen, bucket);
        }
    }

    /** Closes the newest bucket and opens a later one, unless another thread has. */
    void moveOn(long from, long to) {
        writeDown(closedReserved, from, seal(reserved, from));
        writeDown(closedDeposits, from, deposits.seal(from));
        NEWEST.compareAndSet(this, from, to);
    }

    /** What a tally counts in a bucket, for good; nothing where another thread has moved on, to whom it makes no difference. */
    long seal(Tally tally, long bucket) {
        for (; ; ) {
            long seen = tally.word();
            if (Tally.isSealed(seen, bucket)) {
                return Tally.count(seen, bucket);
            }
            boolean own = Tally.isOpen(seen, bucket);
            if (!own && newest() != bucket) {
                return 0;
            }
            tally.replace(seen, Tally.sealed(own ? seen : Tally.word(bucket, 0)));
        }
    }

    private void writeDown(long[] closed, long bucket, long count) {
        for (; ; ) {
            long seen = word(closed, bucket);
            if (Tally.isOpen(seen, bucket) || newest() != bucket) {
                return;
            }
            CLOSED.weakCompareAndSetRelease(closed, index(bucket), seen, Tally.word(bucket, count));
        }
    }

    private static long word(long[] closed, long bucket) {
        return (long) CLOSED.getAcquire(closed, index(bucket));
    }

    private static int index(long bucket) {
        return (int) bucket & (KEPT - 1);
    }
}
