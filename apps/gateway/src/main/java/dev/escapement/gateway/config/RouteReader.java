package dev.escapement.gateway.config;

import dev.escapement.policy.Policy;
import dev.escapement.policy.UpstreamSettings;
import dev.escapement.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads {@code routes}. Confined to the thread that reads. */
final class RouteReader {

    /**
     * One route and where it stands.
     *
     * @param sound whether nothing is wrong with it by itself
     */
    record Placed(RouteConfig route, Section section, boolean sound) {}

    private final Policies policies;
    private final Map<String, UpstreamConfig> upstreams;

    /** Those, and the ones that are written badly. */
    private final Set<String> upstreamNames;

    private final List<Placed> routes = new ArrayList<>();

    RouteReader(Policies policies, Map<String, UpstreamConfig> upstreams, Set<String> upstreamNames) {
        this.policies = policies;
        this.upstreams = upstreams;
        this.upstreamNames = upstreamNames;
    }

    /** The routes that these sections describe, as far as they are any. */
    List<RouteConfig> read(List<Section> sections) {
        sections.forEach(this::read);
        new RouteConflicts(routes).tell();
        return routes.stream().map(Placed::route).toList();
    }

    private void read(Section section) {
        int faultsBefore = section.faultCount();
        Optional<String> name = section.required("name", Texts.NAME);
        Matched match = match(section.sectionOrEmpty("match"));
        Optional<String> upstream = upstream(section);
        Optional<String> policyName = section.optional("policy", Texts.NAME);
        Optional<Policy> policy =
                policyName.flatMap(named -> policies.ofRoute(named, section)).map(UpstreamSettings::policy);
        boolean stripPrefix = section.value("strip-prefix", ValueText.SWITCH, false);
        if (stripPrefix && match.exact()) {
            section.fault("strip-prefix", "no effect on a route that matches a whole path: expected one with prefix");
        }
        Optional<Duration> timeout = section.optional("timeout", InboundReader.TIME);
        checkTimeout(section, timeout, policyName.isPresent() ? policy : upstreamPolicy(upstream));
        Optional<Long> maxBody = section.optional("max-body", InboundReader.BODY_SIZE);
        Duration bodyIdle = section.value("body-idle-timeout", InboundReader.STANDSTILL, Defaults.BODY_IDLE_TIMEOUT);
        boolean streams = section.value("streams", ValueText.SWITCH, false);
        boolean trustsKeys = section.value("trust-idempotency-key", ValueText.SWITCH, false);
        section.end();
        RouteConfig route = new RouteConfig(
                name.orElse(""),
                match.host(),
                match.path(),
                match.exact(),
                match.methods(),
                match.headers(),
                upstream.orElse(""),
                policyName,
                policy,
                stripPrefix,
                timeout,
                maxBody.isPresent() ? OptionalLong.of(maxBody.get()) : OptionalLong.empty(),
                bodyIdle,
                streams,
                trustsKeys);
        routes.add(new Placed(route, section, section.faultCount() == faultsBefore));
    }

    private record Matched(
            Optional<String> host, String path, boolean exact, Set<String> methods, Map<String, String> headers) {}

    private static Matched match(Section section) {
        Optional<String> host = section.optional("host", Texts.HOST_PATTERN);
        Optional<String> path = section.optional("path", Texts.PATH_TEXT);
        Optional<String> prefix = section.optional("prefix", Texts.PATH_TEXT);
        if (section.has("path") && section.has("prefix")) {
            section.fault("prefix", "beside path: expected one of them");
        }
        Set<String> methods = section.set("methods", Texts.METHOD);
        Map<String, String> headers = headers(section.sectionOrEmpty("headers"));
        section.end();
        boolean exact = section.has("path");
        return new Matched(
                host, path.or(() -> prefix.map(RouteReader::withoutLastSlash)).orElse("/"), exact, methods, headers);
    }

    /** A prefix ends with a segment, so that {@code /a/} means the same as {@code /a}. */
    private static String withoutLastSlash(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    private static Map<String, String> headers(Section section) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String key : section.names()) {
            Optional<String> name = section.name(key, Texts.FIELD);
            Optional<String> value = section.optional(key, Texts.FIELD_VALUE);
            if (name.isPresent() && value.isPresent() && headers.put(name.get(), value.get()) != null) {
                section.fault(key, "a second time, in another case: expected each field once");
            }
        }
        return headers;
    }

    private Optional<String> upstream(Section section) {
        Optional<String> name = section.required("upstream", Texts.NAME);
        if (name.isPresent() && !upstreamNames.contains(name.get())) {
            section.fault(
                    "upstream",
                    "no upstream " + Shown.quoted(name.get()) + Nearest.question(name.get(), upstreamNames));
        }
        return name;
    }

    private Optional<Policy> upstreamPolicy(Optional<String> upstream) {
        return upstream.flatMap(name -> Optional.ofNullable(upstreams.get(name)))
                .map(found -> found.settings().policy());
    }

    private static void checkTimeout(Section section, Optional<Duration> timeout, Optional<Policy> policy) {
        if (timeout.isEmpty() || policy.isEmpty()) {
            return;
        }
        Duration most = Duration.ofNanos(policy.get().overallTimeoutNanos());
        if (timeout.get().compareTo(most) > 0) {
            section.fault(
                    "timeout",
                    DurationText.write(timeout.get()) + ": expected no more than the " + DurationText.write(most)
                            + " of its policy");
        }
    }
}
