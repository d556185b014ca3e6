package dev.escapement.metadata;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One reading of one set of header fields: the values that are right, and a fault for each that is not. Confined to its thread. */
final class Reading {

    /** No number. */
    static final long NONE = -1;

    /** Nine digits fit an {@code int}, with room for one more. */
    private static final int MAX_COUNT_DIGITS = 9;

    private final Headers headers;
    private List<MetadataFault> faults = List.of();

    Reading(Headers headers) {
        this.headers = headers;
    }

    List<MetadataFault> faults() {
        return List.copyOf(faults);
    }

    /** Notes that a field is ignored. */
    OptionalLong fault(String name, MetadataFault.Kind kind) {
        if (faults.isEmpty()) {
            faults = new ArrayList<>(2);
        }
        faults.add(new MetadataFault(name, kind));
        return OptionalLong.empty();
    }

    /** The field's value if it is on one line; null if there is none, or none that counts. */
    @Nullable
    String only(String name) {
        if (!headers.contains(name)) {
            return null;
        }
        List<String> lines = headers.all(name);
        if (lines.size() > 1) {
            fault(name, MetadataFault.Kind.REPEATED);
            return null;
        }
        return lines.get(0);
    }

    /** The number in the first {@code length} characters, or {@link #NONE}. */
    long digits(String name, String value, int length, int maxDigits) {
        boolean negative = length > 1 && value.charAt(0) == '-';
        int first = negative ? 1 : 0;
        long number = 0;
        for (int i = first; i < length; i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return notANumber(name, MetadataFault.Kind.NOT_DIGITS);
            }
            number = i < first + maxDigits ? number * 10 + digit : number;
        }
        if (negative) {
            return notANumber(name, MetadataFault.Kind.NEGATIVE);
        }
        if (length == 0) {
            return notANumber(name, MetadataFault.Kind.NOT_DIGITS);
        }
        return length > maxDigits ? notANumber(name, MetadataFault.Kind.TOO_MANY_DIGITS) : number;
    }

    private long notANumber(String name, MetadataFault.Kind kind) {
        fault(name, kind);
        return NONE;
    }

    /** A count from 1. */
    OptionalInt count(String name) {
        String value = only(name);
        long count = value == null ? NONE : digits(name, value, value.length(), MAX_COUNT_DIGITS);
        if (count == 0) {
            fault(name, MetadataFault.Kind.ZERO);
        }
        return count > 0 ? OptionalInt.of((int) count) : OptionalInt.empty();
    }

    /** The one of these whose word it is, to the letter. */
    <T> Optional<T> word(String name, T[] known, Function<T, String> word) {
        String value = only(name);
        if (value == null) {
            return Optional.empty();
        }
        for (T candidate : known) {
            if (word.apply(candidate).equals(value)) {
                return Optional.of(candidate);
            }
        }
        fault(name, MetadataFault.Kind.UNKNOWN_WORD);
        return Optional.empty();
    }

    Optional<String> identifier(String name) {
        String value = only(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!Identifiers.isAllowed(value)) {
            fault(name, MetadataFault.Kind.NOT_AN_IDENTIFIER);
            return Optional.empty();
        }
        return Optional.of(value);
    }
}
