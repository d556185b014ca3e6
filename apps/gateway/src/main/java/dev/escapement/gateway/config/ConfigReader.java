package dev.escapement.gateway.config;

import dev.escapement.time.DurationText;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a configuration: its text becomes a {@link GatewayConfig}, or a list of everything that is wrong with it, each with its place.
 *
 * <p>Where the text is no YAML, that is the only fault told, since nothing after it can be trusted; all others are found in one run. Nothing
 * is looked up in the network; files that it names are tried.
 */
public final class ConfigReader {

    private static final int VERSION_DIGITS = 8;

    private final Faults faults;
    private final PemFiles files;
    private final String version;

    private ConfigReader(String fileName, byte[] text) {
        this.faults = new Faults(fileName);
        this.files = new PemFiles(fileName);
        this.version = versionOf(text);
    }

    /**
     * What the text says.
     *
     * @param fileName what messages call it; other files are looked for beside it
     */
    public static ConfigResult read(String fileName, byte[] text) {
        return read(fileName, text, Addresses.OF_TEXT);
    }

    /** The same, where the command line may have said already where to listen. */
    public static ConfigResult read(String fileName, byte[] text, Addresses addresses) {
        return read(fileName, text, addresses, Optional.empty());
    }

    /** The same for a text that is to follow a running one: what can only change with a restart is a fault. */
    public static ConfigResult reread(String fileName, byte[] text, Addresses addresses, GatewayConfig running) {
        return read(fileName, text, addresses, Optional.of(running));
    }

    private static ConfigResult read(
            String fileName, byte[] text, Addresses addresses, Optional<GatewayConfig> running) {
        ConfigReader reader = new ConfigReader(fileName, text);
        Optional<GatewayConfig> read = YamlText.read(text, reader.faults)
                .map(root -> reader.gateway(new Section(root, "", reader.faults), addresses, running));
        List<Fault> faults = reader.faults.faults();
        List<Fault> warnings = reader.faults.warnings();
        return read.isPresent() && faults.isEmpty()
                ? new ConfigResult.Good(read.get(), warnings)
                : new ConfigResult.Bad(faults, warnings);
    }

    /** The first digits of the SHA-256 of a text. */
    static String versionOf(byte[] text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(digest).substring(0, VERSION_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private GatewayConfig gateway(Section root, Addresses addresses, Optional<GatewayConfig> running) {
        String name = root.value("name", Texts.NAME, Defaults.NAME);
        InetSocketAddress listen =
                address(root, "listen", addresses.listen(), Defaults.LISTEN, running.map(GatewayConfig::listen));
        InetSocketAddress admin =
                address(root, "admin", addresses.admin(), Defaults.ADMIN, running.map(GatewayConfig::admin));
        InboundConfig inbound =
                new InboundReader(files).read(root.sectionOrEmpty("inbound"), running.map(GatewayConfig::inbound));
        HeaderConfig headers = headers(root.sectionOrEmpty("headers"));
        TrustedProxies trusted = TrustedProxies.of(root.list("trusted-proxies", Texts.NETWORK));
        Policies policies = Policies.read(root.sectionOrEmpty("policies"), new PolicyReader(version));
        root.missing("upstreams", "a mapping of upstreams by name");
        root.missing("routes", "a list of routes");
        Section upstreamSection = root.sectionOrEmpty("upstreams");
        Map<String, UpstreamConfig> upstreams = upstreams(upstreamSection, new UpstreamReader(policies, files));
        List<RouteConfig> routes =
                new RouteReader(policies, upstreams, upstreamSection.names()).read(root.sections("routes"));
        warnOfUnused(upstreamSection, routes);
        policies.end();
        AccessLogConfig accessLog = accessLog(root.sectionOrEmpty("access-log"));
        ShutdownConfig shutdown = shutdown(root.sectionOrEmpty("shutdown"));
        root.end();
        return new GatewayConfig(
                version,
                name,
                listen,
                admin,
                inbound,
                headers,
                trusted,
                policies.all(),
                upstreams,
                routes,
                accessLog,
                shutdown);
    }

    /** The command line's, or the text's, which must be the one that runs already. */
    private static InetSocketAddress address(
            Section root,
            String key,
            Optional<InetSocketAddress> given,
            InetSocketAddress preset,
            Optional<InetSocketAddress> running) {
        InetSocketAddress read = root.value(key, Texts.ADDRESS, preset);
        InetSocketAddress effective = given.orElse(read);
        if (running.isPresent() && !running.get().equals(effective)) {
            root.fault(
                    key,
                    Shown.quoted(Texts.ADDRESS.write(effective)) + " needs a restart: expected "
                            + Shown.quoted(Texts.ADDRESS.write(running.get())) + ", where it listens");
        }
        return effective;
    }

    private static HeaderConfig headers(Section section) {
        HeaderConfig preset = Defaults.HEADERS;
        HeaderConfig read = new HeaderConfig(
                section.value("via", ValueText.SWITCH, preset.via()),
                section.value("forwarded", ValueText.SWITCH, preset.forwarded()),
                section.value("proxy-status", Texts.PROXY_STATUS, preset.proxyStatus()),
                section.set("underscored", Texts.UNDERSCORED),
                section.value("encoded-slash", Texts.ENCODED_SLASH, preset.keepEncodedSlash()));
        section.end();
        return read;
    }

    private static Map<String, UpstreamConfig> upstreams(Section section, UpstreamReader reader) {
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        section.named(Texts.NAME)
                .forEach((name, one) -> reader.read(name, one).ifPresent(read -> upstreams.put(name, read)));
        return upstreams;
    }

    private static void warnOfUnused(Section upstreams, List<RouteConfig> routes) {
        List<String> unused = new ArrayList<>(upstreams.names());
        routes.forEach(route -> unused.remove(route.upstream()));
        unused.forEach(name -> upstreams.warning(name, "no effect: no route leads to it"));
    }

    private static AccessLogConfig accessLog(Section section) {
        AccessLogConfig preset = Defaults.ACCESS_LOG;
        AccessLogConfig read = new AccessLogConfig(
                section.value("path", Texts.LOG_PATH, preset.path()),
                section.value("format", Texts.LOG_FORMAT, preset.format()),
                section.value("query", ValueText.SWITCH, preset.query()),
                section.set("request-headers", Texts.LOGGED_FIELD),
                section.value("queue", ValueText.count(1, 1_000_000), preset.queue()));
        section.end();
        return read;
    }

    private static ShutdownConfig shutdown(Section section) {
        ShutdownConfig preset = Defaults.SHUTDOWN;
        ValueText<Duration> time = ValueText.duration(Duration.ZERO);
        ShutdownConfig read = new ShutdownConfig(
                section.value("drain-delay", time, preset.drainDelay()), section.value("grace", time, preset.grace()));
        if (read.drainDelay().compareTo(read.grace()) > 0) {
            section.fault(
                    "drain-delay",
                    DurationText.write(read.drainDelay()) + ": expected no more than the "
                            + DurationText.write(read.grace()) + " of grace, of which it is a part");
        }
        section.end();
        return read;
    }
}
