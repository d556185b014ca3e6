package dev.escapement.transport;

import java.net.URI;
import java.util.Locale;

/**
 * Where an attempt connects to: scheme, host and port. A value; the host is in lower case and, where it is an IPv6
 * literal, in its brackets.
 *
 * <p>An endpoint is not what a request is addressed to: {@code Host}, and the name that TLS verifies, stay those of the
 * request's URI, whatever endpoint its attempts go to.
 */
public final class Endpoint {

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int MAX_PORT = 65_535;

    private final boolean secure;
    private final String host;
    private final int port;
    private final int hash;

    private Endpoint(boolean secure, String host, int port) {
        this.secure = secure;
        this.host = host;
        this.port = port;
        this.hash = (host.hashCode() * 31 + port) * 31 + (secure ? 1 : 0);
    }

    /**
     * The origin of this URI: its scheme, host and port; the rest is not looked at.
     *
     * @param uri absolute, {@code http} or {@code https}, with a host
     * @throws IllegalArgumentException if it is not
     */
    public static Endpoint of(URI uri) {
        String scheme = uri.getScheme();
        boolean web = scheme != null && (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"));
        if (!web || uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw new IllegalArgumentException("endpoint " + uri.getScheme() + "://" + uri.getHost() + ":"
                    + uri.getPort() + ": expected http or https, a host, and a port of 1 to 65535 if any");
        }
        boolean secure = isSecure(uri);
        return new Endpoint(secure, uri.getHost().toLowerCase(Locale.ROOT), port(uri, secure));
    }

    /** The same for a URL. */
    public static Endpoint of(String url) {
        return of(URI.create(url));
    }

    /** Whether that URI's origin is this; tells it without making an object. */
    public boolean isOriginOf(URI uri) {
        boolean otherSecure = isSecure(uri);
        return secure == otherSecure && port == port(uri, otherSecure) && host.equalsIgnoreCase(uri.getHost());
    }

    private static boolean isSecure(URI uri) {
        return uri.getScheme().length() == "https".length();
    }

    private static int port(URI uri, boolean secure) {
        int port = uri.getPort();
        return port >= 0 ? port : secure ? HTTPS_PORT : HTTP_PORT;
    }

    /** Whether TLS is spoken. */
    public boolean secure() {
        return secure;
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Endpoint that
                        && hash == that.hash
                        && secure == that.secure
                        && port == that.port
                        && host.equals(that.host));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + host + ":" + port;
    }
}
