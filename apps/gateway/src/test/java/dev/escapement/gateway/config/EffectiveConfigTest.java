package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A configuration written back is the same configuration. */
class EffectiveConfigTest {

    private static final String EVERYTHING = """
            name: edge
            listen: "[::1]:0"
            admin: "*:9000"
            inbound: {max-body: unlimited, max-age: unlimited, max-requests: unlimited, linger-time: 0s, replay-body: 0B}
            headers: {via: false, forwarded: true, proxy-status: full, underscored: [a_b, c_d], encoded-slash: keep}
            trusted-proxies: [10.0.0.0/8, "fd00::/8", 127.0.0.1]
            policies:
              default: {timeout: 3s, breaker: none, budget: none}
              "no": {timeout: 5s, retry-on: none, jitter: "symmetric:20", breaker-count-window: 50}
            upstreams:
              billing:
                endpoints: [https://a.example:8443, https://b.example]
                policy: "no"
                host: {literal: "b.example:81"}
                tls: {server-name: a.example}
              plain: {endpoints: "http://[::1]:9000", host: upstream}
            routes:
              - name: all
                match: {host: "*.example.com", prefix: /a/, methods: [PUT, GET], headers: {x-k: 'a: "b" #c'}}
                upstream: plain
                timeout: 1500ms
                max-body: 3MiB
                body-idle-timeout: unlimited
                streams: true
              - {name: exact, match: {path: "/a/,b"}, upstream: billing, policy: default, trust-idempotency-key: true}
            access-log: {path: none, format: combined, query: true, request-headers: [user-agent]}
            shutdown: {drain-delay: 0s, grace: 0s}
            """;

    private static GatewayConfig read(String text) {
        ConfigResult read = ConfigReader.read("gateway.yaml", text.getBytes(StandardCharsets.UTF_8));
        assertThat(read).as(text).isInstanceOf(ConfigResult.Good.class);
        return ((ConfigResult.Good) read).config();
    }

    @Test
    @DisplayName("What is in effect is written in the words in which it is read, and reads back as itself")
    void whatIsWrittenReadsBack() {
        GatewayConfig config = read(EVERYTHING);

        String written = EffectiveConfig.text(config);

        assertThat(EffectiveConfig.of(read(written))).isEqualTo(EffectiveConfig.of(config));
        assertThat(read(written).inbound()).isEqualTo(config.inbound());
        assertThat(read(written).headers()).isEqualTo(config.headers());
        assertThat(read(written).routes().get(0).headers()).isEqualTo(Map.of("x-k", "a: \"b\" #c"));
    }

    @Test
    @DisplayName("The defaults that are printed are a configuration, and say nothing that is not a default")
    void theDefaultsReadBack() {
        GatewayConfig config = read(EffectiveConfig.defaults());

        assertThat(config.inbound()).isEqualTo(Defaults.INBOUND);
        assertThat(config.headers()).isEqualTo(Defaults.HEADERS);
        assertThat(config.accessLog()).isEqualTo(Defaults.ACCESS_LOG);
        assertThat(config.shutdown()).isEqualTo(Defaults.SHUTDOWN);
        assertThat(EffectiveConfig.defaults())
                .contains(
                        "head-timeout: 10s\n",
                        "max-body: 64MiB\n",
                        "timeout: 2s\n",
                        "retries: 1\n",
                        "proxy-status: name\n");
    }

    @Test
    @DisplayName("A tree holds nothing but text, lists and maps, so that anybody can write it")
    void theTreeIsMadeOfText() {
        assertOnlyText(EffectiveConfig.of(read(EVERYTHING)));
    }

    private static void assertOnlyText(Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, below) -> {
                assertThat(key).isInstanceOf(String.class);
                assertOnlyText(below);
            });
        } else if (value instanceof List<?> list) {
            list.forEach(EffectiveConfigTest::assertOnlyText);
        } else {
            assertThat(value).isInstanceOf(String.class);
        }
    }
}
