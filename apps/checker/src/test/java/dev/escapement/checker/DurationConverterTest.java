package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them, exactly. */
class DurationConverterTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "250ms, PT0.25S",
        "0, PT0S",
        "0s, PT0S",
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
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.parse(expected));
    }

    @ParameterizedTest(name = "\"{0}\" is no duration")
    @ValueSource(
            strings = {
                "",
                "1",
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
                "٣ms",
                "PT",
                "PT5",
                "1h30m",
                "00",
                "1000000000000000000s",
                "999999999999999999h"
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageEndingWith("is not a duration: expected the like of 250ms, 1.5s, 2m or PT0.25S");
    }
}
