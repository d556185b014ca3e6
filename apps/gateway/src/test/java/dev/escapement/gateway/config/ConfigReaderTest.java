package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.ConfigResult.Bad;
import dev.escapement.gateway.config.ConfigResult.Good;
import dev.escapement.http.Method;
import dev.escapement.report.ReportDetail;
import dev.escapement.transport.Endpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a text says, and every way in which it says nothing. */
class ConfigReaderTest {

    private static final String FILE = "gateway.yaml";

    /** A configuration to which tests add what they are about. */
    private static final String MINIMAL = """
            upstreams:
              billing:
                endpoints: http://127.0.0.1:9000
            routes:
              - name: all
                upstream: billing
            """;

    private static GatewayConfig good(String text) {
        ConfigResult read = ConfigReader.read(FILE, text.getBytes(StandardCharsets.UTF_8));
        assertThat(read).isInstanceOf(Good.class);
        return ((Good) read).config();
    }

    private static List<String> faults(String text) {
        ConfigResult read = ConfigReader.read(FILE, text.getBytes(StandardCharsets.UTF_8));
        assertThat(read).isInstanceOf(Bad.class);
        return ((Bad) read).faults().stream().map(Fault::toString).toList();
    }

    private static List<String> warnings(String text) {
        return ConfigReader.read(FILE, text.getBytes(StandardCharsets.UTF_8)).warnings().stream()
                .map(Fault::toString)
                .toList();
    }

    @Test
    @DisplayName("Defaults fill in whatever a configuration does not say")
    void aMinimalConfigurationHasTheDefaults() {
        GatewayConfig config = good(MINIMAL);

        assertThat(config.inbound()).isEqualTo(Defaults.INBOUND);
        assertThat(config.headers()).isEqualTo(Defaults.HEADERS);
        assertThat(config.listen()).isEqualTo(Defaults.LISTEN);
        UpstreamConfig upstream = config.upstreams().get("billing");
        assertThat(upstream.endpoints()).containsExactly(Endpoint.of("http://127.0.0.1:9000"));
        assertThat(upstream.settings().policy().overallTimeoutNanos()).isEqualTo(2_000_000_000L);
        assertThat(upstream.settings().policy().attemptTimeoutNanos()).isEqualTo(800_000_000L);
        assertThat(upstream.settings().policy().maxRetries()).isEqualTo(1);
        assertThat(config.routes()).hasSize(1);
        assertThat(config.routes().get(0).path()).isEqualTo("/");
    }

    @Test
    @DisplayName("P1: policies carry the version of the configuration, and tell all that reports can hold")
    void policiesCarryTheVersionOfTheText() {
        GatewayConfig config = good(MINIMAL);

        assertThat(config.version()).matches("[0-9a-f]{8}");
        assertThat(config.upstreams().get("billing").settings().policy().version())
                .isEqualTo(config.version());
        assertThat(config.upstreams().get("billing").settings().policy().reportDetail())
                .isEqualTo(ReportDetail.FULL);
        assertThat(good(MINIMAL + "# more\n").version()).isNotEqualTo(config.version());
    }

    @Test
    @DisplayName("RFC 9110 §9.2.2: by default no POST is repeated, and none can be made to be")
    void anUnkeyedPostIsNeverRepeated() {
        Set<Method> methods =
                good(MINIMAL).upstreams().get("billing").settings().policy().retryableMethods();

        assertThat(methods).doesNotContain(Method.POST, Method.PATCH).contains(Method.GET, Method.PUT);
        assertThat(faults(MINIMAL + "policies: {default: {timeout: 1s, retryable-methods: [GET, POST]}}"))
                .singleElement()
                .asString()
                .startsWith(
                        "gateway.yaml:7:54: policies.default.retryable-methods: POST: expected methods that may be repeated");
    }

    @Test
    @DisplayName("Every fault is told in one run, with file, line, column, path, value and what is allowed")
    void allFaultsAreToldAtOnce() {
        List<String> faults = faults("""
                listen: nowhere
                inbond: {}
                inbound:
                  head-timeout: 10
                  max-head: 32K
                policies:
                  reads: {timeout: 1s, retries: 40, attempt-timout: 200ms}
                upstreams:
                  billing:
                    endpoints: [http://127.0.0.1:9000]
                    policy: reeds
                routes:
                  - name: all
                    upstream: biling
                """);

        assertThat(faults)
                .containsExactly(
                        "gateway.yaml:1:9: listen: \"nowhere\": expected HOST:PORT, where HOST is an IP address, localhost or * for"
                                + " all of them",
                        "gateway.yaml:2:1: inbond: unknown key; did you mean \"inbound\"?",
                        "gateway.yaml:4:17: inbound.head-timeout: \"10\": expected the like of 250ms, 1.5s, 2m or PT0.25S, at"
                                + " least 1ms",
                        "gateway.yaml:5:13: inbound.max-head: \"32K\": expected the like of 512B, 64KiB, 8MiB or 1GiB, 1KiB to 1MiB",
                        "gateway.yaml:7:33: policies.reads.retries: 40: expected 0 to 31",
                        "gateway.yaml:7:37: policies.reads.attempt-timout: unknown key; did you mean \"attempt-timeout\"?",
                        "gateway.yaml:11:13: upstreams.billing.policy: no policy \"reeds\"; did you mean \"reads\"?",
                        "gateway.yaml:14:15: routes[0].upstream: no upstream \"biling\"; did you mean \"billing\"?");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("What makes YAML mean something else than it seems to is refused, with its place")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            listen: [1, 2                      | gateway.yaml:2:1: not YAML: while parsing a flow sequence: expected ',' or ']', but got <stream end>
            name: a↵name: b                   | gateway.yaml:2:1: name: a second time: expected each key once
            name: &a b                         | gateway.yaml:1:7: name: anchor &a: expected none
            name: *a                           | gateway.yaml:1:7: name: alias *a: expected the value itself
            name: !!str a                      | gateway.yaml:1:7: name: tag tag:yaml.org,2002:str: expected none
            name: a↵---↵name: b              | gateway.yaml:2:1: a second document: expected one
            name:⇥a                           | gateway.yaml:1:6: a tab: expected blanks, or \\t within double quotes
            ? [a]↵: b                         | gateway.yaml:1:3: a list as a key: expected a text
            ? {a: b}↵: b                      | gateway.yaml:1:3: a mapping as a key: expected a text
            name:                              | gateway.yaml:1:6: name: nothing: expected a name of letters, digits, '.', '_' and '-', 64 at most
            name: [a]                          | gateway.yaml:1:7: name: a list: expected a name of letters, digits, '.', '_' and '-', 64 at most
            name: {a: b}                       | gateway.yaml:1:7: name: a mapping: expected a name of letters, digits, '.', '_' and '-', 64 at most
            inbound: 7                         | gateway.yaml:1:10: inbound: a text: expected a mapping
            <<: {name: a}                      | gateway.yaml:1:1: <<: unknown key
            headers: {via: no}                 | gateway.yaml:1:16: headers.via: "no": expected false or true
            headers: {via: on}                 | gateway.yaml:1:16: headers.via: "on": expected false or true
            inbound: {max-fields: 1e3}         | gateway.yaml:1:23: inbound.max-fields: "1e3": expected a whole number, 1 to 10000
            inbound: {max-fields: 010}         | gateway.yaml:1:23: inbound.max-fields: "010": expected a whole number, 1 to 10000
            inbound: {max-fields: 1_000}       | gateway.yaml:1:23: inbound.max-fields: "1_000": expected a whole number, 1 to 10000
            inbound: {max-body: 0}             | gateway.yaml:1:21: inbound.max-body: "0": expected the like of 512B, 64KiB, 8MiB or 1GiB, 0B to 1024GiB, or unlimited
            inbound: {max-body: 64kib}         | gateway.yaml:1:21: inbound.max-body: "64kib": expected the like of 512B, 64KiB, 8MiB or 1GiB, 0B to 1024GiB, or unlimited
            inbound: {keep-alive-timeout: 75}  | gateway.yaml:1:31: inbound.keep-alive-timeout: "75": expected the like of 250ms, 1.5s, 2m or PT0.25S, at least 1ms
            inbound: {head-timeout: 0s}        | gateway.yaml:1:25: inbound.head-timeout: "0s": expected the like of 250ms, 1.5s, 2m or PT0.25S, at least 1ms
            inbound: {head-timeout: PT-1S}     | gateway.yaml:1:25: inbound.head-timeout: "PT-1S": expected the like of 250ms, 1.5s, 2m or PT0.25S, at least 1ms
            inbound: {keep-alive-timeout: 75 s}| gateway.yaml:1:31: inbound.keep-alive-timeout: "75 s": expected the like of 250ms, 1.5s, 2m or PT0.25S, at least 1ms
            """)
    void whatIsAmbiguousIsRefused(String text, String fault) {
        assertThat(faults(text.replace("↵", "\n").replace("⇥", "\t") + "\n"))
                .anySatisfy(told -> assertThat(told).startsWith(fault));
    }

    @Test
    @DisplayName("A list that holds itself nine times over is not unfolded")
    void anAliasBombIsRefusedAtItsFirstAnchor() {
        StringBuilder bomb = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x]\n");
        for (char c = 'b'; c <= 'z'; c++) {
            String before = "*" + (char) (c - 1);
            bomb.append(c)
                    .append(": &")
                    .append(c)
                    .append(" [")
                    .append((before + ", ").repeat(8))
                    .append(before)
                    .append("]\n");
        }

        assertThat(faults(bomb.toString())).contains("gateway.yaml:1:4: a: anchor &a: expected none");
    }

    @Test
    @DisplayName("Nesting without end is passed over, not followed")
    void deepNestingIsRefused() {
        String deep = "name: " + "[".repeat(100_000) + "]".repeat(100_000) + "\n";

        assertThat(faults(deep)).anyMatch(fault -> fault.contains("more than 32 levels within one another"));
    }

    @Test
    @DisplayName("Bytes that are no UTF-8, and no bytes, are no configuration")
    void whatIsNoTextIsRefused() {
        assertThat(((Bad) ConfigReader.read(FILE, new byte[] {'a', (byte) 0xC3})).faults())
                .extracting(Fault::toString)
                .containsExactly("gateway.yaml:1:1: bytes that are no text: expected UTF-8");
        assertThat(faults("")).containsExactly("gateway.yaml:1:1: nothing: expected a mapping");
        assertThat(faults("# nothing\n")).containsExactly("gateway.yaml:1:1: nothing: expected a mapping");
        assertThat(faults("- a\n")).containsExactly("gateway.yaml:1:1: a list: expected a mapping");
        assertThat(faults("a\u0001: b\n"))
                .containsExactly("gateway.yaml:1:2: character U+0001: expected printable text");
    }

    @Test
    @DisplayName("0 and unlimited are two things, each said in full")
    void zeroIsNotUnlimited() {
        GatewayConfig none = good(MINIMAL + "inbound: {max-body: 0B, linger-time: 0s}\n");
        GatewayConfig all =
                good(MINIMAL + "inbound: {max-body: unlimited, max-age: unlimited, max-requests: unlimited}\n");

        assertThat(none.inbound().maxBodyBytes()).isZero();
        assertThat(none.inbound().lingerTime()).isZero();
        assertThat(all.inbound().maxBodyBytes()).isEqualTo(Defaults.UNLIMITED_BYTES);
        assertThat(all.inbound().maxAge()).isEqualTo(Defaults.UNLIMITED_TIME);
        assertThat(all.inbound().maxRequests()).isEqualTo(Defaults.UNLIMITED_COUNT);
        assertThat(faults(MINIMAL + "inbound: {head-timeout: unlimited}\n")).hasSize(1);
    }

    @Test
    @DisplayName("Three settings of a policy have a gateway's names, and no others")
    void policiesSpeakTheGatewaysNames() {
        GatewayConfig config = good(
                MINIMAL
                        + "policies: {default: {timeout: 3s, retries: 2, retry-on: [502, 503], budget-ratio: 0.5, breaker: none}}\n");

        var policy = config.upstreams().get("billing").settings().policy();
        assertThat(policy.overallTimeoutNanos()).isEqualTo(3_000_000_000L);
        assertThat(policy.maxRetries()).isEqualTo(2);
        assertThat(policy.retriesStatus(502)).isTrue();
        assertThat(policy.retriesStatus(504)).isFalse();
        assertThat(config.upstreams().get("billing").settings().breaker().isNone())
                .isTrue();
        assertThat(
                        faults(
                                MINIMAL
                                        + "policies: {default: {overall-timeout: 3s, max-retries: 1, version: x, report-detail: basic}}\n"))
                .containsExactly(
                        "gateway.yaml:7:21: policies.default: no \"timeout\": expected the like of 250ms, 1.5s, 2m or PT0.25S",
                        "gateway.yaml:7:22: policies.default.overall-timeout: unknown key; it is called \"timeout\" here",
                        "gateway.yaml:7:43: policies.default.max-retries: unknown key; it is called \"retries\" here",
                        "gateway.yaml:7:59: policies.default.version: unknown key; it is that of the configuration",
                        "gateway.yaml:7:71: policies.default.report-detail: unknown key; it is always full");
    }

    @Test
    @DisplayName("P5: what a policy may not have meant is a warning in the same form, as is what has no effect")
    void advisoriesAreWarnings() {
        List<String> warnings = warnings("""
                policies:
                  slow: {timeout: 1s, attempt-timeout: 1s, attempt-fit: whole}
                  spare: {timeout: 1s}
                  routed: {timeout: 1s, breaker-trials: 2}
                upstreams:
                  billing: {endpoints: http://127.0.0.1:9000, policy: slow}
                  unused: {endpoints: http://127.0.0.1:9000, policy: slow}
                routes:
                  - {name: all, upstream: billing, policy: routed}
                """);

        assertThat(warnings).hasSize(4);
        assertThat(warnings.get(0)).startsWith("gateway.yaml:2:9: policies.slow: none of the 1 retries can fit");
        assertThat(warnings.get(1)).isEqualTo("gateway.yaml:3:10: policies.spare: no effect: nobody has this policy");
        assertThat(warnings.get(2))
                .isEqualTo(
                        "gateway.yaml:4:41: policies.routed.breaker-trials: no effect: breakers are the upstream's, and no"
                                + " upstream has this policy");
        assertThat(warnings.get(3)).isEqualTo("gateway.yaml:7:11: upstreams.unused: no effect: no route leads to it");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("An endpoint is scheme, host and port; what else stands in a URL is refused, secrets unseen")
    @ValueSource(
            strings = {
                "http://user:hunter2@h",
                "https://hunter2@h:1/",
                "http://h/path",
                "http://h?key=hunter2",
                "http://h#hunter2",
                "ftp://h",
                "//h",
                "h:80",
                "http://:80",
                "http://h:0",
                "http://h:65536",
                "http://a b",
            })
    void anEndpointIsAnOriginAlone(String url) {
        List<String> faults = faults("""
                upstreams:
                  billing:
                    endpoints: ["%s"]
                routes:
                  - {name: all, upstream: billing}
                """.formatted(url));

        assertThat(faults).singleElement().asString().startsWith("gateway.yaml:3:17: upstreams.billing.endpoints[0]: ");
        assertThat(faults.get(0)).contains("expected http or https, a host").doesNotContain("hunter2@", "key=hunter2");
    }

    @Test
    @DisplayName("Several https endpoints need one name to verify, several hosts need one name to send")
    void namesMustBeOne() {
        String two = "upstreams: {u: {endpoints: [https://a:1, https://b:1]%s}}\nroutes: [{name: r, upstream: u}]\n";

        assertThat(faults(two.formatted("")))
                .containsExactly(
                        "gateway.yaml:1:28: upstreams.u.endpoints: https endpoints of several hosts (a, b): expected one"
                                + " host, or tls with the server-name that all their certificates have");
        assertThat(faults(two.formatted(", tls: {server-name: n}, host: upstream")))
                .containsExactly(
                        "gateway.yaml:1:85: upstreams.u.host: \"upstream\" with endpoints of several hosts (a, b): expected"
                                + " one host, or a mapping with literal");
        UpstreamConfig upstream = good(two.formatted(", tls: {server-name: n}, host: {literal: \"B.example:81\"}"))
                .upstreams()
                .get("u");
        assertThat(upstream.tls().orElseThrow().serverName()).contains("n");
        assertThat(upstream.host().literal()).contains("b.example:81");
        assertThat(faults(two.formatted("").replace("https://b", "http://b")))
                .anyMatch(fault -> fault.contains("http and https"));
        assertThat(faults(two.formatted(", tls: {}").replace("https", "http")))
                .singleElement()
                .asString()
                .contains("tls: no effect on http endpoints");
    }

    @Test
    @DisplayName("A route's timeout lies within its policy's, its own or its upstream's")
    void aRoutesTimeoutLiesWithinItsPolicys() {
        String text = """
                policies: {long: {timeout: 5s}}
                upstreams: {u: {endpoints: http://h}}
                routes: [{name: r, upstream: u, timeout: 3s%s}]
                """;

        assertThat(faults(text.formatted("")))
                .containsExactly(
                        "gateway.yaml:3:42: routes[0].timeout: 3s: expected no more than the 2s of its policy");
        assertThat(good(text.formatted(", policy: long")).routes().get(0).timeout())
                .contains(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("Two routes that some request matches equally well are an error that names both")
    void routesThatTieAreRefused() {
        String text = """
                upstreams: {u: {endpoints: http://h}}
                routes:
                  - {name: a, upstream: u, match: {prefix: /x/, headers: {k: "1"}}}
                  - {name: b, upstream: u, match: {prefix: /x, headers: {K: "%s"}}}
                  - {name: c, upstream: u, match: {prefix: /x, methods: [%s]}}
                  - {name: d, upstream: u, match: {prefix: /x, methods: [GET, PUT]}}
                """;

        assertThat(faults(text.formatted("1", "GET")))
                .containsExactly(
                        "gateway.yaml:4:35: routes[1].match: ties with routes[0]: \"b\" and \"a\" are equally specific, and some"
                                + " requests match both",
                        "gateway.yaml:6:35: routes[3].match: ties with routes[2]: \"d\" and \"c\" are equally specific, and some"
                                + " requests match both");
        assertThat(good(text.formatted("2", "POST")).routes()).hasSize(4);
        assertThat(faults(text.formatted("2", "POST").replace("name: d", "name: c")))
                .containsExactly("gateway.yaml:6:12: routes[3].name: \"c\" is also the name of routes[2]");
    }

    @Test
    @DisplayName("P6: more policies than an upstream's client has classes are an error")
    void tooManyPoliciesOfOneUpstreamAreRefused() {
        StringBuilder policies = new StringBuilder("policies:\n");
        StringBuilder routes = new StringBuilder("routes:\n");
        for (int i = 1; i <= 16; i++) {
            policies.append("  p").append(i).append(": {timeout: 1s}\n");
            routes.append("  - {name: r")
                    .append(i)
                    .append(", upstream: u, policy: p")
                    .append(i)
                    .append(", match: {path: /")
                    .append(i)
                    .append("}}\n");
        }

        assertThat(faults(policies + "upstreams: {u: {endpoints: http://h}}\n" + routes))
                .containsExactly(
                        "gateway.yaml:35:38: routes[15].policy: the 16th policy of routes to upstream \"u\": expected at"
                                + " most 15");
    }

    @Test
    @DisplayName("A route says what it matches, how it is called and what may pass")
    void everythingThatARouteCanSayIsRead() {
        RouteConfig route = good("""
                policies: {long: {timeout: 5s}}
                upstreams: {u: {endpoints: http://h}}
                routes:
                  - name: files
                    match: {host: "*.Example.com", prefix: /files/, methods: [GET, PURGE], headers: {X-Kind: big one}}
                    upstream: u
                    policy: long
                    strip-prefix: true
                    timeout: 4s
                    max-body: 1GiB
                    body-idle-timeout: unlimited
                    streams: true
                    trust-idempotency-key: true
                """).routes().get(0);

        assertThat(route.name()).isEqualTo("files");
        assertThat(route.host()).contains("*.example.com");
        assertThat(route.path()).isEqualTo("/files");
        assertThat(route.exact()).isFalse();
        assertThat(route.methods()).containsExactlyInAnyOrder("GET", "PURGE");
        assertThat(route.headers()).containsOnlyKeys("x-kind").containsValue("big one");
        assertThat(route.policyName()).contains("long");
        assertThat(route.policy().orElseThrow().overallTimeoutNanos()).isEqualTo(5_000_000_000L);
        assertThat(route.stripPrefix()).isTrue();
        assertThat(route.timeout()).isEqualTo(Optional.of(Duration.ofSeconds(4)));
        assertThat(route.maxBodyBytes()).isEqualTo(OptionalLong.of(1L << 30));
        assertThat(route.bodyIdleTimeout()).isEqualTo(Defaults.UNLIMITED_TIME);
        assertThat(route.streams()).isTrue();
        assertThat(route.trustsKeys()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("What a route could never match, or could smuggle onto the wire, is refused")
    @ValueSource(
            strings = {
                "{path: a}",
                "{path: /a//b}",
                "{path: /a/../b}",
                "{prefix: /.}",
                "{path: \"/a?b\"}",
                "{path: /%41}",
                "{path: /%2f}",
                "{path: \"/a\\r\\nX: 1\"}",
                "{path: /a, prefix: /b}",
                "{host: \"a:80\"}",
                "{host: \"*\"}",
                "{host: \"*.*.a\"}",
                "{host: a..b}",
                "{methods: [\"G ET\"]}",
                "{methods: [GET, GET]}",
                "{headers: {\"a b\": c}}",
                "{headers: {a: \"b\\r\\nc\"}}",
                "{headers: {a: b, A: c}}",
                "{query: a}",
            })
    void impossibleMatchesAreRefused(String match) {
        assertThat(faults("upstreams: {u: {endpoints: http://h}}\nroutes: [{name: r, upstream: u, match: " + match
                        + "}]\n"))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:2:")
                .contains("routes[0].match");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("Networks of proxies are CIDR; a lone address is a network of one")
    @CsvSource({
        "10.0.0.0/8, true",
        "fd00::/8, true",
        "10.1.2.3, true",
        "'::1', true",
        "10.0.0.0/33, false",
        "10.0.0/8, false",
        "proxies.example, false",
        "10.0.0.0/-1, false",
        "/8, false"
    })
    void trustedProxiesAreNetworks(String network, boolean allowed) {
        String text = MINIMAL + "trusted-proxies: [\"" + network + "\"]\n";

        if (allowed) {
            assertThat(good(text).trustedProxies().networks()).hasSize(1);
        } else {
            assertThat(faults(text)).singleElement().asString().startsWith("gateway.yaml:7:19: trusted-proxies[0]: ");
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("Addresses to listen on are literals, so that reading asks nobody for a name")
    @CsvSource({
        "127.0.0.1:80, true",
        "'[::1]:0', true",
        "localhost:1, true",
        "'*:80', true",
        "example.com:80, false",
        ":80, false",
        "80, false",
        "127.0.0.1:65536, false",
        "127.0.0.1, false",
        "'::1:80', false",
        "1.2.3:80, false"
    })
    void listenAddressesAreLiterals(String address, boolean allowed) {
        String text = MINIMAL + "listen: \"" + address + "\"\n";

        if (allowed) {
            assertThat(good(text).listen().isUnresolved()).isFalse();
        } else {
            assertThat(faults(text)).singleElement().asString().startsWith("gateway.yaml:7:9: listen: ");
        }
    }

    @Test
    @DisplayName("Credentials and cookies cannot be named for the access log")
    void secretsCannotBeLogged() {
        assertThat(good(MINIMAL + "access-log: {request-headers: [User-Agent]}\n")
                        .accessLog()
                        .requestHeaders())
                .containsExactly("user-agent");
        assertThat(faults(MINIMAL + "access-log: {request-headers: [Authorization, cookie]}\n"))
                .hasSize(2);
    }

    @Test
    @DisplayName("A stop's delay is a part of its grace")
    void theDrainDelayLiesWithinTheGrace() {
        assertThat(faults(MINIMAL + "shutdown: {drain-delay: 30s}\n"))
                .containsExactly(
                        "gateway.yaml:7:25: shutdown.drain-delay: 30s: expected no more than the 25s of grace, of which it"
                                + " is a part");
    }
}
