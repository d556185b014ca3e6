package dev.escapement.guard;

/** Nothing passes before {@code untilNanos}; at it, the next attempt that asks is a trial (A6). */
final class OpenPhase extends BreakerPhase {

    final long untilNanos;

    /** Opens after {@code before}. */
    OpenPhase(BreakerPhase before, long nowNanos, long openPeriodNanos) {
        super(before.generation + 1, before.openings + 1, nowNanos, before.serial);
        this.untilNanos = endOf(nowNanos, openPeriodNanos);
    }

    boolean rejects(long nowNanos) {
        return nowNanos < untilNanos;
    }

    @Override
    BreakerState state() {
        return BreakerState.OPEN;
    }
}
