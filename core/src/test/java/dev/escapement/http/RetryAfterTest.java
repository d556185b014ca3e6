package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Retry-After} is digits or nothing. */
class RetryAfterTest {

    @ParameterizedTest(name = "R4 \"{0}\" is {1} ns")
    @CsvSource({
        "0, 0",
        "000, 0",
        "1, 1000000000",
        "007, 7000000000",
        "2, 2000000000",
        "9223372036, 9223372036000000000",
        "0000000000000000000000000009, 9000000000"
    })
    void readsDeltaSeconds(String value, long nanos) {
        assertThat(RetryAfter.nanos(value)).isEqualTo(nanos);
    }

    @ParameterizedTest(name = "R4 \"{0}\" is ignored")
    @ValueSource(
            strings = {
                "",
                "+1",
                "-1",
                "1.5",
                " 1",
                "1 ",
                "1 1",
                "\t1",
                "1e3",
                "0x1",
                "1s",
                "\u0661",
                "1\u0661",
                "１",
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "18446744073709551616",
                "018446744073709551616",
                "99999999999999999999",
                "100000000000000000000"
            })
    void ignoresEverythingElse(String value) {
        assertThat(RetryAfter.nanos(value)).isEqualTo(RetryAfter.NONE);
    }

    @ParameterizedTest(name = "R4 \"{0}\" is legal and past every deadline")
    @ValueSource(
            strings = {
                "9223372037",
                "18446744073709551615",
                "018446744073709551615",
                "18446744073709551614",
                "9999999999999999999"
            })
    void longerThanTheClockIsBeyond(String value) {
        assertThat(RetryAfter.nanos(value)).isEqualTo(RetryAfter.BEYOND);
    }

    @Test
    @DisplayName("R4 one line counts, several lines are ignored even where they agree")
    void readsOneLineOnly() {
        assertThat(RetryAfter.nanos(Headers.of("retry-after", "3"))).isEqualTo(3_000_000_000L);
        assertThat(RetryAfter.nanos(Headers.of("Retry-After", "3", "Retry-After", "3")))
                .isEqualTo(RetryAfter.NONE);
        assertThat(RetryAfter.nanos(Headers.of("Retry-After", ""))).isEqualTo(RetryAfter.NONE);
        assertThat(RetryAfter.nanos(Headers.empty())).isEqualTo(RetryAfter.NONE);
    }
}
