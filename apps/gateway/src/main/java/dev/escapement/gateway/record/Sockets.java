package dev.escapement.gateway.record;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Socket addresses as people write them; no name is ever looked up. Pure. */
final class Sockets {

    private Sockets() {}

    /** {@code 127.0.0.1:80} or {@code [::1]:80}. */
    static String text(InetSocketAddress socket) {
        InetAddress address = socket.getAddress();
        String host = address == null ? socket.getHostString() : address.getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + socket.getPort();
    }
}
