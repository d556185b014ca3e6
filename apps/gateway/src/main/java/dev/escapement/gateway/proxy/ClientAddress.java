package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.TrustedProxies;
import dev.escapement.http.Headers;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who a request comes from: the peer of its connection, or whom a trusted one names. Immutable.
 *
 * @param text the address in its usual notation
 * @param forwarded whether a trusted peer named it
 */
record ClientAddress(String text, boolean forwarded) {

    /** No chain of proxies is longer. */
    private static final int MAX_ENTRIES = 32;

    private static final String FORWARDED_FOR = "X-Forwarded-For";

    /**
     * The rightmost address in {@code X-Forwarded-For} that is nobody's whom we trust, if the peer is trusted; an entry that is no address
     * ends the walk at the one to its right.
     */
    static ClientAddress of(InetAddress peer, Headers headers, TrustedProxies trusted) {
        String last = NetUtil.toAddressString(peer);
        if (!trusted.contains(peer)) {
            return new ClientAddress(last, false);
        }
        boolean forwarded = false;
        List<String> lines = headers.all(FORWARDED_FOR);
        int entries = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            int end = line.length();
            while (end >= 0) {
                int comma = line.lastIndexOf(',', end - 1);
                InetAddress address = address(line.substring(comma + 1, end).strip());
                if (address == null || ++entries > MAX_ENTRIES) {
                    return new ClientAddress(last, forwarded);
                }
                last = NetUtil.toAddressString(address);
                forwarded = true;
                if (!trusted.contains(address)) {
                    return new ClientAddress(last, true);
                }
                end = comma;
            }
        }
        return new ClientAddress(last, forwarded);
    }

    /** An address with or without a port, IPv6 in brackets where it has one; null for anything else. */
    private static @Nullable InetAddress address(String entry) {
        String bare = entry;
        if (entry.startsWith("[")) {
            int close = entry.indexOf(']');
            bare = close < 0 ? "" : entry.substring(1, close);
        } else if (entry.indexOf('.') > 0 && entry.indexOf(':') > 0 && entry.indexOf(':') == entry.lastIndexOf(':')) {
            bare = entry.substring(0, entry.indexOf(':'));
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(bare);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + bytes.length + " bytes", e);
        }
    }
}
