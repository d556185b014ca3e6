package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link NettyTransport}, each with its default and its range; {@link #build} tells every fault at
 * once. Not thread-safe.
 */
public final class NettyTransportBuilder {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private Duration connectTimeout = Duration.ofSeconds(1);
    private Duration tlsHandshakeTimeout = Duration.ofSeconds(3);
    private Duration idleLimit = Duration.ofSeconds(15);
    private Duration lifetimeLimit = Duration.ofMinutes(5);
    private Duration earlyAnswerWait = Duration.ofMillis(100);
    private int maxConnections = 256;
    private @Nullable Integer maxWaiters;
    private int maxHeadBytes = 32 * 1024;
    private int maxBodyBytes = 16 * 1024 * 1024;
    private int maxInterimAnswers = 8;
    private int eventLoopThreads = Runtime.getRuntime().availableProcessors();
    private @Nullable EventLoopSchedulers borrowed;
    private @Nullable EventLoopGroup borrowedGroup;
    private @Nullable ChannelFactory<? extends SocketChannel> channels;
    private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
    private @Nullable X509TrustManager trustManager;
    private @Nullable Path trustCertificates;
    private boolean insecureTls;
    private MonotonicClock clock = MonotonicClock.system();

    NettyTransportBuilder() {}

    /** How long looking up the name and connecting may take together: 1 ms to 1 minute, by default 1 s. */
    public NettyTransportBuilder connectTimeout(Duration value) {
        connectTimeout = value;
        return this;
    }

    /** How long the TLS handshake may take after that: 1 ms to 1 minute, by default 3 s. */
    public NettyTransportBuilder tlsHandshakeTimeout(Duration value) {
        tlsHandshakeTimeout = value;
        return this;
    }

    /**
     * How long a connection may lie idle and still be lent: 1 ms to 1 hour, by default 15 s. A server's
     * {@code Keep-Alive: timeout} less one second lowers it. Should lie below what servers and load balancers allow.
     */
    public NettyTransportBuilder idleLimit(Duration value) {
        idleLimit = value;
        return this;
    }

    /** How old a connection may become, give or take a tenth: 1 s to 1 day, by default 5 minutes. Bounds the life of a stale address. */
    public NettyTransportBuilder lifetimeLimit(Duration value) {
        lifetimeLimit = value;
        return this;
    }

    /** How long to read on for an answer after a write has failed half-way: 1 ms to 10 s, by default 100 ms. */
    public NettyTransportBuilder earlyAnswerWait(Duration value) {
        earlyAnswerWait = value;
        return this;
    }

    /** Connections per endpoint (under TLS: and verified name) and event loop, those on their way up included: 1 to 65,536, by default 256. */
    public NettyTransportBuilder maxConnectionsPerEndpointAndLoop(int value) {
        maxConnections = value;
        return this;
    }

    /** Attempts that may wait for a connection beyond those: 0 to 1,000,000, by default twice the connections. */
    public NettyTransportBuilder maxWaitersPerEndpointAndLoop(int value) {
        maxWaiters = value;
        return this;
    }

    /** Bytes of a response head, and of all interim answers before it: 256 to 1 MiB, by default 32 KiB. */
    public NettyTransportBuilder maxHeadBytes(int value) {
        maxHeadBytes = value;
        return this;
    }

    /** Bytes of a response body: 0 to 1 GiB, by default 16 MiB. */
    public NettyTransportBuilder maxBodyBytes(int value) {
        maxBodyBytes = value;
        return this;
    }

    /** Interim answers (1xx) that are skipped for one response: 0 to 1,000, by default 8. */
    public NettyTransportBuilder maxInterimAnswers(int value) {
        maxInterimAnswers = value;
        return this;
    }

    /** Event loops of the transport's own: 1 to 1,024, by default one per processor. Not asked for where some are borrowed. */
    public NettyTransportBuilder eventLoopThreads(int value) {
        eventLoopThreads = value;
        return this;
    }

    /** Event loops of the caller's, who also shuts them down, later than the transport. */
    public NettyTransportBuilder eventLoops(EventLoopGroup group) {
        borrowedGroup = group;
        borrowed = null;
        return this;
    }

    /** The same, with schedulers that others use too: share them where several transports run on one group. */
    public NettyTransportBuilder eventLoops(EventLoopSchedulers schedulers) {
        borrowed = schedulers;
        borrowedGroup = null;
        return this;
    }

    /** Makes the channels, where the borrowed loops are not of the NIO kind. Bytes written count as unknown while a write is under way. */
    public NettyTransportBuilder channels(ChannelFactory<? extends SocketChannel> factory) {
        channels = factory;
        return this;
    }

    /** Where buffers come from; by default Netty's default. */
    public NettyTransportBuilder allocator(ByteBufAllocator value) {
        allocator = value;
        return this;
    }

    /** Whom to trust instead of the JDK's authorities. The host's name is checked all the same. */
    public NettyTransportBuilder trustManager(X509TrustManager value) {
        trustManager = value;
        return this;
    }

    /** A PEM file of certificates to trust instead of the JDK's authorities. The host's name is checked all the same. */
    public NettyTransportBuilder trustCertificates(Path file) {
        trustCertificates = file;
        return this;
    }

    /** Trusts any certificate for any name: whoever can reach the connection can read and forge it. For tests. */
    public NettyTransportBuilder insecureTls() {
        insecureTls = true;
        return this;
    }

    NettyTransportBuilder clock(MonotonicClock value) {
        clock = value;
        return this;
    }

    /**
     * Builds the transport, and starts event loops unless some are borrowed.
     *
     * @throws SettingsException naming every setting that is out of its range
     * @throws IllegalStateException if Netty on the class path is older than 4.2.18
     */
    public NettyTransport build() {
        NettyVersion.requireFloor();
        Faults faults = new Faults();
        faults.range("connectTimeout", connectTimeout, SHORTEST, Duration.ofMinutes(1));
        faults.range("tlsHandshakeTimeout", tlsHandshakeTimeout, SHORTEST, Duration.ofMinutes(1));
        faults.range("idleLimit", idleLimit, SHORTEST, Duration.ofHours(1));
        faults.range("lifetimeLimit", lifetimeLimit, Duration.ofSeconds(1), Duration.ofDays(1));
        faults.range("earlyAnswerWait", earlyAnswerWait, SHORTEST, Duration.ofSeconds(10));
        faults.range("maxConnectionsPerEndpointAndLoop", maxConnections, 1, 65_536);
        int waiters = maxWaiters != null ? maxWaiters : 2 * Math.max(0, Math.min(maxConnections, 65_536));
        faults.range("maxWaitersPerEndpointAndLoop", waiters, 0, 1_000_000);
        faults.range("maxHeadBytes", maxHeadBytes, 256, 1024 * 1024);
        faults.range("maxBodyBytes", maxBodyBytes, 0, 1024 * 1024 * 1024);
        faults.range("maxInterimAnswers", maxInterimAnswers, 0, 1_000);
        faults.range("eventLoopThreads", eventLoopThreads, 1, 1_024);
        ChannelFactory<? extends SocketChannel> channelFactory = channelFactory(faults);
        SslContext tls = tls(faults);
        if (!faults.isEmpty() || tls == null) {
            throw new SettingsException(faults.all());
        }
        Settings settings = new Settings(
                connectTimeout.toNanos(),
                tlsHandshakeTimeout.toNanos(),
                idleLimit.toNanos(),
                lifetimeLimit.toNanos(),
                earlyAnswerWait.toNanos(),
                maxConnections,
                waiters,
                maxHeadBytes,
                maxBodyBytes,
                maxInterimAnswers,
                allocator,
                channelFactory,
                tls,
                clock);
        if (borrowed != null) {
            return new NettyTransport(settings, borrowed, null);
        }
        if (borrowedGroup != null) {
            return new NettyTransport(settings, EventLoopSchedulers.of(borrowedGroup, clock), null);
        }
        EventLoopGroup own = new MultiThreadIoEventLoopGroup(
                eventLoopThreads, new DefaultThreadFactory("escapement-loop", true), NioIoHandler.newFactory());
        return new NettyTransport(settings, EventLoopSchedulers.of(own, clock), own);
    }

    private ChannelFactory<? extends SocketChannel> channelFactory(Faults faults) {
        ChannelFactory<? extends SocketChannel> given = channels;
        if (given != null) {
            return given;
        }
        EventLoopGroup group = borrowedGroup;
        if (borrowed != null) {
            group = borrowed.all().get(0).loop();
        }
        if (group != null && !runsNio(group)) {
            faults.add(
                    "channels",
                    "not given",
                    "a factory of channels that " + group.getClass().getName() + " can run");
        }
        return NioSocketChannel::new;
    }

    private static boolean runsNio(EventLoopGroup group) {
        return group instanceof IoEventLoopGroup io && io.isCompatible(NioIoHandle.class);
    }

    private @Nullable SslContext tls(Faults faults) {
        int choices = (trustManager == null ? 0 : 1) + (trustCertificates == null ? 0 : 1) + (insecureTls ? 1 : 0);
        if (choices > 1) {
            faults.add("trustManager, trustCertificates, insecureTls", choices + " of them", "one at most");
            return null;
        }
        try {
            if (insecureTls) {
                return TlsContexts.insecure();
            }
            if (trustManager != null) {
                return TlsContexts.of(trustManager);
            }
            return trustCertificates == null ? TlsContexts.ofSystem() : TlsContexts.of(trustCertificates.toFile());
        } catch (SSLException | IllegalArgumentException e) {
            faults.add(
                    "trustCertificates",
                    String.valueOf(trustCertificates),
                    "a readable PEM file of certificates (" + e.getMessage() + ")");
            return null;
        }
    }

    /** The faults found so far. */
    private static final class Faults {

        private final List<SettingsException.Fault> found = new ArrayList<>();

        void range(String setting, Duration value, Duration min, Duration max) {
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                add(setting, value.toString(), min + " to " + max);
            }
        }

        void range(String setting, int value, int min, int max) {
            if (value < min || value > max) {
                add(setting, Integer.toString(value), min + " to " + max);
            }
        }

        void add(String setting, String value, String range) {
            found.add(new SettingsException.Fault(setting, value, range));
        }

        boolean isEmpty() {
            return found.isEmpty();
        }

        List<SettingsException.Fault> all() {
            return found;
        }
    }
}
