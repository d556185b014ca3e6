package dev.escapement.gateway.config;

import dev.escapement.gateway.config.UpstreamConfig.HostRule;
import dev.escapement.gateway.config.UpstreamConfig.UpstreamTls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A configuration as it is in effect, defaults filled in: written in the words in which it is read, so that {@link ConfigReader} takes it
 * back. Names of key files are told, what stands in them never is. Pure.
 */
public final class EffectiveConfig {

    /** Every default shows itself where there is an upstream and a route. */
    private static final String EXAMPLE = """
            upstreams: {example: {endpoints: ["http://127.0.0.1:9000"]}}
            routes: [{name: example, upstream: example}]
            """;

    private EffectiveConfig() {}

    /**
     * As a tree in the order of the manual: values are {@code String}, lists of them, maps like this one, and for the routes a list of such
     * maps.
     */
    public static Map<String, Object> of(GatewayConfig config) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("name", config.name());
        root.put("listen", Texts.ADDRESS.write(config.listen()));
        root.put("admin", Texts.ADDRESS.write(config.admin()));
        root.put("inbound", inbound(config.inbound()));
        root.put("headers", headers(config.headers()));
        root.put("trusted-proxies", config.trustedProxies().networks());
        root.put("policies", each(config.policies(), PolicyReader::written));
        root.put("upstreams", each(config.upstreams(), EffectiveConfig::upstream));
        root.put("routes", config.routes().stream().map(EffectiveConfig::route).toList());
        root.put("access-log", accessLog(config.accessLog()));
        root.put("shutdown", shutdown(config.shutdown()));
        return root;
    }

    /** The same as YAML. */
    public static String text(GatewayConfig config) {
        return YamlWriter.write(of(config));
    }

    /** Every default, around an upstream and a route that say nothing. */
    public static String defaults() {
        ConfigResult example = ConfigReader.read("example", EXAMPLE.getBytes(StandardCharsets.UTF_8));
        return text(((ConfigResult.Good) example).config());
    }

    private static <T> Map<String, Object> each(Map<String, T> named, Function<T, Map<String, ?>> write) {
        Map<String, Object> written = new LinkedHashMap<>();
        named.forEach((name, one) -> written.put(name, write.apply(one)));
        return written;
    }

    private static Map<String, Object> inbound(InboundConfig inbound) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("head-timeout", InboundReader.TIME.write(inbound.headTimeout()));
        map.put("body-idle-timeout", InboundReader.STANDSTILL.write(inbound.bodyIdleTimeout()));
        map.put("write-idle-timeout", InboundReader.STANDSTILL.write(inbound.writeIdleTimeout()));
        map.put("keep-alive-timeout", InboundReader.TIME.write(inbound.keepAliveTimeout()));
        map.put("max-requests", InboundReader.REQUESTS.write(inbound.maxRequests()));
        map.put("max-age", InboundReader.STANDSTILL.write(inbound.maxAge()));
        map.put("max-head", InboundReader.HEAD_SIZE.write(inbound.maxHeadBytes()));
        map.put("max-fields", Integer.toString(inbound.maxFields()));
        map.put("max-request-line", InboundReader.HEAD_SIZE.write(inbound.maxRequestLineBytes()));
        map.put("max-body", InboundReader.BODY_SIZE.write(inbound.maxBodyBytes()));
        map.put("replay-body", InboundReader.BUFFERED_SIZE.write(inbound.replayBodyBytes()));
        map.put("continue-wait", InboundReader.TIME.write(inbound.continueWait()));
        map.put("max-connections", Integer.toString(inbound.maxConnections()));
        map.put("linger-time", InboundReader.TIME.write(inbound.lingerTime()));
        map.put("linger-size", InboundReader.BUFFERED_SIZE.write(inbound.lingerBytes()));
        map.put("on-client-half-close", InboundReader.HALF_CLOSE.write(inbound.halfClose()));
        inbound.tls().ifPresent(tls -> map.put("tls", identity(tls)));
        return map;
    }

    private static Map<String, Object> identity(InboundTls tls) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("certificate", tls.certificate().toString());
        map.put("key", tls.key().toString());
        return map;
    }

    private static Map<String, Object> headers(HeaderConfig headers) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("via", ValueText.SWITCH.write(headers.via()));
        map.put("forwarded", ValueText.SWITCH.write(headers.forwarded()));
        map.put("proxy-status", Texts.PROXY_STATUS.write(headers.proxyStatus()));
        map.put("underscored", headers.underscored().stream().sorted().toList());
        map.put("encoded-slash", Texts.ENCODED_SLASH.write(headers.keepEncodedSlash()));
        return map;
    }

    private static Map<String, Object> upstream(UpstreamConfig upstream) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(
                "endpoints",
                upstream.endpoints().stream()
                        .map(UpstreamReader.ENDPOINT::write)
                        .toList());
        map.put("policy", upstream.policyName());
        map.put("concurrency", Integer.toString(upstream.concurrency()));
        map.put("queue", Integer.toString(upstream.queue()));
        map.put("connect-timeout", InboundReader.TIME.write(upstream.connectTimeout()));
        map.put("max-connections", Integer.toString(upstream.maxConnections()));
        map.put("idle-timeout", InboundReader.TIME.write(upstream.idleTimeout()));
        HostRule host = upstream.host();
        map.put(
                "host",
                host.literal().isPresent() ? Map.of("literal", host.literal().get()) : UpstreamReader.HOST.write(host));
        upstream.tls().map(EffectiveConfig::tls).ifPresent(tls -> map.put("tls", tls));
        return map;
    }

    private static Map<String, Object> tls(UpstreamTls tls) {
        Map<String, Object> map = new LinkedHashMap<>();
        tls.serverName().ifPresent(name -> map.put("server-name", name));
        tls.trustCertificates().map(Path::toString).ifPresent(file -> map.put("trust", file));
        tls.identity().ifPresent(identity -> map.putAll(identity(identity)));
        return map;
    }

    private static Map<String, Object> route(RouteConfig route) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", route.name());
        map.put("match", match(route));
        map.put("upstream", route.upstream());
        route.policyName().ifPresent(policy -> map.put("policy", policy));
        if (!route.exact()) {
            map.put("strip-prefix", ValueText.SWITCH.write(route.stripPrefix()));
        }
        route.timeout().ifPresent(timeout -> map.put("timeout", InboundReader.TIME.write(timeout)));
        route.maxBodyBytes().ifPresent(bytes -> map.put("max-body", InboundReader.BODY_SIZE.write(bytes)));
        map.put("body-idle-timeout", InboundReader.STANDSTILL.write(route.bodyIdleTimeout()));
        map.put("streams", ValueText.SWITCH.write(route.streams()));
        map.put("trust-idempotency-key", ValueText.SWITCH.write(route.trustsKeys()));
        return map;
    }

    private static Map<String, Object> match(RouteConfig route) {
        Map<String, Object> map = new LinkedHashMap<>();
        route.host().ifPresent(host -> map.put("host", host));
        map.put(route.exact() ? "path" : "prefix", route.path());
        if (!route.methods().isEmpty()) {
            map.put("methods", route.methods().stream().sorted().toList());
        }
        if (!route.headers().isEmpty()) {
            map.put("headers", new TreeMap<>(route.headers()));
        }
        return map;
    }

    private static Map<String, Object> accessLog(AccessLogConfig log) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("path", Texts.LOG_PATH.write(log.path()));
        map.put("format", Texts.LOG_FORMAT.write(log.format()));
        map.put("query", ValueText.SWITCH.write(log.query()));
        map.put("request-headers", log.requestHeaders().stream().sorted().toList());
        map.put("queue", Integer.toString(log.queue()));
        return map;
    }

    private static Map<String, Object> shutdown(ShutdownConfig shutdown) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("drain-delay", InboundReader.TIME.write(shutdown.drainDelay()));
        map.put("grace", InboundReader.TIME.write(shutdown.grace()));
        return map;
    }
}
