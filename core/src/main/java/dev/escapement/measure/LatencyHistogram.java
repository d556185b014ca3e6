package dev.escapement.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.OptionalLong;

/**
 * How long things have taken: a histogram of nanoseconds, from 0 to {@code Long.MAX_VALUE}, of fixed size and bounded relative error.
 *
 * <p>Slots are log-linear, as in HdrHistogram: each value below 64 has its own, and from there on every doubling is
 * divided into 32 of equal width. So a slot is never wider than a thirty-second of the values in it, and that is the error:
 * what {@link #percentile} answers is never below the value recorded, and above it by less than a thirty-second of it.
 *
 * <p>It remembers everything since it was made; nothing decays. Thread-safety: any thread. An answer counts all that was recorded
 * before the question and may count what is recorded meanwhile. Cost: one atomic addition to record, some two thousand reads
 * to ask. No allocation in recording. Memory: 15 kB.
 */
public final class LatencyHistogram {

    /** How many bits of a value a slot keeps below the highest one: 32 slots for a doubling. */
    private static final int SUB_BITS = 5;

    private static final int SLOTS = slotOf(Long.MAX_VALUE) + 1;

    /** A percent in the unit of a rank's arithmetic: six decimals. */
    private static final long PARTS_OF_A_PERCENT = 1_000_000;

    private static final long WHOLE = 100 * PARTS_OF_A_PERCENT;

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Any thread, by atomic additions. A count orders nothing else: opaque would do, and reading is opaque. */
    private final long[] counts = new long[SLOTS];

    /** An empty histogram. */
    public LatencyHistogram() {}

    /**
     * Counts one length of time.
     *
     * @param nanos 0 or more
     * @throws IllegalArgumentException if negative
     */
    public void record(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos is " + nanos + ", must be 0 or more");
        }
        COUNTS.getAndAddAcquire(counts, slotOf(nanos), 1L);
    }

    /** How many were recorded. */
    public long count() {
        return countFrom(0);
    }

    /**
     * How many of those recorded took so long or longer: what a timeout of this length would have cut off (A2). The slot that it lies
     * in is counted whole, so that values up to a thirty-second shorter may be among them.
     *
     * @param nanos 0 or more
     */
    public long countAtLeast(long nanos) {
        return countFrom(slotOf(nanos));
    }

    /**
     * The length that so many percent of those recorded did not exceed: the smallest one recorded for which that is true (nearest
     * rank), or up to a thirty-second more.
     *
     * @param percent above 0, up to 100; to six decimals
     * @return nothing, if nothing was recorded
     * @throws IllegalArgumentException if {@code percent} is out of its range
     */
    public OptionalLong percentile(double percent) {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent is " + percent + ", must be above 0 and at most 100");
        }
        long total = count();
        if (total == 0) {
            return OptionalLong.empty();
        }
        long rank = rank(total, Math.round(percent * PARTS_OF_A_PERCENT));
        // Counts only grow, so the second pass finds at least what the first has counted.
        int slot = -1;
        for (long passed = 0; passed < rank; ) {
            slot++;
            passed += countIn(slot);
        }
        return OptionalLong.of(highestIn(slot));
    }

    /** The share of a total, rounded up to a whole one and at least the first. In parts, so that no product overflows. */
    private static long rank(long total, long parts) {
        long rest = total % WHOLE * parts;
        return Math.max(1, total / WHOLE * parts + (rest + WHOLE - 1) / WHOLE);
    }

    private long countFrom(int first) {
        long sum = 0;
        for (int slot = first; slot < SLOTS; slot++) {
            sum += countIn(slot);
        }
        return sum;
    }

    private long countIn(int slot) {
        return (long) COUNTS.getOpaque(counts, slot);
    }

    /** The doubling, counted from the first that does not give each value its own slot, then the place in it. */
    private static int slotOf(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(nanos | 1));
        return (shift << SUB_BITS) + (int) (nanos >>> shift);
    }

    private static long highestIn(int slot) {
        int shift = Math.max(0, (slot >>> SUB_BITS) - 1);
        long lowest = (long) (slot - (shift << SUB_BITS)) << shift;
        return lowest + (1L << shift) - 1;
    }
}
