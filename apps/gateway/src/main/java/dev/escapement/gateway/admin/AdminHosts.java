package dev.escapement.gateway.admin;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;

/**
 * Which names the operators' port answers to. A page of somewhere else can have its own name lead to a loopback address, and would then be of
 * the same origin as this port (DNS rebinding); so that only {@code localhost}, loopback addresses, the very address that a connection
 * came in on, and the host that the configuration names are served. None of them is a name that somebody else can lead here. Immutable.
 */
final class AdminHosts {

    private final String configured;

    /** @param configured the host of the configuration's {@code admin} */
    AdminHosts(String configured) {
        this.configured = plain(configured);
    }

    /**
     * Whether a request for that {@code Host} is served.
     *
     * @param local the connection's own end
     */
    boolean serves(String hostField, InetSocketAddress local) {
        String host = plain(withoutPort(hostField));
        if (host.isEmpty()) {
            return false;
        }
        Optional<InetAddress> literal = literal(host);
        if (literal.isPresent()) {
            InetAddress address = literal.get();
            return address.isLoopbackAddress() || address.equals(local.getAddress()) || host.equals(configured);
        }
        return host.equals("localhost") || host.equals(configured);
    }

    private static String withoutPort(String field) {
        int colon = field.lastIndexOf(':');
        return colon > field.lastIndexOf(']') && isPort(field, colon + 1) ? field.substring(0, colon) : field;
    }

    private static boolean isPort(String field, int from) {
        return field.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
    }

    /** In lower case, without brackets and without the dot of a rooted name. */
    private static String plain(String host) {
        String lower = host.strip().toLowerCase(Locale.ROOT);
        if (lower.startsWith("[") && lower.endsWith("]")) {
            return lower.substring(1, lower.length() - 1);
        }
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** No name is ever looked up. */
    private static Optional<InetAddress> literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}
