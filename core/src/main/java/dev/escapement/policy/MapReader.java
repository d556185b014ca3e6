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
                fault(PolicyFault.Kind.UNREADABLE, key.toString(), value.toString(), "two strings");
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
        String text = String.valueOf(given.get(key));
        Optional<T> value = notation.read(text);
        if (value.isEmpty()) {
            fault(PolicyFault.Kind.UNREADABLE, key, text, notation.expected());
        }
        return value;
    }

    /** Whether the key says, by the one word it may hold, that there is none of it; its parts beside that are a fault. */
    boolean takesNone(String key, boolean partsGiven) {
        boolean none = take(key, Notation.ONLY_NONE).isPresent();
        if (none && partsGiven) {
            fault(PolicyFault.Kind.UNREADABLE, key, Notation.NONE, "no key that begins with " + key + "- beside it");
        }
        return none;
    }

    void fault(PolicyFault fault) {
        faults.add(fault);
    }

    void fault(PolicyFault.Kind kind, String key, String text, String range) {
        faults.add(new PolicyFault(kind, Notation.escaped(key), Notation.shown(text), range));
    }

    /** Everything that was wrong, and every key that nobody asked for, with the nearest of those that somebody did. */
    List<PolicyFault> faults() {
        List<PolicyFault> all = new ArrayList<>(faults);
        given.forEach((key, text) -> {
            if (!asked.contains(key)) {
                all.add(new PolicyFault(
                        PolicyFault.Kind.UNKNOWN,
                        Notation.escaped(key),
                        Notation.shown(text),
                        "a known key; the nearest is " + nearest(key)));
            }
        });
        return all;
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
