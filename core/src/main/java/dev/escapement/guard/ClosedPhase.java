package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import org.jspecify.annotations.Nullable;

/**
 * Everything passes, or a growing share of it while the ramp lasts, and results are counted.
 *
 * <p>The phase itself is never written after it is published, so that asking reads a cache line that nobody takes away.
 */
final class ClosedPhase extends BreakerPhase {

    /** What every attempt of this generation is admitted with. */
    final int stamp;

    /** From here on, and at it, everything passes (A6); 0 where there is no ramp. */
    final long rampEndNanos;

    final @Nullable Ramp ramp;
    final ResultWindow window;

    /** Evicted from its table: it admits and judges nothing any more, and no transition leads out of it. */
    final boolean retired;

    private ClosedPhase(
            long generation,
            long openings,
            long sinceNanos,
            int serial,
            @Nullable Ramp ramp,
            long rampEndNanos,
            ResultWindow window,
            boolean retired) {
        super(generation, openings, sinceNanos, serial);
        this.stamp = serial << 1;
        this.ramp = ramp;
        this.rampEndNanos = rampEndNanos;
        this.window = window;
        this.retired = retired;
    }

    /** A new breaker. */
    static ClosedPhase first(BreakerSettings settings) {
        return new ClosedPhase(0, 0, 0, serialAfter(0), null, 0, ResultWindow.of(settings), false);
    }

    /** After the last trial: with a ramp (G4). */
    static ClosedPhase recovering(BreakerPhase before, long nowNanos, BreakerSettings settings) {
        long periodNanos = settings.openPeriodNanos();
        return new ClosedPhase(
                before.generation + 1,
                before.openings,
                nowNanos,
                serialAfter(before.serial),
                new Ramp(nowNanos, periodNanos),
                endOf(nowNanos, periodNanos),
                ResultWindow.of(settings),
                false);
    }

    /** By hand: everything passes at once. */
    static ClosedPhase byHand(BreakerPhase before, long nowNanos, BreakerSettings settings) {
        return new ClosedPhase(
                before.generation + 1,
                before.openings,
                nowNanos,
                serialAfter(before.serial),
                null,
                0,
                ResultWindow.of(settings),
                false);
    }

    /** What an evicted breaker is from then on, for those who still hold it. */
    ClosedPhase retire() {
        return new ClosedPhase(generation + 1, openings, sinceNanos, serialAfter(serial), null, 0, window, true);
    }

    boolean admitsAll(long nowNanos) {
        return nowNanos >= rampEndNanos;
    }

    /** Counts the attempt where there is a ramp. */
    boolean admits(long nowNanos) {
        return ramp == null || admitsAll(nowNanos) || ramp.admits(nowNanos);
    }

    int percent(long nowNanos) {
        return ramp == null || admitsAll(nowNanos) ? 100 : ramp.percent(nowNanos);
    }

    @Override
    BreakerState state() {
        return BreakerState.CLOSED;
    }
}
