package dev.escapement.checker;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a choice by its name in lower case with hyphens: {@code connect-failures} for {@code CONNECT_FAILURES}. */
final class WordConverter<E extends Enum<E>> implements ITypeConverter<E> {

    private final E[] choices;

    WordConverter(Class<E> type) {
        choices = type.getEnumConstants();
    }

    @Override
    public E convert(String text) {
        for (E choice : choices) {
            if (word(choice).equals(text)) {
                return choice;
            }
        }
        throw new TypeConversionException(Printable.shown(text) + ": expected "
                + Arrays.stream(choices).map(WordConverter::word).collect(Collectors.joining(" or ")));
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
