package dev.escapement.checker;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes one JSON object on one line (RFC 8259). Members come in the order they are added.
 *
 * <p>Strings are escaped where JSON demands it, and wherever a terminal could act on a character or two readers could
 * disagree on it. Not thread-safe.
 */
final class Json {

    private final StringBuilder out = new StringBuilder("{");
    private boolean first = true;

    /** A whole object. */
    static String object(Consumer<Json> members) {
        Json json = new Json();
        members.accept(json);
        return json.out.append('}').toString();
    }

    Json string(String name, String value) {
        name(name);
        quote(value);
        return this;
    }

    Json number(String name, long value) {
        name(name).append(value);
        return this;
    }

    Json bool(String name, boolean value) {
        name(name).append(value);
        return this;
    }

    /** A number, or null where it is absent. */
    Json optional(String name, OptionalLong value) {
        return value.isPresent() ? number(name, value.getAsLong()) : nothing(name);
    }

    /** A number with a fraction, as its decimal says it. */
    Json decimal(String name, BigDecimal value) {
        name(name).append(value.toPlainString());
        return this;
    }

    /** An object with a member for each key. */
    <K extends Enum<K>> Json counts(String name, Map<K, Long> counts) {
        return object(name, json -> counts.forEach((key, count) -> json.number(key.name(), count)));
    }

    /** A string, or null where it is absent. */
    Json optional(String name, Optional<String> value) {
        return value.isPresent() ? string(name, value.get()) : nothing(name);
    }

    /** An object, or null where it is absent. */
    <T> Json optional(String name, Optional<T> value, BiConsumer<Json, T> members) {
        return value.isPresent() ? object(name, json -> members.accept(json, value.get())) : nothing(name);
    }

    Json nothing(String name) {
        name(name).append("null");
        return this;
    }

    Json object(String name, Consumer<Json> members) {
        name(name).append(object(members));
        return this;
    }

    Json numbers(String name, Iterable<Long> values) {
        name(name).append('[');
        String separator = "";
        for (long value : values) {
            out.append(separator).append(value);
            separator = ",";
        }
        out.append(']');
        return this;
    }

    /** An array of objects, one for each item. */
    <T> Json objects(String name, Iterable<T> items, BiConsumer<Json, T> members) {
        name(name).append('[');
        String separator = "";
        for (T item : items) {
            out.append(separator).append(object(json -> members.accept(json, item)));
            separator = ",";
        }
        out.append(']');
        return this;
    }

    private StringBuilder name(String name) {
        out.append(first ? "" : ",");
        first = false;
        quote(name);
        return out.append(':');
    }

    private void quote(String text) {
        out.append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
            } else if (c == ' ' || Printable.isVisible(c)) {
                out.appendCodePoint(c);
            } else {
                Printable.escape(out, c);
            }
        });
        out.append('"');
    }
}
