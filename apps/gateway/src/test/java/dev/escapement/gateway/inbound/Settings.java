package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import dev.escapement.gateway.config.InboundTls;
import dev.escapement.gateway.config.ShutdownConfig;
import dev.escapement.gateway.config.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A configuration of the side that clients see, with generous times: a test that waits for one makes it short. Changed before it is built. */
final class Settings {

    Duration headTimeout = Duration.ofSeconds(30);
    Duration bodyIdleTimeout = Duration.ofSeconds(30);
    Duration writeIdleTimeout = Duration.ofSeconds(30);
    Duration keepAliveTimeout = Duration.ofSeconds(30);
    int maxRequests = 1_000_000;
    Duration maxAge = Duration.ofHours(1);
    long maxBodyBytes = 64L * 1024 * 1024;
    int maxConnections = 1000;
    Duration lingerTime = Duration.ofSeconds(1);
    int lingerBytes = 64 * 1024;
    HalfClose halfClose = HalfClose.CANCEL;
    Optional<InboundTls> tls = Optional.empty();
    boolean keepEncodedSlash;

    /** Any, unless it is said which. */
    int port;

    GatewayConfig build() {
        return new GatewayConfig(
                "00000000",
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new InboundConfig(
                        headTimeout,
                        bodyIdleTimeout,
                        writeIdleTimeout,
                        keepAliveTimeout,
                        maxRequests,
                        maxAge,
                        32 * 1024,
                        100,
                        8 * 1024,
                        maxBodyBytes,
                        64 * 1024,
                        Duration.ofSeconds(1),
                        maxConnections,
                        lingerTime,
                        lingerBytes,
                        halfClose,
                        tls),
                new HeaderConfig(true, false, HeaderConfig.ProxyStatus.ON, Set.of(), keepEncodedSlash),
                TrustedProxies.NOBODY,
                Map.of(),
                Map.of(),
                List.of(),
                new AccessLogConfig("off", AccessLogConfig.Format.JSON, false, Set.of(), 16),
                new ShutdownConfig(Duration.ofSeconds(5), Duration.ofSeconds(25)));
    }
}
