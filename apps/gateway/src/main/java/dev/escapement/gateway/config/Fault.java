package dev.escapement.gateway.config;

import java.util.Comparator;

/**
 * One thing wrong with a configuration, or one that its author may not have meant. A value; in the order of the text.
 *
 * @param line from 1; 0 where the fault has no place in the text
 * @param column from 1, in characters
 * @param path of the setting, like {@code routes[2].upstream}; empty where it is the text itself
 * @param message what is wrong, the value, what is allowed
 */
public record Fault(String file, int line, int column, String path, String message) implements Comparable<Fault> {

    private static final Comparator<Fault> ORDER = Comparator.comparingInt(Fault::line)
            .thenComparingInt(Fault::column)
            .thenComparing(Fault::path)
            .thenComparing(Fault::message);

    /** A fault of the file itself. */
    public static Fault ofFile(String file, String message) {
        return new Fault(file, 0, 0, "", message);
    }

    @Override
    public int compareTo(Fault other) {
        return ORDER.compare(this, other);
    }

    /** The line that is shown: {@code gateway.yaml:14:17: routes[2].upstream: no upstream "biling"}. */
    @Override
    public String toString() {
        String place = line == 0 ? "" : line + ":" + column + ":";
        return file + ":" + place + " " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
