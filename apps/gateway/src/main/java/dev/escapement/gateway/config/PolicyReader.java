package dev.escapement.gateway.config;

import dev.escapement.http.Method;
import dev.escapement.policy.PolicyException;
import dev.escapement.policy.PolicyFault;
import dev.escapement.policy.UpstreamSettings;
import dev.escapement.time.MonotonicClock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the entries of {@code policies}: the keys of {@link UpstreamSettings}, three of them by the names that gateways have for them. The
 * library reads the values and tells what is wrong with them. Confined to the thread that reads.
 */
final class PolicyReader {

    /** A gateway's name for a setting, by the library's. */
    private static final Map<String, String> GATEWAY_NAMES =
            Map.of("overall-timeout", "timeout", "max-retries", "retries", "retryable-statuses", "retry-on");

    private static final Map<String, String> LIBRARY_NAMES =
            GATEWAY_NAMES.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    private static final String VERSION = "version";
    private static final String REPORT_DETAIL = "report-detail";

    /** RFC 9110 §9.2.2: a proxy must not repeat these by itself, but for a key that says it may. */
    private static final Set<Method> NEVER_REPEATED = Set.of(Method.POST, Method.PATCH);

    private static final String REPEATED_METHODS = "retryable-methods";

    /** Settings whose value may be a list; the library has them in one text with commas. */
    private static final Set<String> LISTS = Set.of("retry-on", REPEATED_METHODS, "effect-free-statuses");

    private static final Pattern CAMEL = Pattern.compile("([A-Z])");
    private static final ValueText<String> ANY = ValueText.text("a text", text -> true);
    private static final ValueText<String> ELEMENT =
            ValueText.text("a text without commas", text -> text.indexOf(',') < 0 && !text.isEmpty());

    /** What an operator may set, in the order in which it is shown. */
    static final List<String> KEYS = keys();

    private final String version;

    /** @param version of the configuration, which is that of its policies */
    PolicyReader(String version) {
        this.version = version;
    }

    /** All that the library knows, whichever variant of budget and breaker it takes to see it. */
    private static List<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        for (Map<String, String> variant : List.of(
                Map.<String, String>of(),
                Map.of("budget", "none", "breaker", "none"),
                Map.of("breaker-count-window", "100", "breaker-slow-call", "1s"))) {
            Map<String, String> settings = new HashMap<>(Defaults.POLICY_SETTINGS);
            settings.putAll(variant);
            keys.addAll(UpstreamSettings.of(settings).toMap().keySet());
        }
        keys.removeAll(Set.of(VERSION, REPORT_DETAIL));
        return keys.stream().map(key -> GATEWAY_NAMES.getOrDefault(key, key)).toList();
    }

    /** The policy where nobody names one. */
    UpstreamSettings preset() {
        return UpstreamSettings.of(complete(new HashMap<>(Defaults.POLICY_SETTINGS)));
    }

    /** The policy that a section describes; empty if it is none, which the faults are told. */
    Optional<UpstreamSettings> read(Section section) {
        Map<String, String> settings = new HashMap<>();
        for (String key : KEYS) {
            text(section, key).ifPresent(text -> settings.put(LIBRARY_NAMES.getOrDefault(key, key), text));
        }
        GATEWAY_NAMES.forEach((other, here) -> section.notHere(other, "it is called " + Shown.quoted(here) + " here"));
        section.notHere(VERSION, "it is that of the configuration");
        section.notHere(REPORT_DETAIL, "it is always full");
        section.end();
        try {
            UpstreamSettings read = UpstreamSettings.of(complete(settings));
            read.policy().faultsAt(MonotonicClock.system().nanos()).forEach(fault -> tell(section, fault));
            checkMethods(section, read);
            read.policy().advisories().forEach(advice -> section.warning("", advice.message()));
            return Optional.of(read);
        } catch (PolicyException refusal) {
            refusal.faults().forEach(fault -> tell(section, fault));
            return Optional.empty();
        }
    }

    private static Optional<String> text(Section section, String key) {
        return LISTS.contains(key) && section.isList(key)
                ? Optional.of(String.join(",", section.list(key, ELEMENT)))
                : section.optional(key, ANY);
    }

    private Map<String, String> complete(Map<String, String> settings) {
        settings.put(VERSION, version);
        settings.put(REPORT_DETAIL, "full");
        return settings;
    }

    private static void tell(Section section, PolicyFault fault) {
        String setting = CAMEL.matcher(fault.parameter()).replaceAll("-$1").toLowerCase(Locale.ROOT);
        String key = GATEWAY_NAMES.getOrDefault(setting, setting);
        if (fault.kind() == PolicyFault.Kind.MISSING) {
            section.missing(key, fault.range());
        } else {
            section.fault(key, fault.value() + ": expected " + fault.range());
        }
    }

    private static void checkMethods(Section section, UpstreamSettings read) {
        read.policy().retryableMethods().stream()
                .filter(NEVER_REPEATED::contains)
                .sorted(Comparator.comparing(Method::name))
                .forEach(method -> section.fault(
                        REPEATED_METHODS,
                        method.name()
                                + ": expected methods that may be repeated (RFC 9110 §9.2.2); a request that carries a key may,"
                                + " where its route says trust-idempotency-key"));
    }

    /** The settings of a policy by the gateway's names, as they are read back. */
    static Map<String, String> written(UpstreamSettings settings) {
        Map<String, String> written = new LinkedHashMap<>();
        settings.toMap().forEach((key, text) -> written.put(GATEWAY_NAMES.getOrDefault(key, key), text));
        written.keySet().removeAll(Set.of(VERSION, REPORT_DETAIL));
        return written;
    }
}
