package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A date in a header is one of three forms, to the letter. */
class HttpDateTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final long SEED = 20_261_130L;

    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);
    private static final DateTimeFormatter RFC_850 =
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-uu HH:mm:ss 'GMT'", Locale.ENGLISH);
    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ENGLISH);

    @ParameterizedTest(name = "R4 \"{0}\" is {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                // The three examples of RFC 9110 §5.6.7 are one instant.
                "Sun, 06 Nov 1994 08:49:37 GMT    | 1994-11-06T08:49:37Z",
                "Sunday, 06-Nov-94 08:49:37 GMT   | 1994-11-06T08:49:37Z",
                "Sun Nov  6 08:49:37 1994         | 1994-11-06T08:49:37Z",
                "Sun Nov 06 08:49:37 1994         | 1994-11-06T08:49:37Z",
                "Wed Nov 16 08:49:37 1994         | 1994-11-16T08:49:37Z",
                "Thu, 29 Feb 2024 23:59:59 GMT    | 2024-02-29T23:59:59Z",
                "Thursday, 29-Feb-24 00:00:00 GMT | 2024-02-29T00:00:00Z",
                "Tue, 29 Feb 2000 00:00:00 GMT    | 2000-02-29T00:00:00Z",
                "Thu, 01 Jan 1970 00:00:00 GMT    | 1970-01-01T00:00:00Z",
                "Fri, 31 Dec 9999 23:59:59 GMT    | 9999-12-31T23:59:59Z",
                "Sat, 01 Jan 0000 00:00:00 GMT    | 0000-01-01T00:00:00Z",
                "Sat, 31 Dec 2016 23:59:60 GMT    | 2017-01-01T00:00:00Z"
            })
    void readsTheThreeForms(String text, Instant instant) {
        assertThat(HttpDate.read(text, NOW)).contains(instant);
    }

    @ParameterizedTest(name = "R4 \"{0}\" is no date")
    @ValueSource(
            strings = {
                "",
                ",",
                "Sun",
                "Sunday",
                "0",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37 gmt",
                "Sun, 06 Nov 1994 08:49:37 +0000",
                "sun, 06 Nov 1994 08:49:37 GMT",
                "SUN, 06 NOV 1994 08:49:37 GMT",
                "Mon, 06 Nov 1994 08:49:37 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun,  6 Nov 1994 08:49:37 GMT",
                "Sun,06 Nov 1994 08:49:37 GMT",
                " Sun, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 GMT ",
                "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 GMT",
                "Sun, 06-Nov-94 08:49:37 GMT",
                "Sunday, 06 Nov 1994 08:49:37 GMT",
                "Monday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov 6 08:49:37 1994",
                "Sun Nov   6 08:49:37 1994",
                "Sun Nov  6 08:49:37 1994 GMT",
                "Sun Nov  6 08:49:37 94",
                "Son, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Okt 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Sun, 06 Nov 1994 08:60:37 GMT",
                "Sun, 06 Nov 1994 08:49:60 GMT",
                "Sun, 06 Nov 1994 23:59:61 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Wed, 00 Nov 1994 08:49:37 GMT",
                "Thu, 31 Nov 1994 08:49:37 GMT",
                "Wed, 29 Feb 2023 00:00:00 GMT",
                "Mon, 29 Feb 2100 00:00:00 GMT",
                "Sun, 0\u0666 Nov 1994 08:49:37 GMT",
                "1994-11-06T08:49:37Z"
            })
    void refusesEverythingElse(String text) {
        assertThat(HttpDate.read(text, NOW)).isEmpty();
    }

    @ParameterizedTest(name = "R4 at {1}, \"{0}\" is {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                // Fifty years ahead to the second is still ahead; one second more is a century earlier.
                "Monday, 30-Nov-76 12:00:00 GMT  | 2026-11-30T12:00:00Z | 2076-11-30T12:00:00Z",
                "Tuesday, 30-Nov-76 12:00:01 GMT | 2026-11-30T12:00:00Z | 1976-11-30T12:00:01Z",
                "Tuesday, 30-Nov-76 12:00:00 GMT | 2026-11-30T11:59:59Z | 1976-11-30T12:00:00Z",
                "Thursday, 01-Dec-77 00:00:00 GMT | 2026-11-30T12:00:00Z | 1977-12-01T00:00:00Z",
                "Saturday, 01-Jan-00 00:00:00 GMT | 2026-11-30T12:00:00Z | 2000-01-01T00:00:00Z",
                "Wednesday, 01-Jan-25 00:00:00 GMT | 2026-11-30T12:00:00Z | 2025-01-01T00:00:00Z",
                "Thursday, 01-Jan-05 00:00:00 GMT | 2099-06-01T00:00:00Z | 2105-01-01T00:00:00Z",
                "Sunday, 06-Nov-94 08:49:37 GMT  | 1990-01-01T00:00:00Z | 1994-11-06T08:49:37Z"
            })
    void twoDigitsAreTheLatestYearWithinFiftyYears(String text, Instant now, Instant instant) {
        assertThat(HttpDate.read(text, now)).contains(instant);
    }

    @Test
    @DisplayName("R4 every second from year 0 to 9999 reads back in the two forms with four digits")
    void everyInstantReadsBack() {
        SplittableRandom random = new SplittableRandom(SEED);
        long first = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        for (int i = 0; i < 20_000; i++) {
            Instant instant = Instant.ofEpochSecond(random.nextLong(first, last + 1));
            LocalDateTime at = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);

            assertThat(HttpDate.read(IMF_FIXDATE.format(at), NOW))
                    .as("seed %d", SEED)
                    .contains(instant);
            assertThat(HttpDate.read(ASCTIME.format(at), NOW))
                    .as("seed %d", SEED)
                    .contains(instant);
        }
    }

    @Test
    @DisplayName("R4 every second of the century around now reads back in the form with two digits")
    void everyInstantOfTheCenturyReadsBack() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            LocalDateTime now = LocalDateTime.ofEpochSecond(random.nextLong(0, 1L << 33), 0, ZoneOffset.UTC);
            long earliest = now.minusYears(50).plusDays(1).toEpochSecond(ZoneOffset.UTC);
            long latest = now.plusYears(50).toEpochSecond(ZoneOffset.UTC);
            Instant instant = Instant.ofEpochSecond(random.nextLong(earliest, latest + 1));
            String text = RFC_850.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));

            assertThat(HttpDate.read(text, now.toInstant(ZoneOffset.UTC)))
                    .as("seed %d: %s at %s", SEED, text, now)
                    .contains(instant);
        }
    }

    @Test
    @DisplayName("R4 a date with one character changed, lost or doubled is refused, or is another date written rightly")
    void mutationsAreRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<DateTimeFormatter> forms = List.of(IMF_FIXDATE, RFC_850, ASCTIME);
        int refused = 0;
        for (int i = 0; i < 30_000; i++) {
            LocalDateTime at = LocalDateTime.ofEpochSecond(random.nextLong(0, 1L << 32), 0, ZoneOffset.UTC);
            DateTimeFormatter form = forms.get(i % 3);
            String mutation = mutation(form.format(at), random);

            Optional<Instant> read = HttpDate.read(mutation, NOW);

            if (read.isEmpty()) {
                refused++;
            } else {
                // A leap second, and a day of the month with a zero before it, are written differently.
                String again = form.format(LocalDateTime.ofInstant(read.get(), ZoneOffset.UTC));
                assertThat(again)
                        .as("seed %d: %s", SEED, mutation)
                        .isEqualTo(mutation.replaceFirst("^(... ...) 0", "$1  "));
            }
        }
        assertThat(refused).isGreaterThan(20_000);
    }

    private static String mutation(String date, SplittableRandom random) {
        int at = random.nextInt(date.length());
        String before = date.substring(0, at);
        String after = date.substring(at + 1);
        return switch (random.nextInt(4)) {
            case 0 -> before + after;
            case 1 -> before + date.charAt(at) + date.charAt(at) + after;
            case 2 -> before + (char) random.nextInt(' ', 0x180) + after;
            default -> before + "0123456789,: -".charAt(random.nextInt(14)) + after;
        };
    }
}
