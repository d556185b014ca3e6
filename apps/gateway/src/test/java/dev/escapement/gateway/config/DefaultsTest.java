package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.AccessLogConfig.Format;
import dev.escapement.gateway.config.HeaderConfig.ProxyStatus;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import dev.escapement.gateway.config.UpstreamConfig.HostRule;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each default, said a second time. */
class DefaultsTest {

    @Test
    @DisplayName("P7: every default of the gateway")
    void theDefaults() {
        assertThat(Defaults.NAME).isEqualTo("gateway");
        assertThat(Defaults.LISTEN).hasToString("localhost/127.0.0.1:8080");
        assertThat(Defaults.ADMIN).hasToString("localhost/127.0.0.1:8081");

        InboundConfig inbound = Defaults.INBOUND;
        assertThat(inbound.headTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(inbound.bodyIdleTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(inbound.writeIdleTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(inbound.keepAliveTimeout()).isEqualTo(Duration.ofSeconds(75));
        assertThat(inbound.maxRequests()).isEqualTo(10_000);
        assertThat(inbound.maxAge()).isEqualTo(Duration.ofHours(1));
        assertThat(inbound.maxHeadBytes()).isEqualTo(32_768);
        assertThat(inbound.maxFields()).isEqualTo(100);
        assertThat(inbound.maxRequestLineBytes()).isEqualTo(8_192);
        assertThat(inbound.maxBodyBytes()).isEqualTo(67_108_864L);
        assertThat(inbound.replayBodyBytes()).isEqualTo(65_536);
        assertThat(inbound.continueWait()).isEqualTo(Duration.ofSeconds(1));
        assertThat(inbound.maxConnections()).isBetween(1, 10_000);
        assertThat(inbound.lingerTime()).isEqualTo(Duration.ofSeconds(1));
        assertThat(inbound.lingerBytes()).isEqualTo(65_536);
        assertThat(inbound.halfClose()).isEqualTo(HalfClose.CANCEL);
        assertThat(inbound.tls()).isEmpty();

        assertThat(Defaults.HEADERS).isEqualTo(new HeaderConfig(true, false, ProxyStatus.ON, Set.of(), false));
        assertThat(Defaults.POLICY).isEqualTo("default");
        assertThat(Defaults.POLICY_SETTINGS).hasSize(1).containsEntry("overall-timeout", "2s");
        assertThat(Defaults.CONCURRENCY).isEqualTo(1_024);
        assertThat(Defaults.QUEUE).isEqualTo(1_024);
        assertThat(Defaults.CONNECT_TIMEOUT).isEqualTo(Duration.ofSeconds(1));
        assertThat(Defaults.MAX_CONNECTIONS).isEqualTo(1_024);
        assertThat(Defaults.IDLE_TIMEOUT).isEqualTo(Duration.ofSeconds(15));
        assertThat(Defaults.HOST).isEqualTo(new HostRule(HostRule.Kind.PRESERVE, Optional.empty()));
        assertThat(Defaults.BODY_IDLE_TIMEOUT).isEqualTo(Duration.ofSeconds(30));
        assertThat(Defaults.ACCESS_LOG).isEqualTo(new AccessLogConfig("-", Format.JSON, false, Set.of(), 8_192));
        assertThat(Defaults.SHUTDOWN).isEqualTo(new ShutdownConfig(Duration.ofSeconds(5), Duration.ofSeconds(25)));
    }

    @Test
    @DisplayName("Half of the descriptors are for clients, and 10,000 are enough")
    void clientsGetHalfOfTheDescriptors() {
        assertThat(Defaults.maxConnections(1_024)).isEqualTo(512);
        assertThat(Defaults.maxConnections(20_001)).isEqualTo(10_000);
        assertThat(Defaults.maxConnections(19_999)).isEqualTo(9_999);
        assertThat(Defaults.maxConnections(Long.MAX_VALUE)).isEqualTo(10_000);
        assertThat(Defaults.maxConnections(0)).isEqualTo(1);
    }

    @Test
    @DisplayName("What is unlimited can be added to an instant and to a jitter without wrapping")
    void whatIsUnlimitedDoesNotWrap() {
        long nanos = Defaults.UNLIMITED_TIME.toNanos();

        assertThat(Math.addExact(
                        Math.addExact(nanos, nanos / 10), Duration.ofDays(3_650).toNanos()))
                .isPositive();
        assertThat(Math.addExact(Defaults.UNLIMITED_COUNT, Defaults.UNLIMITED_COUNT / 10))
                .isPositive();
    }
}
