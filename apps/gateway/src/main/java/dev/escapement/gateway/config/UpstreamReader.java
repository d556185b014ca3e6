package dev.escapement.gateway.config;

import dev.escapement.gateway.config.UpstreamConfig.HostRule;
import dev.escapement.gateway.config.UpstreamConfig.UpstreamTls;
import dev.escapement.permit.PermitPool;
import dev.escapement.policy.UpstreamSettings;
import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads the entries of {@code upstreams}. Confined to the thread that reads. */
final class UpstreamReader {

    private static final int MANY = 1_000_000;
    static final ValueText<Integer> PERMITS = ValueText.count(1, Math.min(PermitPool.MAX_PERMITS, MANY));
    static final ValueText<Integer> WAITING = ValueText.count(0, Math.min(PermitPool.MAX_WAITING, MANY));

    static final ValueText<Endpoint> ENDPOINT = new ValueText<>(
            "http or https, a host and a port if any, like http://10.0.0.7:8080, and nothing more",
            UpstreamReader::endpoint,
            Endpoint::toString);

    private static final HostRule OF_UPSTREAM = new HostRule(HostRule.Kind.UPSTREAM, Optional.empty());

    /** What is no mapping with a literal. */
    static final ValueText<HostRule> HOST = ValueText.words(Map.of("preserve", Defaults.HOST, "upstream", OF_UPSTREAM));

    private final Policies policies;
    private final PemFiles files;

    UpstreamReader(Policies policies, PemFiles files) {
        this.policies = policies;
        this.files = files;
    }

    /** The upstream that a section describes; empty if its endpoints or its policy are none, which the faults are told. */
    Optional<UpstreamConfig> read(String name, Section section) {
        List<Endpoint> endpoints = endpoints(section);
        String policyName = section.value("policy", Texts.NAME, Defaults.POLICY);
        Optional<UpstreamSettings> settings = policies.ofUpstream(policyName, section);
        int concurrency = section.value("concurrency", PERMITS, Defaults.CONCURRENCY);
        int queue = section.value("queue", WAITING, Defaults.QUEUE);
        Duration connectTimeout = section.value("connect-timeout", InboundReader.TIME, Defaults.CONNECT_TIMEOUT);
        int maxConnections = section.value("max-connections", PERMITS, Defaults.MAX_CONNECTIONS);
        Duration idleTimeout = section.value("idle-timeout", InboundReader.TIME, Defaults.IDLE_TIMEOUT);
        HostRule host = host(section, endpoints);
        Optional<UpstreamTls> tls = tls(section, endpoints);
        section.end();
        return endpoints.isEmpty()
                ? Optional.empty()
                : settings.map(found -> new UpstreamConfig(
                        name,
                        endpoints,
                        policyName,
                        found,
                        concurrency,
                        queue,
                        connectTimeout,
                        maxConnections,
                        idleTimeout,
                        host,
                        tls));
    }

    private static List<Endpoint> endpoints(Section section) {
        section.missing("endpoints", "a list of URLs");
        int faultsBefore = section.faultCount();
        Set<Endpoint> endpoints = section.set("endpoints", ENDPOINT);
        if (endpoints.isEmpty() && section.has("endpoints") && section.faultCount() == faultsBefore) {
            section.fault("endpoints", "an empty list: expected at least one URL");
        }
        if (endpoints.stream().map(Endpoint::secure).distinct().count() > 1) {
            section.fault("endpoints", "http and https in one upstream: expected one of them");
        }
        return List.copyOf(endpoints);
    }

    /** Without user-info, which is a secret, and without a path, which nobody would add to the request's. */
    private static Optional<Endpoint> endpoint(String text) {
        try {
            URI uri = new URI(text);
            boolean bare = uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
            return bare ? Optional.of(Endpoint.of(uri)) : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static HostRule host(Section section, List<Endpoint> endpoints) {
        if (section.isMapping("host")) {
            Section mapping = section.sectionOrEmpty("host");
            Optional<String> literal = mapping.required("literal", Texts.AUTHORITY);
            mapping.end();
            return new HostRule(HostRule.Kind.LITERAL, literal);
        }
        HostRule rule = section.value("host", HOST, Defaults.HOST);
        if (rule.kind() == HostRule.Kind.UPSTREAM && hosts(endpoints).size() > 1) {
            section.fault(
                    "host",
                    "\"upstream\" with endpoints of several hosts (" + String.join(", ", hosts(endpoints))
                            + "): expected one host, or a mapping with literal");
        }
        return rule;
    }

    private static Set<String> hosts(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::host).collect(Collectors.toCollection(TreeSet::new));
    }

    private Optional<UpstreamTls> tls(Section section, List<Endpoint> endpoints) {
        boolean secure = endpoints.stream().anyMatch(Endpoint::secure);
        boolean given = section.has("tls");
        if (given && !secure && !endpoints.isEmpty()) {
            section.fault("tls", "no effect on http endpoints: expected https ones");
        }
        Section tls = section.sectionOrEmpty("tls");
        Optional<String> serverName = tls.optional("server-name", Texts.SERVER_NAME);
        Optional<Path> trust = files.trust(tls);
        Optional<InboundTls> identity =
                tls.has("certificate") || tls.has("key") ? files.identity(tls) : Optional.empty();
        tls.end();
        if (secure && !tls.has("server-name") && hosts(endpoints).size() > 1) {
            section.fault(
                    given ? "tls" : "endpoints",
                    "https endpoints of several hosts (" + String.join(", ", hosts(endpoints))
                            + "): expected one host, or tls with the server-name that all their certificates have");
        }
        return secure ? Optional.of(new UpstreamTls(serverName, trust, identity)) : Optional.empty();
    }
}
