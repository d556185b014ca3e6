package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.report.Outcome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A2, A3, A6: who wins when two things are true at one look, at −1, 0 and +1 nanosecond. */
class TieRuleTest {

    @ParameterizedTest
    @DisplayName("A2 a completion looked at before the overall deadline wins, at it or after it has lost")
    @CsvSource({"-1, RESPONSE", "0, OVERALL_DEADLINE", "1, OVERALL_DEADLINE"})
    void completionAgainstOverallDeadline(long offset, Outcome.Kind expected) {
        World world = new World().policy(p -> p.attemptTimeout(ms(2_000)));
        world.transport.on(1).answerAfter(ms(1_000).plusNanos(offset), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.report().outcome().kind()).isEqualTo(expected);
        world.reports.forEach(report -> report.release());
        world.assertClean();
    }
}
