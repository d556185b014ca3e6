package dev.escapement.gateway.inbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the lines of {@code Connection} list (RFC 9110 §7.6.1). Each names fields that are taken off before a request goes on, so that a
 * list may not name what routes and frames it, and is bounded. Filled by one head's reader.
 */
final class ConnectionOptions {

    static final int MAX_OPTIONS = 32;

    private static final List<String> NONE = List.of();

    private List<String> names = NONE;
    private boolean close;
    private boolean keepAlive;

    /** Adds what one line lists; false if it may not be. */
    boolean add(String line) {
        int from = 0;
        while (from <= line.length()) {
            int comma = line.indexOf(',', from);
            int to = comma < 0 ? line.length() : comma;
            String option = line.substring(from, to).trim();
            // An empty element is nothing (RFC 9110 §5.6.1.2).
            if (!option.isEmpty() && !addOption(option)) {
                return false;
            }
            from = to + 1;
        }
        return true;
    }

    private boolean addOption(String option) {
        if (!Syntax.isToken(option) || names.size() == MAX_OPTIONS) {
            return false;
        }
        String name = option.toLowerCase(Locale.ROOT);
        switch (name) {
            case "close" -> close = true;
            case "keep-alive" -> keepAlive = true;
            case "host", "content-length" -> {
                return false;
            }
            default -> {}
        }
        if (names.isEmpty()) {
            names = new ArrayList<>(2);
        }
        names.add(name);
        return true;
    }

    /** In lower case. */
    List<String> names() {
        return names;
    }

    /** Whether the client wants to go on after this request (RFC 9112 §9.3). */
    boolean persists(int minorVersion) {
        return !close && (minorVersion > 0 || keepAlive);
    }
}
