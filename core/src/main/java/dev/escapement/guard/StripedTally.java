package dev.escapement.guard;

import java.util.stream.Stream;

/**
 * A count that many threads add to and few ask for: on stripes of few threads until somebody asks, from then on until the bucket is
 * over in one tally.
 *
 * <p>While calls succeed nobody asks, and threads that add do not meet. When many fail, each asks: to look at every
 * stripe each time, at lines that others write, would cost more than to meet. The first who asks seals the stripes and puts their
 * sum into the joint tally; a sealed stripe sends its threads there. Where the window moves on, it is the one who asks.
 *
 * <p>Thread-safety: any thread; lock-free. Seals and buckets are those of {@link BucketWindow}.
 */
final class StripedTally {

    private final BucketWindow window;

    /** A power of two of them. */
    private final Tally[] stripes;

    private final Tally joint;

    /**
     * @param stripes a power of two
     * @param bucket older than any that will be counted in
     */
    StripedTally(BucketWindow window, int stripes, long bucket, Tally joint) {
        this.window = window;
        this.stripes = Stream.generate(() -> new Tally(bucket)).limit(stripes).toArray(Tally[]::new);
        this.joint = joint;
    }

    /** Adds one in the newest bucket; false where another thread was faster, to be asked again. */
    boolean tryCount(long bucket) {
        Tally own = stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
        long seen = own.word();
        if (Tally.isSealed(seen, bucket)) {
            long met = look(bucket);
            return met != BucketWindow.GONE && joint.tryCount(bucket, met);
        }
        return (Tally.isOpen(seen, bucket) || window.newest() == bucket) && own.tryCount(bucket, seen);
    }

    /** The joint tally's word, which counts everything in the newest bucket; {@link BucketWindow#GONE} where that has moved on. */
    long look(long bucket) {
        for (; ; ) {
            long seen = window.look(joint, bucket);
            if (seen == BucketWindow.GONE || Tally.isOpen(seen, bucket)) {
                return seen;
            }
            join(seen, bucket);
        }
    }

    /** What is counted in a bucket, wherever; leaves it there. */
    long count(long bucket) {
        long met = joint.word();
        if (Tally.isOf(met, bucket)) {
            return Tally.count(met, bucket);
        }
        long sum = 0;
        for (Tally stripe : stripes) {
            sum += Tally.count(stripe.word(), bucket);
        }
        return sum;
    }

    /** What is counted in a bucket, for good. */
    long seal(long bucket) {
        for (; ; ) {
            long seen = joint.word();
            if (Tally.isOf(seen, bucket)) {
                return window.seal(joint, bucket);
            }
            if (window.newest() != bucket) {
                return 0;
            }
            join(seen, bucket);
        }
    }

    /** @param seen the joint tally's word, of an older bucket */
    private void join(long seen, long bucket) {
        long sum = 0;
        for (Tally stripe : stripes) {
            sum += window.seal(stripe, bucket);
        }
        // Only if the joint word is still an older bucket's: the stripes are sealed in this one, then, and their sum is
        // whole.
        joint.replace(seen, Tally.word(bucket, sum));
    }
}
