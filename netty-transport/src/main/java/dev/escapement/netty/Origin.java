package dev.escapement.netty;

import java.net.URI;
import java.util.Locale;

/**
 * What connections are pooled by: scheme, host and port. The host is in lower case and, where it is an IPv6 literal, in
 * its brackets. Immutable.
 */
record Origin(boolean tls, String host, int port) {

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static Origin of(URI uri) {
        boolean tls = isTls(uri);
        return new Origin(tls, uri.getHost().toLowerCase(Locale.ROOT), port(uri, tls));
    }

    /** Whether that URI belongs here; tells it without making an object. */
    boolean serves(URI uri) {
        boolean otherTls = isTls(uri);
        return tls == otherTls && port == port(uri, otherTls) && host.equalsIgnoreCase(uri.getHost());
    }

    /** The host without the brackets of an IPv6 literal. */
    String address() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The value of the Host field: the port only where it is not the scheme's own (RFC 9110 §7.2). */
    String authority() {
        return port == (tls ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
    }

    private static boolean isTls(URI uri) {
        return uri.getScheme().length() == "https".length();
    }

    private static int port(URI uri, boolean tls) {
        int port = uri.getPort();
        return port >= 0 ? port : tls ? HTTPS_PORT : HTTP_PORT;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
