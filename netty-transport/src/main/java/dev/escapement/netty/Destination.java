package dev.escapement.netty;

import dev.escapement.transport.Endpoint;
import java.net.URI;

/**
 * What connections are pooled by: where they lead and, under TLS, whom their peer has to be. A connection that was verified
 * for one name never serves another, though both may be at one address; in the clear nobody is verified, and all share.
 * Immutable.
 *
 * @param endpoint where the socket connects to, and whether TLS is spoken there
 * @param peer whose name and port TLS asks for and verifies; in the clear the endpoint itself
 */
record Destination(Endpoint endpoint, Endpoint peer) {

    /** Where a request for that URI goes by way of that endpoint. */
    static Destination of(Endpoint endpoint, URI uri) {
        boolean itself = !endpoint.secure() || endpoint.isOriginOf(uri);
        return new Destination(endpoint, itself ? endpoint : Endpoint.of(uri));
    }

    /** Whether this is that destination; tells it without making an object. */
    boolean serves(Endpoint other, URI uri) {
        return endpoint.equals(other) && (!endpoint.secure() || peer.isOriginOf(uri));
    }

    /** The name or address to connect to, without the brackets of an IPv6 literal. */
    String address() {
        return withoutBrackets(endpoint.host());
    }

    /** The name that TLS verifies, without the brackets of an IPv6 literal. */
    String peerName() {
        return withoutBrackets(peer.host());
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return peer.equals(endpoint) ? endpoint.toString() : endpoint + " as " + peer;
    }
}
