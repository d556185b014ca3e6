package dev.escapement.checker;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** A set of statuses as an option gives it: {@code 502,503}, or {@code none}. Their range is the policy's to judge. */
record Statuses(Set<Integer> set) {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    static Statuses parse(String text) {
        Set<Integer> set = new LinkedHashSet<>();
        if (!text.equals("none")) {
            for (String number : text.split(",", -1)) {
                if (!NUMBER.matcher(number).matches()) {
                    throw new TypeConversionException(
                            Printable.shown(number) + ": expected none, or statuses with commas between them");
                }
                set.add(Integer.valueOf(number));
            }
        }
        return new Statuses(set);
    }
}
