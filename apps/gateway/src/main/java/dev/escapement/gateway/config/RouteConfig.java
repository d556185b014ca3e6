package dev.escapement.gateway.config;

import dev.escapement.policy.Policy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One route: which requests it takes, and where they go. Immutable.
 *
 * @param host in lower case, without port and trailing dot; {@code *.example.com} for every name below; empty: any
 * @param path normalised; with {@code exact} the whole path, else a prefix of whole segments; {@code /} as a prefix: any
 * @param methods empty: any
 * @param headers names in lower case, each with the value that the field must have, its lines joined by {@code ", "} (RFC 9110 §5.3); empty: any
 * @param policyName and {@code policy}: of its calls, instead of the upstream's
 * @param stripPrefix whether the prefix is taken off the path that is sent on
 * @param timeout of a call, never above its policy's; the policy's if empty
 * @param maxBodyBytes the inbound limit if empty
 * @param bodyIdleTimeout how long the answer's body may stand still
 * @param streams whether the call's deadline ends with the answer's head: for downloads and event streams
 * @param trustsKeys whether a client's {@code Idempotency-Key} makes repeating its request safe (R1, I5)
 */
public record RouteConfig(
        String name,
        Optional<String> host,
        String path,
        boolean exact,
        Set<String> methods,
        Map<String, String> headers,
        String upstream,
        Optional<String> policyName,
        Optional<Policy> policy,
        boolean stripPrefix,
        Optional<Duration> timeout,
        OptionalLong maxBodyBytes,
        Duration bodyIdleTimeout,
        boolean streams,
        boolean trustsKeys) {

    public RouteConfig {
        methods = Set.copyOf(methods);
        headers = Map.copyOf(headers);
    }
}
