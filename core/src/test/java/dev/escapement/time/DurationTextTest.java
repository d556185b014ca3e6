package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as people write them, exactly. */
class DurationTextTest {

    @ParameterizedTest(name = "P1 {0} is {1}")
    @CsvSource({
        "250ms, PT0.25S",
        "0s, PT0S",
        "0ns, PT0S",
        "2s, PT2S",
        "1.5s, PT1.5S",
        "0.000000001s, PT0.000000001S",
        "1.5ms, PT0.0015S",
        "7ns, PT0.000000007S",
        "7us, PT0.000007S",
        "2m, PT2M",
        "1.25h, PT1H15M",
        "999999999999999999ns, PT277777H46M39.999999999S",
        "PT0.25S, PT0.25S",
        "P1DT1H, PT25H",
        "pt1m, PT1M",
        "PT-5S, PT-5S"
    })
    void readsShortAndIsoForms(String text, String expected) {
        assertThat(DurationText.read(text)).contains(Duration.parse(expected));
    }

    @ParameterizedTest(name = "P1 \"{0}\" is no duration")
    @ValueSource(
            strings = {
                "",
                "0",
                "1",
                "250",
                "ms",
                "5x",
                "5 ms",
                " 5ms",
                "5ms ",
                "-5ms",
                "+5ms",
                "5MS",
                "5.ms",
                ".5ms",
                "0.5ns",
                "1e3ms",
                "\u0663ms",
                "PT",
                "PT5",
                "1h30m",
                "00",
                "1000000000000000000s",
                "999999999999999999h"
            })
    void refusesEverythingElse(String text) {
        assertThat(DurationText.read(text)).isEmpty();
    }

    @ParameterizedTest(name = "P1 {0} is written as {1}")
    @CsvSource({
        "PT0S, 0s",
        "PT0.25S, 250ms",
        "PT2S, 2s",
        "PT1.5S, 1500ms",
        "PT1M, 1m",
        "PT1M30S, 90s",
        "PT24H, 24h",
        "PT0.000007S, 7us",
        "PT0.000000007S, 7ns",
        "PT2562047H47M16.854775807S, PT2562047H47M16.854775807S",
        "PT-1S, PT-1S"
    })
    void writesTheLargestWholeUnit(String duration, String text) {
        assertThat(DurationText.write(Duration.parse(duration))).isEqualTo(text);
    }

    @Test
    @DisplayName("P1 every duration reads back as it was, the longest and the most negative too")
    void everyDurationReadsBack() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 50_000; i++) {
            Duration length = Duration.ofNanos(random.nextLong() >>> random.nextInt(64));
            assertReadsBack(length);
            assertReadsBack(length.multipliedBy(i));
        }
        assertReadsBack(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
        assertReadsBack(Duration.ofSeconds(Long.MIN_VALUE));
    }

    private static void assertReadsBack(Duration length) {
        assertThat(DurationText.read(DurationText.write(length))).contains(length);
    }
}
