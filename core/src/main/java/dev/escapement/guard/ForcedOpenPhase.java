package dev.escapement.guard;

/** Nothing passes until someone closes the breaker. */
final class ForcedOpenPhase extends BreakerPhase {

    ForcedOpenPhase(BreakerPhase before, long nowNanos) {
        super(before.generation + 1, before.openings + 1, nowNanos, before.serial);
    }

    @Override
    BreakerState state() {
        return BreakerState.FORCED_OPEN;
    }
}
