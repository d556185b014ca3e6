package dev.escapement.gateway.config;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.escapement.gateway.config.HeaderConfig.ProxyStatus;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import dev.escapement.gateway.config.UpstreamConfig.HostRule;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every value that a configuration need not say. One test pins them all. */
public final class Defaults {

    /** Longer than any process lives, and short enough to be added to an instant. */
    public static final Duration UNLIMITED_TIME = Duration.ofDays(36_500);

    /** More than any connection carries, and small enough to be added to. */
    public static final int UNLIMITED_COUNT = 1 << 30;

    /** More than any body has. */
    public static final long UNLIMITED_BYTES = 1L << 62;

    /** What a deployment is called in {@code Via} and {@code Proxy-Status}. */
    public static final String NAME = "gateway";

    /** Loopback: who wants to be reached from elsewhere says so. */
    public static final InetSocketAddress LISTEN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);

    public static final InetSocketAddress ADMIN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8081);

    private static final int KIB = 1024;
    private static final int MOST_CONNECTIONS = 10_000;

    /** What clients may ask, where {@link #maxConnections} of this process's descriptors are allowed at once. */
    public static final InboundConfig INBOUND = new InboundConfig(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(75), // above the 60 s of most balancers, so that they close first
            10_000,
            Duration.ofHours(1),
            32 * KIB,
            100,
            8 * KIB, // RFC 9112 §3: at least 8,000
            64L * KIB * KIB,
            64 * KIB,
            Duration.ofSeconds(1),
            maxConnections(descriptors()),
            Duration.ofSeconds(1),
            64 * KIB,
            HalfClose.CANCEL,
            Optional.empty());

    public static final HeaderConfig HEADERS = new HeaderConfig(true, false, ProxyStatus.ON, Set.of(), false);

    /** The policy of calls for which nobody names one, by that name. */
    public static final String POLICY = "default";

    /** What is not said here has the library's default; so has every policy that a configuration writes. */
    public static final Map<String, String> POLICY_SETTINGS = Map.of("overall-timeout", "2s");

    public static final int CONCURRENCY = 1_024;

    /** One waiting call for each that may run. */
    public static final int QUEUE = CONCURRENCY;

    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    public static final int MAX_CONNECTIONS = CONCURRENCY;

    public static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

    public static final HostRule HOST = new HostRule(HostRule.Kind.PRESERVE, Optional.empty());

    /** How long an answer's body may stand still. */
    public static final Duration BODY_IDLE_TIMEOUT = Duration.ofSeconds(30);

    public static final AccessLogConfig ACCESS_LOG =
            new AccessLogConfig("-", AccessLogConfig.Format.JSON, false, Set.of(), 8_192);

    /** Together within the 30 s that Kubernetes gives, 2 s left for cleaning up. */
    public static final ShutdownConfig SHUTDOWN = new ShutdownConfig(Duration.ofSeconds(5), Duration.ofSeconds(25));

    private Defaults() {}

    /** Half of the descriptors are for clients, so that upstream connections and files keep a reserve. */
    static int maxConnections(long descriptors) {
        return (int) Math.max(1, Math.min(MOST_CONNECTIONS, descriptors / 2));
    }

    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
