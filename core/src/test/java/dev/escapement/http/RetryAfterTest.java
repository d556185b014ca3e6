package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Retry-After} is digits, or a date where one is wanted, or nothing. */
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

    @ParameterizedTest(name = "R4 with dates, \"{0}\" at 08:49:30.5 is {1} ns")
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT  | 6500000000",
                "Sunday, 06-Nov-94 08:49:37 GMT | 6500000000",
                "Sun Nov  6 08:49:37 1994       | 6500000000",
                "Sun, 06 Nov 1994 08:49:31 GMT  | 500000000",
                "Sun, 06 Nov 1994 08:49:30 GMT  | 0",
                "Thu, 01 Jan 1970 00:00:00 GMT  | 0",
                "Fri, 31 Dec 9999 23:59:59 GMT  | 9223372036854775807",
                "7                              | 7000000000",
                "18446744073709551615           | 9223372036854775807",
                "18446744073709551616           | -1",
                "Mon, 06 Nov 1994 08:49:37 GMT  | -1",
                "soon                           | -1"
            })
    void readsDatesAgainstTheWallClock(String value, long nanos) {
        Instant now = Instant.parse("1994-11-06T08:49:30.500Z");

        assertThat(RetryAfter.nanos(Headers.of("retry-after", value), InstantSource.fixed(now)))
                .isEqualTo(nanos);
    }

    @Test
    @DisplayName(
            "R4 the longest date that a long of nanoseconds can hold is exact, one second more is past every deadline")
    void datesAtTheEdge() {
        Instant instant = Instant.parse("2262-04-12T00:00:00Z");
        Headers headers = Headers.of("Retry-After", "Sat, 12 Apr 2262 00:00:00 GMT");
        Instant earliest = instant.minusNanos(Long.MAX_VALUE);

        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(earliest))).isEqualTo(Long.MAX_VALUE);
        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(earliest.plusNanos(1))))
                .isEqualTo(Long.MAX_VALUE - 1);
        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(earliest.minusSeconds(1))))
                .isEqualTo(RetryAfter.BEYOND);
        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(instant))).isZero();
        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(instant.minusNanos(1))))
                .isEqualTo(1);
        assertThat(RetryAfter.nanos(headers, InstantSource.fixed(instant.plusNanos(1))))
                .isZero();
    }

    @Test
    @DisplayName("R4 the wall clock is read for a date only, and two lines of dates are ignored")
    void readsTheWallClockForADateOnly() {
        String date = "Sun, 06 Nov 1994 08:49:37 GMT";
        InstantSource forbidden = () -> {
            throw new AssertionError("read");
        };

        assertThat(RetryAfter.nanos(Headers.empty(), forbidden)).isEqualTo(RetryAfter.NONE);
        assertThat(RetryAfter.nanos(Headers.of("Retry-After", "3"), forbidden)).isEqualTo(3_000_000_000L);
        assertThat(RetryAfter.nanos(Headers.of("Retry-After", date, "Retry-After", date), forbidden))
                .isEqualTo(RetryAfter.NONE);
        assertThat(RetryAfter.nanos(Headers.of("Retry-After", date))).isEqualTo(RetryAfter.NONE);
    }
}
