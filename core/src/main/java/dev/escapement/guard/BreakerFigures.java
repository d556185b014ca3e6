package dev.escapement.guard;

/**
 * What a {@link CircuitBreaker} is at one instant. The numbers are read one after the other while others write.
 *
 * @param state an open breaker stays {@code OPEN} after its period until an attempt asks
 * @param generation how many transitions there were; a result counts for the one that admitted its attempt alone
 * @param sinceNanos when the state was entered; 0 for a breaker that never left the first
 * @param untilNanos when the open period or the ramp is over; 0 where there is none
 * @param admissionPercent the share of attempts that is let through now, rounded down: 0 unless closed
 * @param openings how often it opened, by hand included
 * @param rejected how many attempts or calls it turned away
 * @param stale how many results came too late for their generation or their lease
 * @param calls results in the window; 0 unless closed
 * @param failed how many of those are failures
 * @param slow how many of those are slow answers
 * @param consecutiveFailures how many failures came last in a row; 0 unless closed
 * @param trialsRunning places of the half-open state that are leased
 * @param trialsSucceeded places of the half-open state that are won
 */
public record BreakerFigures(
        BreakerState state,
        long generation,
        long sinceNanos,
        long untilNanos,
        int admissionPercent,
        long openings,
        long rejected,
        long stale,
        long calls,
        long failed,
        long slow,
        int consecutiveFailures,
        int trialsRunning,
        int trialsSucceeded) {}
