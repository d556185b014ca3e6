package dev.escapement.gateway.inbound;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The head of one request, or as much of it as was understood before it was refused. Immutable.
 *
 * @param persists whether the client wants to go on after it
 */
record RequestHead(
        String method,
        String target,
        String path,
        Optional<String> query,
        String authority,
        String host,
        int minorVersion,
        Headers headers,
        List<String> connectionOptions,
        boolean takesTrailers,
        boolean expectsContinue,
        long contentLength,
        boolean persists) {

    private static final String ROOT = "/";

    /** A head that was understood. */
    static RequestHead of(RequestLine line, RequestTarget target, HeadFields fields) {
        Authority named = target.authority();
        // The absolute form has the last word (RFC 9112 §3.2.2).
        Authority authority = named == null ? fields.host() : named;
        return new RequestHead(
                line.method,
                line.target,
                target.path(),
                target.query(),
                authority == null ? "" : authority.text(),
                authority == null ? "" : authority.host(),
                line.minorVersion,
                fields.headers(),
                List.copyOf(fields.options().names()),
                fields.takesTrailers(),
                fields.expectsContinue(),
                fields.bodyLength(),
                fields.options().persists(line.minorVersion));
    }

    /** What is known of one that was refused: its line, and the fields before the one that was wrong. */
    static RequestHead refused(RequestLine line, @Nullable RequestTarget target, @Nullable HeadFields fields) {
        Authority named = target == null ? null : target.authority();
        Authority authority = named != null ? named : fields == null ? null : fields.host();
        RequestTarget resolved = target != null && target.refusal() == null ? target : null;
        return new RequestHead(
                line.method,
                line.target,
                resolved == null ? ROOT : resolved.path(),
                resolved == null ? Optional.empty() : resolved.query(),
                authority == null ? "" : authority.text(),
                authority == null ? "" : authority.host(),
                line.minorVersion,
                fields == null ? Headers.empty() : fields.headers(),
                List.of(),
                false,
                false,
                0,
                false);
    }

    boolean isChunked() {
        return contentLength == Body.UNKNOWN_LENGTH;
    }
}
