package dev.escapement.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count and the bucket of time that it belongs to, in one word.
 *
 * <pre>
 *     63                         33    32     31                              0
 *    ┌─────────────────────────────┬────────┬─────────────────────────────────┐
 *    │ bucket, its lower 31 bits   │ SEALED │ count                           │
 *    └─────────────────────────────┴────────┴─────────────────────────────────┘
 * </pre>
 *
 * <p>For any bucket but its own a word counts nothing, so nothing ever needs to be cleared. Which bucket may be counted in, and
 * when a word is sealed, is up to {@link BucketWindow}.
 *
 * <p>The word lies in the middle of an array, apart from everything else, or beside one other that the same threads use.
 *
 * <p>Thread-safety: any thread. A word is read with acquire and replaced with release: whoever sees a bucket in it must see that the
 * window has come there. Limits: a count holds 2^32 − 1, more than processors can add one by one to one word within the longest
 * bucket, of 6 s; a word that nobody replaces for 2^31 buckets, nearly seven years, could take an old bucket for a new one.
 */
final class Tally {

    /** Two cache lines, which processors like to fetch in pairs. */
    private static final int ROOM = 128 / Long.BYTES;

    private static final long SEALED = 1L << 32;
    private static final long COUNT = SEALED - 1;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Any thread, by compare-and-set. */
    private final long[] words;

    private final int index;

    private Tally(long[] words, int index, long bucket) {
        this.words = words;
        this.index = index;
        words[index] = word(bucket, 0);
    }

    /** A tally that stands at a bucket. */
    Tally(long bucket) {
        this(new long[2 * ROOM], ROOM, bucket);
    }

    /** Another, for threads that use both, one after the other: they have its cache line then. At most one for each. */
    Tally beside(long bucket) {
        return new Tally(words, index - 1, bucket);
    }

    long word() {
        return (long) WORDS.getAcquire(words, index);
    }

    /** Weak: every caller looks again. */
    boolean replace(long seen, long next) {
        return WORDS.weakCompareAndSetRelease(words, index, seen, next);
    }

    /** Adds one in a bucket, if the word is still this open one, or still this one of an older bucket. */
    boolean tryCount(long bucket, long seen) {
        return replace(seen, isOpen(seen, bucket) ? seen + 1 : word(bucket, 1));
    }

    /** An open word of a bucket that counts so many, or as many as a word can. */
    static long word(long bucket, long count) {
        return (long) open(bucket) << 32 | Math.min(count, COUNT);
    }

    static boolean isOpen(long word, long bucket) {
        return highHalf(word) == open(bucket);
    }

    static boolean isSealed(long word, long bucket) {
        return highHalf(word) == (open(bucket) | 1);
    }

    static boolean isOf(long word, long bucket) {
        return (highHalf(word) | 1) == (open(bucket) | 1);
    }

    static long sealed(long word) {
        return word | SEALED;
    }

    /** What a word counts for a bucket: nothing, if it is another's. */
    static long count(long word, long bucket) {
        return isOf(word, bucket) ? word & COUNT : 0;
    }

    private static int highHalf(long word) {
        return (int) (word >>> 32);
    }

    /** The upper half of a bucket's word; that of a sealed one has its lowest bit set. */
    private static int open(long bucket) {
        return (int) bucket << 1;
    }
}
