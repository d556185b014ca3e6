package dev.escapement.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A simulated day passes, and is the same day each time. */
class DaySoakTest {

    private static final long SEED = 1;

    @BeforeAll
    static void beQuiet() {
        Quiet.adviceOff();
    }

    @Test
    @DisplayName(
            "A5 L3 E8 V3 a day of 200,000 calls: within bounds each minute, at rest each hour, memory flat, the same again")
    void aDay() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        String digest = DaySoak.day(SEED, new PrintStream(printed, true, StandardCharsets.UTF_8));

        SimulatedDay again = new SimulatedDay(SEED);
        for (int hour = 0; hour < SimulatedDay.hours(); hour++) {
            again.hour(hour);
        }

        assertThat(again.digest()).isEqualTo(digest);
        assertThat(again.begun()).isGreaterThan(200_000);
        // Nearly everything happens in a day.
        assertThat(again.outcomes()).hasSizeGreaterThanOrEqualTo(7);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("seed=1 calls=" + again.begun() + " digest=");
    }

    @Test
    @DisplayName("V1 another seed is another day")
    void anotherDay() {
        SimulatedDay one = new SimulatedDay(SEED);
        SimulatedDay other = new SimulatedDay(SEED + 1);

        one.hour(0);
        other.hour(0);

        assertThat(one.digest()).isNotEqualTo(other.digest());
    }
}
