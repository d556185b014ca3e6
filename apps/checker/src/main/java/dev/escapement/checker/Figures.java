package dev.escapement.checker;

import dev.escapement.guard.BreakerState;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.policy.PolicyAdvisory;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all the calls of a run come to: counted report by report, and read off the client at the end. Immutable.
 *
 * @param outcomes calls by how they ended; a count for each kind, as in the other maps
 * @param ambiguous calls that may have done something no answer tells of (E4)
 * @param suppressed calls by the reason for which a failure was not retried (R7)
 * @param timeouts attempts that timed out, by how far their requests had got (O5)
 * @param lateReplies results that came after their attempt had been given up, as far as the end of the run saw them
 * @param replacedConnections stale connections that were replaced inside an attempt (R10)
 * @param budget where there is one
 * @param breakers hosts and ports by the state of their breakers; all 0 where there are none
 * @param endpoints those, at most {@link #MOST_ENDPOINTS}: first what is not closed, then what once was not
 * @param advisories what the policy may not have meant, seen with the times of its attempts (P5)
 */
record Figures(
        long calls,
        long attempts,
        Map<Outcome.Kind, Long> outcomes,
        long ambiguous,
        Map<Suppressed, Long> suppressed,
        Map<Progress, Long> timeouts,
        long lateReplies,
        long replacedConnections,
        AttemptTimes times,
        Optional<BudgetFigures> budget,
        Map<BreakerState, Long> breakers,
        List<EndpointFigures> endpoints,
        List<PolicyAdvisory> advisories) {

    /** G5: a list of endpoints can name as many hosts as it likes. */
    static final int MOST_ENDPOINTS = 100;

    private static final Comparator<EndpointFigures> TROUBLED_FIRST = Comparator.comparing(
                    (EndpointFigures endpoint) -> endpoint.breaker().state() == BreakerState.CLOSED)
            .thenComparing(endpoint -> endpoint.breaker().openings() == 0);

    /** The figures as they stand, once no call runs any more. */
    static Figures of(Tally tally, Caller caller) {
        List<EndpointFigures> endpoints = caller.client().endpointFigures();
        return new Figures(
                tally.calls(),
                tally.attempts(),
                tally.outcomes(),
                tally.ambiguous(),
                tally.suppressed(),
                tally.timeouts(),
                caller.client().figures().lateResults(),
                tally.replacedConnections(),
                AttemptTimes.of(tally.answeredAttempts(), tally.times(), tally.longestNanos()),
                caller.policy().budget().unlimited()
                        ? Optional.empty()
                        : Optional.of(caller.client().budgetFigures()),
                byState(endpoints),
                endpoints.stream().sorted(TROUBLED_FIRST).limit(MOST_ENDPOINTS).toList(),
                caller.policy().advisories(tally.times()));
    }

    private static Map<BreakerState, Long> byState(List<EndpointFigures> endpoints) {
        Map<BreakerState, Long> counts = new EnumMap<>(BreakerState.class);
        for (BreakerState state : BreakerState.values()) {
            counts.put(
                    state,
                    endpoints.stream()
                            .filter(endpoint -> endpoint.breaker().state() == state)
                            .count());
        }
        return Collections.unmodifiableMap(counts);
    }

    /** Attempts ÷ calls to two decimals, rounded half up (O4); empty without calls. */
    Optional<BigDecimal> amplification() {
        return calls == 0
                ? Optional.empty()
                : Optional.of(BigDecimal.valueOf(attempts).divide(BigDecimal.valueOf(calls), 2, RoundingMode.HALF_UP));
    }
}
