package dev.escapement.gateway.inbound;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a request is to go, in the forms of RFC 9112 §3.2 that a gateway is sent: origin, absolute, and the asterisk of OPTIONS. A pure
 * function of the target; immutable.
 *
 * @param refusal why it is none, or null; then nothing else is said
 * @param path in its one form; {@code *} for the asterisk
 * @param authority of the absolute form, else null
 */
record RequestTarget(
        @Nullable Refusal refusal,
        String path,
        Optional<String> query,
        @Nullable Authority authority) {

    private static final RequestTarget ASTERISK = new RequestTarget(null, "*", Optional.empty(), null);
    private static final RequestTarget NO_TARGET = refused(Refusal.TARGET);
    private static final RequestTarget NO_PATH = refused(Refusal.PATH);
    private static final RequestTarget NO_HOST = refused(Refusal.HOST);

    private static RequestTarget refused(Refusal why) {
        return new RequestTarget(why, "", Optional.empty(), null);
    }

    /**
     * The target that this is.
     *
     * @param scheme of the connection, with which the absolute form must agree
     * @param keepsSlash whether {@code %2F} is passed on
     */
    static RequestTarget parse(String method, String target, String scheme, boolean keepsSlash) {
        if (target.charAt(0) == '/') {
            return pathAndQuery(target, keepsSlash, null);
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS") ? ASTERISK : NO_TARGET;
        }
        String start = scheme + "://";
        if (!target.regionMatches(true, 0, start, 0, start.length())) {
            return NO_TARGET;
        }
        int authorityEnd = start.length();
        while (authorityEnd < target.length() && "/?#".indexOf(target.charAt(authorityEnd)) < 0) {
            authorityEnd++;
        }
        Authority authority = Authority.parse(target.substring(start.length(), authorityEnd));
        if (authority == null) {
            return NO_HOST;
        }
        String rest = target.substring(authorityEnd);
        return pathAndQuery(rest.startsWith("/") ? rest : "/" + rest, keepsSlash, authority);
    }

    private static RequestTarget pathAndQuery(String text, boolean keepsSlash, @Nullable Authority authority) {
        int mark = text.indexOf('?');
        String path = TargetPath.normalised(mark < 0 ? text : text.substring(0, mark), keepsSlash);
        if (path == null) {
            return NO_PATH;
        }
        if (mark < 0) {
            return new RequestTarget(null, path, Optional.empty(), authority);
        }
        String query = TargetPath.query(text.substring(mark + 1));
        return query == null ? NO_TARGET : new RequestTarget(null, path, Optional.of(query), authority);
    }
}
