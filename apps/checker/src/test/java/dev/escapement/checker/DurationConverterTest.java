package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line: as the core reads them, and a bare zero. */
class DurationConverterTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"250ms, PT0.25S", "0, PT0S", "0s, PT0S", "1.5s, PT1.5S", "PT0.25S, PT0.25S"})
    void readsShortAndIsoForms(String text, String expected) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.parse(expected));
    }

    @ParameterizedTest(name = "\"{0}\" is no duration")
    @ValueSource(strings = {"", "1", "00", "5x", " 5ms"})
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageEndingWith("is not a duration: expected the like of 250ms, 1.5s, 2m or PT0.25S");
    }
}
