package dev.escapement.gateway.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Text of unknown origin as messages show it: control characters escaped, and of bounded length. */
final class Shown {

    private static final int LONGEST = 80;

    /** Where people write passwords and tokens in URLs. */
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/?#]*(?=@)");

    private static final Pattern QUERY = Pattern.compile("(://[^?]*\\?).*");

    private Shown() {}

    /** In quotes. */
    static String quoted(String text) {
        return '"' + plain(text) + '"';
    }

    static String plain(String given) {
        String text = QUERY.matcher(USER_INFO.matcher(given).replaceAll("…")).replaceAll("$1…");
        StringBuilder out = new StringBuilder();
        int end = Math.min(text.length(), LONGEST);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (Character.isISOControl(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(end < text.length() ? "…" : "").toString();
    }
}
