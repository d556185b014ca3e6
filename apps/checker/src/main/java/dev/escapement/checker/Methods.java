package dev.escapement.checker;

import dev.escapement.http.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** A set of methods as an option gives it: {@code GET,PUT}, or {@code none}. */
record Methods(Set<Method> set) {

    static Methods parse(String text) {
        Set<Method> set = new LinkedHashSet<>();
        if (!text.equals("none")) {
            for (String name : text.split(",", -1)) {
                if (!Method.isKnown(name)) {
                    throw new TypeConversionException(
                            Printable.shown(name)
                                    + ": expected none, or GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST, PATCH with commas between them");
                }
                set.add(Method.of(name));
            }
        }
        return new Methods(set);
    }
}
