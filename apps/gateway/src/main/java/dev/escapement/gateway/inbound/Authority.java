package dev.escapement.gateway.inbound;

import io.netty.util.NetUtil;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A host with an optional port, as {@code Host} and absolute targets name it (RFC 9110 §7.2): a name of letters, digits, points,
 * hyphens and underscores, or an address; never user information, never a list. Immutable.
 *
 * @param text in lower case, with its port if one was given
 * @param host without port and trailing dot
 */
record Authority(String text, String host) {

    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_DIGITS = 5;

    /** The authority that this is, or null. */
    static @Nullable Authority parse(String text) {
        int hostEnd = text.startsWith("[") ? text.indexOf(']') + 1 : endOfName(text);
        if (hostEnd <= 0 || !isHost(text, hostEnd)) {
            return null;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        String named = lower.substring(0, hostEnd);
        String host = named.endsWith(".") ? named.substring(0, named.length() - 1) : named;
        if (hostEnd == text.length()) {
            return new Authority(lower, host);
        }
        if (text.charAt(hostEnd) != ':') {
            return null;
        }
        if (hostEnd + 1 == text.length()) {
            // A port may be empty, and says nothing then (RFC 3986 §3.2.3).
            return new Authority(named, host);
        }
        int port = port(text, hostEnd + 1);
        return port < 0 ? null : new Authority(named + ':' + port, host);
    }

    private static int endOfName(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? text.length() : colon;
    }

    private static boolean isHost(String text, int end) {
        if (text.charAt(0) == '[') {
            String address = text.substring(1, end - 1);
            return address.indexOf('%') < 0 && NetUtil.isValidIpV6Address(address);
        }
        boolean labelled = false;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean inLabel = Syntax.isLetter(c) || Syntax.isDigit(c) || c == '-' || c == '_';
            if (!inLabel && !(c == '.' && labelled)) {
                return false;
            }
            labelled = inLabel;
        }
        return true;
    }

    private static int port(String text, int from) {
        int digits = text.length() - from;
        int port = 0;
        for (int i = from; i < text.length(); i++) {
            if (digits > MAX_PORT_DIGITS || !Syntax.isDigit(text.charAt(i))) {
                return -1;
            }
            port = port * 10 + text.charAt(i) - '0';
        }
        return port == 0 || port > MAX_PORT ? -1 : port;
    }
}
