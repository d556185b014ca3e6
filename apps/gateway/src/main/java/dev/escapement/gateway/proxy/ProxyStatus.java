package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.record.Reason;
import dev.escapement.http.Headers;
import java.util.Optional;

/** Our member of the {@code Proxy-Status} list (RFC 9209 §2), behind those of whoever is nearer to the origin. */
final class ProxyStatus {

    private ProxyStatus() {}

    /** Of an answer of our own. */
    static String error(
            String name,
            Reason reason,
            String rule,
            int status,
            Optional<String> upstream,
            Optional<String> address,
            HeaderConfig.ProxyStatus how) {
        StringBuilder member = new StringBuilder(item(name)).append("; error=").append(reason.error());
        if (reason.error().equals("http_request_error")) {
            member.append("; status-code=").append(status);
        }
        nextHop(member, upstream, address, how);
        return member.append("; details=").append(string(rule)).toString();
    }

    /** Of an upstream's answer that would have been asked for again. */
    static String refusedRetry(
            String name,
            Headers received,
            int status,
            String details,
            Optional<String> upstream,
            Optional<String> address,
            HeaderConfig.ProxyStatus how) {
        StringBuilder list = new StringBuilder();
        for (String line : received.all(ResponseFields.PROXY_STATUS)) {
            list.append(line).append(", ");
        }
        list.append(item(name)).append("; received-status=").append(status);
        nextHop(list, upstream, address, how);
        return list.append("; details=").append(string(details)).toString();
    }

    private static void nextHop(
            StringBuilder member, Optional<String> upstream, Optional<String> address, HeaderConfig.ProxyStatus how) {
        Optional<String> told = how == HeaderConfig.ProxyStatus.FULL && address.isPresent() ? address : upstream;
        told.ifPresent(hop -> member.append("; next-hop=").append(item(hop)));
    }

    /** A token where it is one, else a string (RFC 9651 §3.3). */
    private static String item(String text) {
        return isToken(text) ? text : string(text);
    }

    private static boolean isToken(String text) {
        if (text.isEmpty() || !(Character.isLetter(text.charAt(0)) || text.charAt(0) == '*')) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean token = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0;
            if (!token) {
                return false;
            }
        }
        return true;
    }

    private static String string(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            out.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return out.append('"').toString();
    }
}
