package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.time.DurationText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How values of one type are written as a text, and read back exactly; nothing is trimmed, and no case is ignored. What range a
 * value must lie in is not asked here.
 */
final class Notation<T> implements SettingText<T> {

    /** The word for an empty set, and for what is not wanted at all. */
    static final String NONE = "none";

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,9}");
    private static final Pattern STATUS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final int SHOWN = 64;

    static final Notation<String> TEXT = new Notation<>("a text", Optional::of, text -> text);

    static final Notation<Duration> DURATION =
            new Notation<>(DurationText.EXAMPLES, DurationText::read, DurationText::write);

    static final Notation<Integer> COUNT =
            new Notation<>("a whole number", text -> matching(INTEGER, text).map(Integer::valueOf), Object::toString);

    static final Notation<BigDecimal> RATIO = new Notation<>(
            "the like of 0.2", text -> matching(DECIMAL, text).map(BigDecimal::new), BigDecimal::toPlainString);

    static final Notation<Jitter> JITTER = new Notation<>(Jitter.WORDS, Jitter::ofWord, Jitter::toString);

    static final Notation<Set<Integer>> STATUSES = new Notation<>(
            NONE + ", or statuses with commas between them",
            text -> set(text, status -> matching(STATUS, status).map(Integer::valueOf)),
            set -> listed(set.stream().sorted().map(Object::toString)));

    static final Notation<Set<Method>> METHODS = new Notation<>(
            NONE + ", or methods with commas between them",
            text -> set(text, Notation::method),
            set -> listed(set.stream().map(Method::name).sorted()));

    static final Notation<Optional<String>> HEADER_NAME = new Notation<>(
            NONE + ", or a header name",
            text -> Optional.of(text.equals(NONE) ? Optional.empty() : Optional.of(text)),
            name -> name.orElse(NONE));

    /** Says that there is none of something, and nothing else. */
    static final Notation<Boolean> ONLY_NONE =
            new Notation<>(NONE, text -> text.equals(NONE) ? Optional.of(true) : Optional.empty(), value -> NONE);

    /** What would be readable, for messages. */
    private final String expected;

    private final Function<String, Optional<T>> reader;
    private final Function<T, String> writer;

    private Notation(String expected, Function<String, Optional<T>> reader, Function<T, String> writer) {
        this.expected = expected;
        this.reader = reader;
        this.writer = writer;
    }

    /** The constants of an enum in lower case with hyphens: {@code by-effect} for {@code BY_EFFECT}. */
    static <E extends Enum<E>> Notation<E> word(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        return new Notation<>(
                all.stream().map(Notation::word).collect(Collectors.joining(" or ")),
                text -> all.stream().filter(one -> word(one).equals(text)).findFirst(),
                Notation::word);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Optional<String> matching(Pattern pattern, String text) {
        return pattern.matcher(text).matches() ? Optional.of(text) : Optional.empty();
    }

    private static Optional<Method> method(String name) {
        return Method.isName(name) ? Optional.of(Method.of(name)) : Optional.empty();
    }

    /** Empty if one of the elements is not readable. */
    private static <E> Optional<Set<E>> set(String text, Function<String, Optional<E>> element) {
        if (text.equals(NONE)) {
            return Optional.of(Set.of());
        }
        List<Optional<E>> elements =
                Arrays.stream(text.split(",", -1)).map(element).toList();
        return elements.stream().allMatch(Optional::isPresent)
                ? Optional.of(Set.copyOf(elements.stream()
                        .map(Optional::orElseThrow)
                        .collect(Collectors.toCollection(LinkedHashSet::new))))
                : Optional.empty();
    }

    private static String listed(Stream<String> elements) {
        String list = elements.collect(Collectors.joining(","));
        return list.isEmpty() ? NONE : list;
    }

    Optional<T> read(String text) {
        return reader.apply(text);
    }

    String write(T value) {
        return writer.apply(value);
    }

    String expected() {
        return expected;
    }

    @Override
    public Optional<T> read(String key, MapReader from) {
        return from.take(key, this);
    }

    @Override
    public void write(String key, T value, Map<String, String> to) {
        to.put(key, write(value));
    }

    /** A text of unknown origin in quotes, as {@link #escaped}. */
    static String shown(String text) {
        return '"' + escaped(text) + '"';
    }

    /** The text with control and non-ASCII characters escaped and a bound on its length. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), SHOWN); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(text.length() > SHOWN ? "…" : "").toString();
    }
}
