package dev.escapement.brownout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MainTest {

    /** A tenth of the standard one, and shorter. */
    private static final Scenario SMALL = new Scenario(
            50,
            Duration.ofMillis(400),
            4,
            Duration.ofMillis(20),
            100,
            4,
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1));

    @Test
    void theChartIsSmallAndPlainAndTheSameEachTime() {
        String chart = printed();

        assertThat(chart.split("\n", -1))
                .hasSizeLessThan(40)
                .allSatisfy(
                        line -> assertThat(line).hasSizeLessThanOrEqualTo(110).matches("[ -~]*"));
        assertThat(chart)
                .contains("50 callers make 125 calls a second to an upstream that can answer 200.")
                .contains("  2 slow |")
                .contains("  4      |")
                .containsPattern("without guards .* not within 16 s\n")
                .containsPattern("with a retry budget alone .* after \\d s\n")
                .containsPattern("with retry budget and breaker .* after \\d+ s\n");
        assertThat(printed()).as("the same bytes again").isEqualTo(chart);
    }

    private static String printed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Main.print(SMALL, 7, new PrintStream(bytes, false, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
