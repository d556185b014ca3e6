package dev.escapement.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Header fields in the order they were added: names compare without case, repeated names stay separate lines.
 *
 * <p>Immutable; a lookup walks the lines, which beats a map at the sizes headers have. Names are tokens and values hold
 * no line end, no other control character, nothing beyond Latin-1 and no blank at either end (RFC 9110 §5.5), so that
 * no field can smuggle another.
 */
public final class Headers {

    private static final Headers EMPTY = new Headers(new String[0]);

    /** Name, value, name, value …; never written after construction. */
    private final String[] lines;

    private Headers(String[] lines) {
        this.lines = lines;
    }

    public static Headers empty() {
        return EMPTY;
    }

    /**
     * Fields from alternating names and values.
     *
     * @throws IllegalArgumentException for an odd count, or for the first name or value that is not allowed
     */
    public static Headers of(String... namesAndValues) {
        return checked(namesAndValues.clone(), 0);
    }

    /** These lines, which are nobody else's; checked from an index on. */
    private static Headers checked(String[] lines, int from) {
        if (lines.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "headers: expected names and values in pairs, got " + (lines.length - from) + " strings");
        }
        for (int i = from; i < lines.length; i += 2) {
            check(lines[i], lines[i + 1]);
        }
        return lines.length == 0 ? EMPTY : new Headers(lines);
    }

    /** These fields and one more line at the end. */
    public Headers and(String name, String value) {
        check(name, value);
        String[] more = java.util.Arrays.copyOf(lines, lines.length + 2);
        more[lines.length] = name;
        more[lines.length + 1] = value;
        return new Headers(more);
    }

    /**
     * These fields without any line of those names, and then those lines.
     *
     * @param lines names and values in turn
     * @throws IllegalArgumentException as {@link #of}
     */
    public Headers replacing(List<String> names, List<String> lines) {
        int kept = 0;
        for (int i = 0; i < this.lines.length; i += 2) {
            kept += isAmong(names, this.lines[i]) ? 0 : 2;
        }
        String[] all = new String[kept + lines.size()];
        int next = 0;
        for (int i = 0; i < this.lines.length; i += 2) {
            if (!isAmong(names, this.lines[i])) {
                all[next++] = this.lines[i];
                all[next++] = this.lines[i + 1];
            }
        }
        for (String line : lines) {
            all[next++] = line;
        }
        return checked(all, kept);
    }

    private static boolean isAmong(List<String> names, String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static void check(String name, String value) {
        if (!Tokens.isToken(name)) {
            throw new IllegalArgumentException("header name " + Tokens.shown(name) + ": expected a token");
        }
        if (!Tokens.isFieldValue(value)) {
            // The value may be a secret: only its name and length are told.
            throw new IllegalArgumentException("value of header " + name + " (" + value.length()
                    + " characters): expected Latin-1 without control characters and without blanks at its ends");
        }
    }

    /** Whether a header can have this name: a token (RFC 9110 §5.6.2). */
    public static boolean isName(String text) {
        return Tokens.isToken(text);
    }

    /** How many lines there are. */
    public int count() {
        return lines.length / 2;
    }

    /** The name on line {@code index}, counted from 0, as it was given. */
    public String nameAt(int index) {
        return lines[2 * index];
    }

    /** The value on line {@code index}, counted from 0. */
    public String valueAt(int index) {
        return lines[2 * index + 1];
    }

    /** The value of the first line with that name. */
    public Optional<String> first(String name) {
        for (int i = 0; i < lines.length; i += 2) {
            if (lines[i].equalsIgnoreCase(name)) {
                return Optional.of(lines[i + 1]);
            }
        }
        return Optional.empty();
    }

    /** The values of all lines with that name, in order; empty if there is none. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>(1);
        for (int i = 0; i < lines.length; i += 2) {
            if (lines[i].equalsIgnoreCase(name)) {
                values.add(lines[i + 1]);
            }
        }
        return values;
    }

    public boolean contains(String name) {
        return first(name).isPresent();
    }

    /** The names with the length of each value: values may be secrets. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("[");
        for (int i = 0; i < lines.length; i += 2) {
            out.append(i == 0 ? "" : ", ")
                    .append(lines[i])
                    .append(": ")
                    .append(lines[i + 1].length())
                    .append(" characters");
        }
        return out.append(']').toString();
    }
}
