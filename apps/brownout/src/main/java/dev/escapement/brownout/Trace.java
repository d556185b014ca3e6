package dev.escapement.brownout;

import java.util.List;
import java.util.OptionalInt;

/**
 * What was seen of a run, second by second and as a whole. Immutable.
 *
 * @param totals of the whole run, with what ended after the last second
 */
record Trace(Scenario scenario, Guards guards, List<Second> seconds, Counts totals) {

    /** All is well while so many of the calls that enter in a second are answered well in it. */
    private static final int WELL_PERCENT = 95;

    Trace {
        seconds = List.copyOf(seconds);
    }

    /**
     * One second.
     *
     * @param guarding how the guards stood at its end
     */
    record Second(Counts counts, Guarding guarding) {

        boolean isWell() {
            return counts.good() * 100 >= counts.calls() * WELL_PERCENT;
        }
    }

    /**
     * How the guards stand at one instant.
     *
     * @param breaker its state in a word or two
     * @param retriesLeft what the budget affords; {@link Long#MAX_VALUE} without one
     */
    record Guarding(String breaker, long retriesLeft) {}

    /** How many seconds after the brownout all was well again and stayed so; empty if never in this run. */
    OptionalInt secondsToRecovery() {
        int wellFrom = seconds.size();
        while (wellFrom > 0 && seconds.get(wellFrom - 1).isWell()) {
            wellFrom--;
        }
        return wellFrom == seconds.size()
                ? OptionalInt.empty()
                : OptionalInt.of(
                        Math.max(0, wellFrom - (int) scenario.brownoutTo().toSeconds()));
    }
}
