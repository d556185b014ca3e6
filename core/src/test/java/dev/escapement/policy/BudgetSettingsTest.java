package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of a retry budget are exact, and wrong ones cannot be built. */
class BudgetSettingsTest {

    private static final Duration WINDOW = Duration.ofSeconds(10);

    @Test
    @DisplayName("P7 the default is a fifth of the calls of 10 s, and 3 retries a second")
    void standardIsPinned() {
        assertThat(BudgetSettings.standard()).isEqualTo(BudgetSettings.of(0.2, 3, WINDOW));
        assertThat(BudgetSettings.standard().unlimited()).isFalse();
        assertThat(BudgetSettings.standard()).hasToString("budget of 0.2 of the calls in PT10S, at least 3/s");
    }

    @Test
    @DisplayName("G1 no budget is a setting of its own, not a ratio")
    void noneIsItsOwn() {
        assertThat(BudgetSettings.none().unlimited()).isTrue();
        assertThat(BudgetSettings.none()).isNotEqualTo(BudgetSettings.of(0, 0, WINDOW));
        assertThat(BudgetSettings.none()).hasToString("no budget");
    }

    @Test
    @DisplayName("P1 settings are kept as given, and equal by value")
    void areAValue() {
        BudgetSettings settings = BudgetSettings.of(new BigDecimal("0.051"), 7, Duration.ofMillis(1_234));

        assertThat(settings.ratioPartsPerMillion()).isEqualTo(51_000);
        assertThat(settings.floorPerSecond()).isEqualTo(7);
        assertThat(settings.windowNanos()).isEqualTo(1_234_000_000L);
        assertThat(settings)
                .isEqualTo(BudgetSettings.of(0.051, 7, Duration.ofMillis(1_234)))
                .hasSameHashCodeAs(BudgetSettings.of(0.051, 7, Duration.ofMillis(1_234)))
                .isNotEqualTo(BudgetSettings.of(0.052, 7, Duration.ofMillis(1_234)))
                .isNotEqualTo(BudgetSettings.of(0.051, 8, Duration.ofMillis(1_234)))
                .isNotEqualTo(BudgetSettings.of(0.051, 7, Duration.ofMillis(1_235)))
                .hasToString("budget of 0.051 of the calls in PT1.234S, at least 7/s");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "0.000001, 1",
        "0.1, 100000",
        "0.15, 150000",
        "0.3, 300000",
        "0.333333, 333333",
        "0.6, 600000",
        "0.999999, 999999",
        "1, 1000000",
        "1.0000000, 1000000",
        "2e-5, 20"
    })
    @DisplayName("G1 a ratio is kept exactly, given as double or as decimal")
    void ratioIsExact(String ratio, int partsPerMillion) {
        assertThat(BudgetSettings.of(new BigDecimal(ratio), 0, WINDOW).ratioPartsPerMillion())
                .isEqualTo(partsPerMillion);
        assertThat(BudgetSettings.of(Double.parseDouble(ratio), 0, WINDOW).ratioPartsPerMillion())
                .isEqualTo(partsPerMillion);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.000001", "1.000001", "20", "0.3333333", "1e-7", "1e99", "-1e99"})
    @DisplayName("P2 a ratio outside of 0 to 1, or finer than a millionth, is refused")
    void wrongRatio(String ratio) {
        PolicyFault fault =
                new PolicyFault(PolicyFault.Kind.OUT_OF_RANGE, "budget.ratio", ratio, "0 to 1 with at most 6 decimals");

        assertThatExceptionOfType(PolicyException.class)
                .isThrownBy(() -> BudgetSettings.of(new BigDecimal(ratio), 0, WINDOW))
                .satisfies(thrown -> assertThat(thrown.faults())
                        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("value")
                        .containsExactly(fault));
        assertThatExceptionOfType(PolicyException.class)
                .isThrownBy(() -> BudgetSettings.of(Double.parseDouble(ratio), 0, WINDOW));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    @DisplayName("P2 what is no number is no ratio")
    void noNumber(double ratio) {
        assertThatExceptionOfType(PolicyException.class)
                .isThrownBy(() -> BudgetSettings.of(ratio, 0, WINDOW))
                .withMessage("budget.ratio = " + ratio + ": expected 0 to 1 with at most 6 decimals");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT1M", "PT1.001S", "PT59.999S"})
    @DisplayName("P2 a window has 1 s to 1 min in whole milliseconds")
    void rightWindow(Duration window) {
        assertThat(BudgetSettings.of(0.2, 0, window).windowNanos()).isEqualTo(window.toNanos());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-10S", "PT0.999S", "PT0.999999999S", "PT10.0000001S", "PT60.001S", "PT1H", "P106752D"
            })
    @DisplayName("P2 any other window is refused")
    void wrongWindow(Duration window) {
        assertThatExceptionOfType(PolicyException.class)
                .isThrownBy(() -> BudgetSettings.of(0.2, 0, window))
                .withMessage("budget.window = " + window + ": expected whole milliseconds, PT1S to PT1M");
    }

    @Test
    @DisplayName("P2 everything wrong is said at once")
    void everyFaultIsListed() {
        assertThatExceptionOfType(PolicyException.class)
                .isThrownBy(() -> BudgetSettings.of(1.5, -1, Duration.ofNanos(1)))
                .satisfies(thrown -> assertThat(thrown.faults())
                        .isEqualTo(List.of(
                                fault("budget.ratio", "1.5", "0 to 1 with at most 6 decimals"),
                                fault("budget.floorPerSecond", "-1", "0 or more"),
                                fault("budget.window", "PT0.000000001S", "whole milliseconds, PT1S to PT1M"))));
    }

    private static PolicyFault fault(String parameter, String value, String range) {
        return new PolicyFault(PolicyFault.Kind.OUT_OF_RANGE, parameter, value, range);
    }
}
