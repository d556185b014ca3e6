package dev.escapement.gateway.config;

import java.util.Set;

/**
 * What is said in header fields beside what is relayed. Immutable.
 *
 * @param via whether requests are sent with {@code Via} (RFC 9110 §7.6.3)
 * @param forwarded whether {@code Forwarded} (RFC 7239) is sent instead of {@code X-Forwarded-*}
 * @param proxyStatus what is told of our own errors and refused retries (RFC 9209)
 * @param underscored names with an underscore that are let through, in lower case; all others are dropped
 * @param keepEncodedSlash whether {@code %2F} in a path is passed on as it is; refused if not
 */
public record HeaderConfig(
        boolean via, boolean forwarded, ProxyStatus proxyStatus, Set<String> underscored, boolean keepEncodedSlash) {

    public HeaderConfig {
        underscored = Set.copyOf(underscored);
    }

    /** How much {@code Proxy-Status} tells. */
    public enum ProxyStatus {
        OFF,
        /** The upstream by its name. */
        ON,
        /** And the endpoint's address. */
        FULL
    }
}
