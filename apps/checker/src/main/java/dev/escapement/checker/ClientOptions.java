package dev.escapement.checker;

import dev.escapement.call.Client;
import dev.escapement.metadata.Metadata;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.NettyTransportBuilder;
import dev.escapement.netty.TlsSettings;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.policy.UpstreamSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the client and of its transport: how much at once, how much of an answer, and whom to trust. */
final class ClientOptions {

    private static final Duration SHORTEST_CONNECT = Duration.ofMillis(1);
    private static final Duration LONGEST_CONNECT = Duration.ofMinutes(1);
    private static final int MOST_CONNECTIONS = 65_536;
    private static final int MOST_WAITERS = 1_000_000;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description =
                    "Permits: how many endpoints, or attempts, are under way at once. Default: 16, with --demo 2.")
    private @Nullable Integer concurrency;

    @Option(
            names = "--window",
            paramLabel = "N",
            description =
                    "How many endpoints are taken from the list at once; those above the concurrency wait for a permit."
                            + " Default: the concurrency.")
    private @Nullable Integer window;

    @Option(
            names = "--max-queue",
            paramLabel = "N",
            description = "How many of them may wait; the rest is rejected. Default: the window.")
    private @Nullable Integer maxQueue;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draws the same jitter again. Default: a new one, told by --json.")
    private @Nullable Long seed;

    @Option(
            names = "--max-body",
            paramLabel = "BYTES",
            description = "The largest answer that is read; a longer one counts as failed. Default: 16777216.")
    private int maxBody = 16 * 1024 * 1024;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "Trust the certificates in this PEM file instead of the usual authorities.")
    private @Nullable Path trust;

    @Option(
            names = "--insecure",
            description = "Trust any certificate for any name. Whoever can reach the connection can read and forge it.")
    private boolean insecure;

    int concurrency(Defaults defaults) {
        return concurrency == null ? defaults.concurrency : concurrency;
    }

    int window(Defaults defaults) {
        return window == null ? Math.max(1, Math.min(concurrency(defaults), Client.MAX_WINDOW)) : window;
    }

    /** What no builder checks. */
    void check(Complaints complaints) {
        if (window != null && (window < 1 || window > Client.MAX_WINDOW)) {
            complaints.add("--window", window.toString(), "1 to " + Client.MAX_WINDOW);
        }
        if (insecure && trust != null) {
            complaints.addExcluded("--insecure", "--trust");
        }
    }

    long seed() {
        if (seed == null) {
            seed = new SplittableRandom().nextLong();
        }
        return seed;
    }

    /**
     * A transport that has no time limit of its own below the policy's, and room for every permit.
     *
     * @throws dev.escapement.netty.SettingsException naming a setting out of its range
     */
    NettyTransport transport(Policy policy, Defaults defaults) {
        Duration attempt = Duration.ofNanos(policy.attemptTimeoutNanos());
        Duration connect = attempt.compareTo(LONGEST_CONNECT) > 0
                ? LONGEST_CONNECT
                : attempt.compareTo(SHORTEST_CONNECT) < 0 ? SHORTEST_CONNECT : attempt;
        int permits = Math.max(1, concurrency(defaults));
        NettyTransportBuilder builder = NettyTransport.builder()
                .connectTimeout(connect)
                .tlsHandshakeTimeout(connect)
                .maxConnectionsPerEndpoint(Math.min(permits, MOST_CONNECTIONS))
                .maxWaitersPerEndpoint(Math.min(permits, MOST_WAITERS))
                .maxBodyBytes(maxBody);
        // Both together are complained about as such, and neither is looked at.
        if (trust != null && !insecure) {
            builder.tls(TlsSettings.ofDefaults().withTrustCertificates(trust));
        }
        if (insecure && trust == null) {
            builder.tls(TlsSettings.insecure());
        }
        return builder.build();
    }

    /**
     * The client.
     *
     * @throws dev.escapement.policy.PolicyException listing every fault
     */
    Client client(UpstreamSettings upstream, Metadata metadata, NettyTransport transport, Defaults defaults) {
        return Client.builder(transport, transport.schedulers())
                .policy(upstream.policy())
                .breaker(upstream.breaker())
                .metadata(metadata)
                .concurrency(concurrency(defaults))
                .maxQueue(maxQueue == null ? queueFor(window(defaults)) : maxQueue)
                .jitter(JitterSource.seeded(seed()))
                .build();
    }

    /** Room for the window; a window out of its range is complained about as such alone. */
    private static int queueFor(int window) {
        return Math.max(0, Math.min(window, Client.MAX_WINDOW));
    }
}
