package dev.escapement.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request: method, absolute URI, header fields, body.
 *
 * <p>Immutable and checked when built. The fields that frame a message or name its target ({@code Host},
 * {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection} and their kin) are the transport's to write, and
 * refused here: two opinions on a message's length are how requests get smuggled (RFC 9112 §11.2).
 */
public final class Request {

    private static final Set<String> TRANSPORT_FIELDS = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "upgrade",
            "expect");

    private final Method method;
    private final URI uri;
    private final Headers headers;
    private final Body body;
    private final boolean expectsContinue;
    private final boolean takesTrailers;

    /** What {@code Host} says; null: the URI's authority. */
    private final @Nullable String host;

    private Request(
            Method method,
            URI uri,
            Headers headers,
            Body body,
            boolean expectsContinue,
            boolean takesTrailers,
            @Nullable String host) {
        this.method = method;
        this.uri = uri;
        this.headers = headers;
        this.body = body;
        this.expectsContinue = expectsContinue;
        this.takesTrailers = takesTrailers;
        this.host = host;
    }

    /**
     * A request.
     *
     * @param uri absolute, {@code http} or {@code https}, with a host, a port of 1–65535 if any, in ASCII and without user info;
     *     a fragment is not sent
     * @throws IllegalArgumentException naming the first thing that is not allowed
     */
    public static Request of(Method method, URI uri, Headers headers, Body body) {
        checkUri(uri);
        return new Request(method, uri, checked(headers), body, false, false, null);
    }

    private static Headers checked(Headers headers) {
        for (int i = 0; i < headers.count(); i++) {
            if (TRANSPORT_FIELDS.contains(headers.nameAt(i).toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("header " + headers.nameAt(i) + ": written by the transport alone");
            }
        }
        return headers;
    }

    /** A request without header fields and body. */
    public static Request of(Method method, String uri) {
        URI parsed;
        try {
            parsed = URI.create(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("URI " + Tokens.shown(uri) + ": expected RFC 3986 syntax", e);
        }
        return of(method, parsed, Headers.empty(), Body.empty());
    }

    public static Request get(String uri) {
        return of(Method.GET, uri);
    }

    private static void checkUri(URI uri) {
        String scheme = uri.getScheme();
        if (scheme == null || !(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
            throw refused(uri, "scheme http or https");
        }
        if (uri.getHost() == null || uri.getHost().isEmpty()) {
            throw refused(uri, "a host");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "URI of host " + uri.getHost() + ": user info is not sent and must be absent");
        }
        if (uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw refused(uri, "a port of 1 to 65535");
        }
        // java.net.URI refuses control characters and blanks, and lets other non-ASCII characters pass.
        String text = uri.toString();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= 0x20 || text.charAt(i) >= 0x7f) {
                throw refused(uri, "visible ASCII, anything else percent-encoded");
            }
        }
    }

    private static IllegalArgumentException refused(URI uri, String expected) {
        return new IllegalArgumentException("URI " + Tokens.shown(uri.toString()) + ": expected " + expected);
    }

    /** This request with one more header line. */
    public Request with(String name, String value) {
        return withHeaders(headers.and(name, value));
    }

    /**
     * This request without any header line of those names, and with those lines.
     *
     * @param lines names and values in turn
     * @throws IllegalArgumentException as {@link #of}
     */
    public Request replacing(List<String> names, List<String> lines) {
        return withHeaders(headers.replacing(names, lines));
    }

    private Request withHeaders(Headers others) {
        return new Request(method, uri, checked(others), body, expectsContinue, takesTrailers, host);
    }

    /**
     * This request asking the server's leave before it sends its body ({@code Expect: 100-continue}, RFC 9110 §10.1.1): nobody reads
     * the body before the server says so, or has been silent for as long as the transport waits. After a final answer it is not
     * sent at all.
     *
     * @throws IllegalArgumentException if there is no body to send
     */
    public Request expectingContinue() {
        if (body.length() == 0) {
            throw new IllegalArgumentException("expectation 100-continue: expected a request with a body");
        }
        return new Request(method, uri, headers, body, true, takesTrailers, host);
    }

    /** This request saying that the fields after a response's last chunk are wanted ({@code TE: trailers}, RFC 9110 §10.1.4). */
    public Request takingTrailers() {
        return new Request(method, uri, headers, body, expectsContinue, true, host);
    }

    /**
     * This request with another {@code Host} than its URI's authority: for a gateway that passes its client's on (RFC 9110 §7.2). Where it
     * goes, and whom TLS asks for and verifies, the URI says.
     *
     * @param value a name or an address, in brackets if IPv6, and a port if any (RFC 3986 §3.2.2); not empty
     * @throws IllegalArgumentException if it is none
     */
    public Request withHost(String value) {
        if (!Tokens.isHost(value)) {
            throw new IllegalArgumentException(
                    "host " + Tokens.shown(value) + ": expected a name or an address, and a port of 1 to 65535 if any");
        }
        return new Request(method, uri, headers, body, expectsContinue, takesTrailers, value);
    }

    /** Whether the body waits for the server's leave. */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /** Whether the fields after a response's last chunk are wanted. */
    public boolean takesTrailers() {
        return takesTrailers;
    }

    /** What {@code Host} says, where that is not the URI's authority. */
    public Optional<String> host() {
        return Optional.ofNullable(host);
    }

    public Method method() {
        return method;
    }

    public URI uri() {
        return uri;
    }

    public Headers headers() {
        return headers;
    }

    public Body body() {
        return body;
    }

    /** Method, scheme, host and path: queries and header values may hold secrets. */
    @Override
    public String toString() {
        String path = uri.getRawPath();
        return method + " " + uri.getScheme() + "://" + uri.getRawAuthority() + (path == null ? "" : path);
    }
}
