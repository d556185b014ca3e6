package dev.escapement.checker;

import dev.escapement.http.Method;
import dev.escapement.http.Request;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads one line of the list: {@code id METHOD url}, parted by blanks or tabs; an empty line and one that starts with
 * {@code #} is no endpoint. Pure.
 */
final class EndpointParser {

    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final Pattern ENDS = Pattern.compile("^[ \t]+|[ \t]+$");

    private EndpointParser() {}

    /**
     * The endpoint on this line, or empty.
     *
     * @throws WrongUsage saying what is wrong with the line, without saying where it stands
     */
    static Optional<Endpoint> parse(long number, String line) throws WrongUsage {
        String text = ENDS.matcher(line).replaceAll("");
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        String[] parts = BLANKS.split(text, -1);
        if (parts.length != 3) {
            throw new WrongUsage(
                    "expected \"id METHOD url\", found " + parts.length + (parts.length == 1 ? " word" : " words"));
        }
        String id = parts[0];
        if (!Printable.isPrintable(id)) {
            throw new WrongUsage("id " + Printable.shown(id) + ": expected visible characters only");
        }
        if (!Method.isKnown(parts[1])) {
            throw new WrongUsage("method " + Printable.shown(parts[1])
                    + ": expected GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST or PATCH");
        }
        try {
            return Optional.of(new Endpoint(number, id, Request.of(Method.of(parts[1]), parts[2])));
        } catch (IllegalArgumentException e) {
            throw new WrongUsage(Printable.line(String.valueOf(e.getMessage())));
        }
    }
}
