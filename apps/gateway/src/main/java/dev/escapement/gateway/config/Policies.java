package dev.escapement.gateway.config;

import dev.escapement.policy.UpstreamSettings;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The policies of one configuration by name, and who uses them. One that is written badly has a name nevertheless, so that those who use it
 * are not at fault. Confined to the thread that reads.
 */
final class Policies {

    private final Map<String, UpstreamSettings> good = new LinkedHashMap<>();
    private final Map<String, Section> written;
    private final Set<String> ofUpstreams = new HashSet<>();
    private final Set<String> ofRoutes = new HashSet<>();

    private Policies(Map<String, Section> written) {
        this.written = written;
    }

    /** @param section the whole of {@code policies} */
    static Policies read(Section section, PolicyReader reader) {
        Policies policies = new Policies(section.named(Texts.NAME));
        policies.written.forEach(
                (name, one) -> reader.read(one).ifPresent(settings -> policies.good.put(name, settings)));
        if (!policies.written.containsKey(Defaults.POLICY)) {
            policies.good.put(Defaults.POLICY, reader.preset());
        }
        return policies;
    }

    Optional<UpstreamSettings> ofUpstream(String name, Section user) {
        ofUpstreams.add(name);
        return named(name, user);
    }

    Optional<UpstreamSettings> ofRoute(String name, Section user) {
        ofRoutes.add(name);
        return named(name, user);
    }

    private Optional<UpstreamSettings> named(String name, Section user) {
        if (!written.containsKey(name) && !good.containsKey(name)) {
            Set<String> known = new HashSet<>(written.keySet());
            known.add(Defaults.POLICY);
            user.fault("policy", "no policy " + Shown.quoted(name) + Nearest.question(name, known));
        }
        return Optional.ofNullable(good.get(name));
    }

    /** Warns of what has no effect, when everybody has named the policies that he uses. */
    void end() {
        written.forEach((name, section) -> {
            if (ofUpstreams.contains(name)) {
                return;
            }
            if (ofRoutes.contains(name)) {
                section.names().stream()
                        .filter(key -> key.startsWith("breaker"))
                        .forEach(key -> section.warning(
                                key, "no effect: breakers are the upstream's, and no upstream has this policy"));
            } else {
                section.warning("", "no effect: nobody has this policy");
            }
        });
    }

    /** By name, the built-in one among them where it is used or nothing else is written. */
    Map<String, UpstreamSettings> all() {
        return good;
    }
}
