package dev.escapement.gateway.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 64KiB}, {@code 512B}, {@code 1GiB}. A bare number has no unit and is no size. Pure. */
final class SizeText {

    /** What {@link #read} takes, for messages. */
    static final String EXAMPLES = "the like of 512B, 64KiB, 8MiB or 1GiB";

    private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]{0,9})(B|KiB|MiB|GiB)");

    /** Each 1,024 times the one before. */
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");

    private static final int SHIFT = 10;

    private SizeText() {}

    static Optional<Long> read(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(Long.parseLong(matcher.group(1)) << (SHIFT * UNITS.indexOf(matcher.group(2))))
                : Optional.empty();
    }

    /** In the largest unit that gives a whole number. */
    static String write(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(UNITS.size() - 1, Long.numberOfTrailingZeros(bytes) / SHIFT);
        return (bytes >> (SHIFT * unit)) + UNITS.get(unit);
    }
}
