package dev.escapement.guard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Trials alone: so many places, of which some are won, some leased and some free.
 *
 * <p>Immutable: whoever takes a place, wins it or gives it back puts a new value in place of this, of the same generation, by the
 * same compare-and-set that makes transitions. So all of it is decided at one instant, and no lease is seen in halves. That costs
 * an object or two for a trial, of which there are few.
 *
 * <p>A lease ends with its result, or at its end: at ≥ it, the place is free, and the result is stale whether or not
 * somebody else has taken the place since (G2, A6).
 */
final class HalfOpenPhase extends BreakerPhase {

    private static final int[] NO_STAMPS = {};
    private static final long[] NO_LEASES = {};

    private final int places;
    private final int won;

    /** The trials that run or have overstayed, and beside each the end of its lease. */
    private final int[] stamps;

    private final long[] leaseEndsNanos;

    private HalfOpenPhase(
            long generation,
            long openings,
            long sinceNanos,
            int serial,
            int places,
            int won,
            int[] stamps,
            long[] leaseEndsNanos) {
        super(generation, openings, sinceNanos, serial);
        this.places = places;
        this.won = won;
        this.stamps = stamps;
        this.leaseEndsNanos = leaseEndsNanos;
    }

    /** What follows an open phase: one of its places is leased at once, to the attempt that found the period over. */
    static HalfOpenPhase after(OpenPhase open, long nowNanos, int places, long leaseEndNanos) {
        int serial = serialAfter(open.serial);
        return new HalfOpenPhase(
                open.generation + 1,
                open.openings,
                nowNanos,
                serial,
                places,
                0,
                new int[] {stampOf(serial)},
                new long[] {leaseEndNanos});
    }

    private static int stampOf(int serial) {
        return serial << 1 | CircuitBreaker.TRIAL;
    }

    /** The stamp of the trial admitted last. */
    int stamp() {
        return stampOf(serial);
    }

    boolean rejects(long nowNanos) {
        return running(nowNanos) + won >= places;
    }

    int running(long nowNanos) {
        int running = 0;
        for (long end : leaseEndsNanos) {
            running += nowNanos < end ? 1 : 0;
        }
        return running;
    }

    int won() {
        return won;
    }

    /** Whether this trial still has its place. */
    boolean isRunning(int stamp, long nowNanos) {
        int index = indexOf(stamp);
        return index >= 0 && nowNanos < leaseEndsNanos[index];
    }

    /** Whether one more success closes. */
    boolean isLastPlace() {
        return won + 1 == places;
    }

    /** With one more place leased, and without the leases that are over; null where no place is free. */
    @Nullable
    HalfOpenPhase admit(long nowNanos, long leaseEndNanos) {
        int running = running(nowNanos);
        if (running + won >= places) {
            return null;
        }
        int[] nextStamps = new int[running + 1];
        long[] nextEnds = new long[running + 1];
        int kept = 0;
        for (int i = 0; i < stamps.length; i++) {
            if (nowNanos < leaseEndsNanos[i]) {
                nextStamps[kept] = stamps[i];
                nextEnds[kept] = leaseEndsNanos[i];
                kept++;
            }
        }
        int next = serialAfter(serial);
        nextStamps[kept] = stampOf(next);
        nextEnds[kept] = leaseEndNanos;
        return with(next, won, nextStamps, nextEnds);
    }

    /** With the place of a running trial won. */
    HalfOpenPhase win(int stamp) {
        return without(stamp, won + 1);
    }

    /** With the place of a running trial given back. */
    HalfOpenPhase giveBack(int stamp) {
        return without(stamp, won);
    }

    private HalfOpenPhase without(int stamp, int nextWon) {
        int gone = indexOf(stamp);
        int last = stamps.length - 1;
        if (last == 0) {
            return with(serial, nextWon, NO_STAMPS, NO_LEASES);
        }
        int[] nextStamps = Arrays.copyOf(stamps, last);
        long[] nextEnds = Arrays.copyOf(leaseEndsNanos, last);
        if (gone < last) {
            nextStamps[gone] = stamps[last];
            nextEnds[gone] = leaseEndsNanos[last];
        }
        return with(serial, nextWon, nextStamps, nextEnds);
    }

    private HalfOpenPhase with(int nextSerial, int nextWon, int[] nextStamps, long[] nextEnds) {
        return new HalfOpenPhase(generation, openings, sinceNanos, nextSerial, places, nextWon, nextStamps, nextEnds);
    }

    private int indexOf(int stamp) {
        for (int i = 0; i < stamps.length; i++) {
            if (stamps[i] == stamp) {
                return i;
            }
        }
        return -1;
    }

    @Override
    BreakerState state() {
        return BreakerState.HALF_OPEN;
    }
}
