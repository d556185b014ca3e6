package dev.escapement.http;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Reads an HTTP-date in its three forms (RFC 9110 §5.6.7): {@code Sun, 06 Nov 1994 08:49:37 GMT}, {@code Sunday, 06-Nov-94
 * 08:49:37 GMT} and {@code Sun Nov  6 08:49:37 1994}.
 *
 * <p>Strict: English names in this very case, one blank where the grammar has one, a day that exists and bears the name given.
 * Second 60 is the leap second of 23:59:60 alone, and read as the second after it. Pure, and deaf to locales.
 */
public final class HttpDate {

    // 0 is a digit, # a digit or a blank, ? any character of a name, which is looked up; all else stands for itself.
    private static final String IMF_FIXDATE = "???, 00 ??? 0000 00:00:00 GMT";
    private static final String ASCTIME = "??? ??? #0 00:00:00 0000";
    private static final String RFC_850_AFTER_DAY = ", 00-???-00 00:00:00 GMT";

    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    /** In the order of {@link java.time.DayOfWeek}. */
    private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

    private static final List<String> LONG_DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

    private static final int YEARS_AHEAD = 50;
    private static final int CENTURY = 100;
    private static final int NO_TIME = -1;

    private HttpDate() {}

    /**
     * The instant that a text names; empty if it is no date in one of the three forms.
     *
     * @param now settles a year of two digits: it is the latest one in which the date lies no more than 50 years ahead
     */
    public static Optional<Instant> read(String text, Instant now) {
        if (fits(text, 0, IMF_FIXDATE)) {
            int day = DAYS.indexOf(text.substring(0, 3));
            return date(number(text, 12, 4), text.substring(8, 11), number(text, 5, 2))
                    .flatMap(date -> instant(date, day, secondOfDay(text, 17)));
        }
        if (fits(text, 0, ASCTIME)) {
            int day = DAYS.indexOf(text.substring(0, 3));
            int dayOfMonth = text.charAt(8) == ' ' ? number(text, 9, 1) : number(text, 8, 2);
            return date(number(text, 20, 4), text.substring(4, 7), dayOfMonth)
                    .flatMap(date -> instant(date, day, secondOfDay(text, 11)));
        }
        int comma = text.indexOf(',');
        if (comma >= 0 && fits(text, comma, RFC_850_AFTER_DAY)) {
            int day = LONG_DAYS.indexOf(text.substring(0, comma));
            int second = secondOfDay(text, comma + 12);
            return dateOfTwoDigits(
                            number(text, comma + 9, 2),
                            text.substring(comma + 5, comma + 8),
                            number(text, comma + 2, 2),
                            second,
                            now)
                    .flatMap(date -> instant(date, day, second));
        }
        return Optional.empty();
    }

    private static boolean fits(String text, int from, String shape) {
        if (text.length() != from + shape.length()) {
            return false;
        }
        for (int i = 0; i < shape.length(); i++) {
            char c = text.charAt(from + i);
            boolean digit = c >= '0' && c <= '9';
            boolean as = switch (shape.charAt(i)) {
                case '0' -> digit;
                case '#' -> digit || c == ' ';
                case '?' -> true;
                default -> c == shape.charAt(i);
            };
            if (!as) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int digits) {
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            number = number * 10 + (text.charAt(i) - '0');
        }
        return number;
    }

    private static int secondOfDay(String text, int from) {
        int hour = number(text, from, 2);
        int minute = number(text, from + 3, 2);
        int second = number(text, from + 6, 2);
        boolean leap = hour == 23 && minute == 59 && second == 60;
        return hour < 24 && minute < 60 && (second < 60 || leap) ? (hour * 60 + minute) * 60 + second : NO_TIME;
    }

    private static Optional<LocalDate> date(int year, String monthName, int day) {
        int month = MONTHS.indexOf(monthName) + 1;
        return month > 0 && day > 0 && day <= YearMonth.of(year, month).lengthOfMonth()
                ? Optional.of(LocalDate.of(year, month, day))
                : Optional.empty();
    }

    private static Optional<LocalDate> dateOfTwoDigits(
            int yearOfCentury, String monthName, int day, int secondOfDay, Instant now) {
        LocalDateTime horizon = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(YEARS_AHEAD);
        int latest = horizon.getYear() - Math.floorMod(horizon.getYear() - yearOfCentury, CENTURY);
        return date(latest, monthName, day)
                .flatMap(date -> date.atStartOfDay().plusSeconds(secondOfDay).isAfter(horizon)
                        ? date(latest - CENTURY, monthName, day)
                        : Optional.of(date));
    }

    private static Optional<Instant> instant(LocalDate date, int dayOfWeek, int secondOfDay) {
        boolean exists = date.getDayOfWeek().getValue() == dayOfWeek + 1 && secondOfDay != NO_TIME;
        return exists
                ? Optional.of(date.atStartOfDay().plusSeconds(secondOfDay).toInstant(ZoneOffset.UTC))
                : Optional.empty();
    }
}
