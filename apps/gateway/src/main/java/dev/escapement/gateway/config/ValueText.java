package dev.escapement.gateway.config;

import dev.escapement.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How values of one kind are written, and read back exactly; nothing is trimmed, no case is ignored. A value out of its range is none. Pure.
 *
 * @param expected what would be readable, for messages
 */
record ValueText<T>(String expected, Function<String, Optional<T>> reader, Function<T, String> writer) {

    /** The word for what is not bounded at all. */
    static final String UNLIMITED = "unlimited";

    private static final Pattern COUNT = Pattern.compile("0|[1-9][0-9]{0,8}");

    /** Whether something is done. Not {@code on} and {@code off}, which many a tool that rewrites YAML takes for booleans. */
    static final ValueText<Boolean> SWITCH = words(Map.of("true", true, "false", false));

    Optional<T> read(String text) {
        return reader.apply(text);
    }

    String write(T value) {
        return writer.apply(value);
    }

    /** No shorter than that, and no longer than {@link Defaults#UNLIMITED_TIME}. */
    static ValueText<Duration> duration(Duration least) {
        return new ValueText<>(
                DurationText.EXAMPLES + ", at least " + DurationText.write(least),
                text -> DurationText.read(text)
                        .filter(length -> length.compareTo(least) >= 0)
                        .filter(length -> length.compareTo(Defaults.UNLIMITED_TIME) < 0),
                DurationText::write);
    }

    static ValueText<Long> size(long least, long most) {
        return new ValueText<>(
                SizeText.EXAMPLES + ", " + SizeText.write(least) + " to " + SizeText.write(most),
                text -> SizeText.read(text).filter(size -> size >= least && size <= most),
                SizeText::write);
    }

    /** A size that an array can have. */
    static ValueText<Integer> smallSize(int least, int most) {
        return size(least, most).map(Long::intValue, Integer::longValue);
    }

    static ValueText<Integer> count(int least, int most) {
        return new ValueText<>(
                "a whole number, " + least + " to " + most,
                text -> COUNT.matcher(text).matches()
                        ? Optional.of(Integer.valueOf(text)).filter(count -> count >= least && count <= most)
                        : Optional.empty(),
                Object::toString);
    }

    /** One of these words. */
    static <T> ValueText<T> words(Map<String, T> words) {
        return new ValueText<>(
                String.join(" or ", words.keySet().stream().sorted().toList()),
                text -> Optional.ofNullable(words.get(text)),
                value -> words.entrySet().stream()
                        .filter(word -> word.getValue().equals(value))
                        .findFirst()
                        .orElseThrow()
                        .getKey());
    }

    /** The constants of an enum in lower case with hyphens. */
    static <E extends Enum<E>> ValueText<E> words(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        return new ValueText<>(
                String.join(" or ", all.stream().map(ValueText::word).toList()),
                text -> all.stream().filter(one -> word(one).equals(text)).findFirst(),
                ValueText::word);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A text that stays as it is. */
    static ValueText<String> text(String expected, Predicate<String> allowed) {
        return new ValueText<>(expected, text -> Optional.of(text).filter(allowed), text -> text);
    }

    /** The same, or a word that stands for one value more. */
    ValueText<T> or(String word, T value) {
        return new ValueText<>(
                expected + ", or " + word,
                text -> text.equals(word) ? Optional.of(value) : read(text),
                given -> given.equals(value) ? word : write(given));
    }

    <S> ValueText<S> map(Function<T, S> forth, Function<S, T> back) {
        return new ValueText<>(expected, text -> read(text).map(forth), value -> write(back.apply(value)));
    }
}
