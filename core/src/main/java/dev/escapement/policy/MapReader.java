package dev.escapement.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A flat map while settings are read from it: hands out values by key, remembers what is wrong, and knows at the end which
 * keys nobody asked for. Confined to the thread that reads.
 */
final class MapReader {

    /** Sorted, so that unknown keys are told in one order. */
    private final Map<String, String> given;

    private final Set<String> asked = new TreeSet<>();
    private final List<PolicyFault> faults = new ArrayList<>();

    MapReader(Map<String, String> given) {
        this.given = new TreeMap<>(given);
    }

    /** Properties with their defaults; an entry that is not made of strings is a fault. */
    MapReader(Properties properties) {
        this(properties.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, properties::getProperty)));
        properties.forEach((key, value) -> {
            if (!(key instanceof String && value instanceof String)) {
                String name = key.toString();
                asked.add(name);
                fault(PolicyFault.Kind.UNREADABLE, name, value.toString(), Notation.TEXT.expected());
            }
        });
    }

    boolean has(String key) {
        asked.add(key);
        return given.containsKey(key);
    }

    /** The value under that key; empty if there is none, or none that can be read, which is a fault. */
    <T> Optional<T> take(String key, Notation<T> notation) {
        if (!has(key)) {
            return Optional.empty();
        }
        Optional<T> value = notation.read(text(key));
        if (value.isEmpty()) {
            unreadable(key, notation.expected());
        }
        return value;
    }

    /** Whether the key says, by the one word that it may hold, that there is nothing of it; its parts beside that are a fault. */
    boolean saysNone(String key) {
        boolean none = take(key, Notation.ONLY_NONE).isPresent();
        if (none) {
            given.keySet().stream().filter(part -> part.startsWith(key + "-")).forEach(part -> {
                asked.add(part);
                unreadable(part, "nothing beside " + key + "=" + Notation.NONE);
            });
        }
        return none;
    }

    private String text(String key) {
        return String.valueOf(given.get(key));
    }

    /** What stands under the key cannot be taken; {@code expected} could. */
    void unreadable(String key, String expected) {
        fault(PolicyFault.Kind.UNREADABLE, key, text(key), expected);
    }

    void fault(PolicyFault fault) {
        faults.add(fault);
    }

    private void fault(PolicyFault.Kind kind, String key, String text, String expected) {
        faults.add(new PolicyFault(kind, Notation.escaped(key), Notation.shown(text), expected));
    }

    /**
     * Ends the reading.
     *
     * @throws PolicyException listing whatever was wrong, and every key that nobody asked for with the nearest of those that
     *     somebody did
     */
    void end() {
        given.forEach((key, text) -> {
            if (!asked.contains(key)) {
                fault(PolicyFault.Kind.UNKNOWN, key, text, "a known key; the nearest is " + nearest(key));
            }
        });
        if (!faults.isEmpty()) {
            throw new PolicyException(faults);
        }
    }

    /** The known key with the fewest single-character edits to this one; the first in order among equals. */
    private String nearest(String key) {
        String nearest = "";
        int fewest = Integer.MAX_VALUE;
        for (String known : asked) {
            int edits = edits(key, known);
            if (edits < fewest) {
                fewest = edits;
                nearest = known;
            }
        }
        return nearest;
    }

    /** The edit distance of Levenshtein, by the row-wise method of Wagner and Fischer (1974). */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int substituted = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
