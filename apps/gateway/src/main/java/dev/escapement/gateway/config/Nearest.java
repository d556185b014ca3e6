package dev.escapement.gateway.config;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** Guesses what somebody meant: the known word with the fewest single-character edits. Pure. */
final class Nearest {

    private Nearest() {}

    /** The nearest of these, if a slip of the fingers can explain the difference; the first in order among equals. */
    static Optional<String> of(String word, Collection<String> known) {
        int fewest = Math.max(1, word.length() / 3) + 1;
        Optional<String> nearest = Optional.empty();
        for (String candidate : new TreeSet<>(known)) {
            int edits = edits(word, candidate);
            if (edits < fewest) {
                fewest = edits;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /** A question to end a message with; empty where nothing is near. */
    static String question(String word, Collection<String> known) {
        return of(word, known)
                .map(near -> "; did you mean " + Shown.quoted(near) + "?")
                .orElse("");
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
