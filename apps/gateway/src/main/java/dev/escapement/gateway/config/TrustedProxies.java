package dev.escapement.gateway.config;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The networks whose word about a client's address is taken. Immutable; by default there are none. */
public final class TrustedProxies {

    /** None. */
    public static final TrustedProxies NOBODY = new TrustedProxies(List.of());

    /** As they were written. */
    private final List<String> texts;

    private final List<IpSubnetFilterRule> networks;

    private TrustedProxies(List<String> texts) {
        this.texts = List.copyOf(texts);
        this.networks = texts.stream()
                .map(network -> new IpSubnetFilterRule(network, IpFilterRuleType.ACCEPT))
                .toList();
    }

    /**
     * These networks.
     *
     * @param networks in CIDR notation, like {@code 10.0.0.0/8} or {@code fd00::/8}
     * @throws IllegalArgumentException for the first one that is none
     */
    public static TrustedProxies of(List<String> networks) {
        return new TrustedProxies(networks);
    }

    /** Whether that address is in one of them. */
    public boolean contains(InetAddress address) {
        InetSocketAddress socket = new InetSocketAddress(address, 0);
        for (IpSubnetFilterRule network : networks) {
            if (network.matches(socket)) {
                return true;
            }
        }
        return false;
    }

    /** In CIDR notation. */
    public List<String> networks() {
        return texts;
    }

    @Override
    public String toString() {
        return texts.toString();
    }
}
