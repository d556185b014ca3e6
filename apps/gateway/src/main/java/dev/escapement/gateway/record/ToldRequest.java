package dev.escapement.gateway.record;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of a client's own words may stand in the access log: queries and fields may hold secrets and are told if asked for; credentials and
 * cookies never are. Immutable.
 */
final class ToldRequest {

    /** Fields that no configuration can name. */
    static final Set<String> NEVER =
            Set.of("authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie", "set-cookie2");

    /** Of a field's value: a line stays readable, whatever a client sends. */
    static final int MAX_VALUE = 1_024;

    private final boolean query;
    private final List<String> headers;

    ToldRequest(AccessLogConfig config) {
        query = config.query();
        Set<String> named = new TreeSet<>(config.requestHeaders());
        named.removeAll(NEVER);
        headers = List.copyOf(named);
    }

    /** The names of fields to tell, in alphabetical order. */
    List<String> headers() {
        return headers;
    }

    boolean tells(String header) {
        return headers.contains(header);
    }

    /** The lines of that name as one, cut at {@value #MAX_VALUE} characters; empty if there is none. */
    static Optional<String> value(InboundRequest request, String header) {
        List<String> lines = request.headers().all(header);
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        String whole = lines.size() == 1 ? lines.get(0) : String.join(", ", lines);
        return Optional.of(whole.length() <= MAX_VALUE ? whole : whole.substring(0, MAX_VALUE) + "...");
    }

    /** The query, where queries are told. */
    Optional<String> query(InboundRequest request) {
        return query ? request.query() : Optional.empty();
    }

    /** The target as received, without a user's name and password and, unless queries are told, without its query. */
    String target(InboundRequest request) {
        String target = request.target();
        return query ? withoutUser(target) : path(request);
    }

    /** The same without its query in any case. */
    static String path(InboundRequest request) {
        String target = request.target();
        int mark = target.indexOf('?');
        return withoutUser(mark < 0 ? target : target.substring(0, mark));
    }

    /** Of an absolute form; a path may hold an at sign. */
    private static String withoutUser(String target) {
        int scheme = target.indexOf("://");
        if (target.startsWith("/") || scheme < 0) {
            return target;
        }
        int start = scheme + "://".length();
        int end = start;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        int at = target.lastIndexOf('@', end - 1);
        return at < start ? target : target.substring(0, start) + target.substring(at + 1);
    }
}
