package dev.escapement.checker;

import dev.escapement.time.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an option's duration as {@link DurationText} does; {@code 0} needs no unit. */
final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        return text.equals("0")
                ? Duration.ZERO
                : DurationText.read(text)
                        .orElseThrow(() -> new TypeConversionException(
                                Printable.shown(text) + " is not a duration: expected " + DurationText.EXAMPLES));
    }
}
