package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link NettyTransport}, each with its default and its range; {@link #build} tells every fault at
 * once. Not thread-safe.
 */
public final class NettyTransportBuilder {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private Duration connectTimeout = Duration.ofSeconds(1);
    private Duration connectStagger = Duration.ofMillis(250);
    private Duration tlsHandshakeTimeout = Duration.ofSeconds(3);
    private Duration idleLimit = Duration.ofSeconds(15);
    private Duration lifetimeLimit = Duration.ofMinutes(5);
    private Duration earlyAnswerWait = Duration.ofMillis(100);
    private Duration continueWait = Duration.ofSeconds(1);
    private int maxConnections = 256;
    private @Nullable Integer maxWaiters;
    private int maxHeadBytes = 32 * 1024;
    private int maxBodyBytes = 16 * 1024 * 1024;
    private int maxInterimAnswers = 8;
    private int eventLoopThreads = Runtime.getRuntime().availableProcessors();
    private @Nullable IoKind ioKind;
    private @Nullable EventLoopSchedulers borrowed;
    private @Nullable EventLoopGroup borrowedGroup;
    private @Nullable ChannelFactory<? extends SocketChannel> channels;
    private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
    private TlsSettings tls = TlsSettings.ofDefaults();
    private @Nullable NameResolver names;
    private MonotonicClock clock = MonotonicClock.system();

    NettyTransportBuilder() {}

    /** How long looking up the name and connecting may take together: 1 ms to 1 minute, by default 1 s. */
    public NettyTransportBuilder connectTimeout(Duration value) {
        connectTimeout = value;
        return this;
    }

    /**
     * How long one address has to itself before the next is tried beside it: 10 ms to 2 s, by default 250 ms (RFC 8305 §8). An
     * address that fails hands over at once.
     */
    public NettyTransportBuilder connectStagger(Duration value) {
        connectStagger = value;
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

    /**
     * How long a body that waits for the server's leave ({@code Expect: 100-continue}) waits for one that says nothing: 1 ms to 1 minute, by default
     * 1 s. Then it is sent all the same (RFC 9110 §10.1.1).
     */
    public NettyTransportBuilder continueWait(Duration value) {
        continueWait = value;
        return this;
    }

    /**
     * Connections per endpoint (under TLS: and verified name) over all event loops, those on their way up included: 1 to 65,536, by
     * default 256.
     */
    public NettyTransportBuilder maxConnectionsPerEndpoint(int value) {
        maxConnections = value;
        return this;
    }

    /** Attempts per endpoint that may wait for a connection beyond those: 0 to 1,000,000, by default twice the connections. */
    public NettyTransportBuilder maxWaitersPerEndpoint(int value) {
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

    /** What the transport's own event loops are: by default epoll where that is available, else NIO. Not asked for where some are borrowed. */
    public NettyTransportBuilder ioKind(IoKind value) {
        ioKind = value;
        return this;
    }

    /**
     * Makes the channels, where the borrowed loops are of none of the kinds in {@link IoKind}, or channels of somebody's own are
     * wanted; loops of the transport's own are NIO's then, unless said otherwise. What is no kind's own channel counts as
     * possibly written from its first write on.
     */
    public NettyTransportBuilder channels(ChannelFactory<? extends SocketChannel> factory) {
        channels = factory;
        return this;
    }

    /** Where buffers come from; by default Netty's default. */
    public NettyTransportBuilder allocator(ByteBufAllocator value) {
        allocator = value;
        return this;
    }

    /** How TLS is spoken, and who is trusted. */
    public NettyTransportBuilder tls(TlsSettings value) {
        tls = value;
        return this;
    }

    /**
     * Who finds the addresses of names: by default {@link NameResolver#ofSystem}. The resolver stays the caller's, who closes it,
     * later than the transport.
     */
    public NettyTransportBuilder names(NameResolver value) {
        names = value;
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
        faults.range("connectStagger", connectStagger, Duration.ofMillis(10), Duration.ofSeconds(2));
        faults.range("tlsHandshakeTimeout", tlsHandshakeTimeout, SHORTEST, Duration.ofMinutes(1));
        faults.range("idleLimit", idleLimit, SHORTEST, Duration.ofHours(1));
        faults.range("lifetimeLimit", lifetimeLimit, Duration.ofSeconds(1), Duration.ofDays(1));
        faults.range("earlyAnswerWait", earlyAnswerWait, SHORTEST, Duration.ofSeconds(10));
        faults.range("continueWait", continueWait, SHORTEST, Duration.ofMinutes(1));
        faults.range("maxConnectionsPerEndpoint", maxConnections, 1, 65_536);
        int waiters = maxWaiters != null ? maxWaiters : 2 * Math.max(0, Math.min(maxConnections, 65_536));
        faults.range("maxWaitersPerEndpoint", waiters, 0, 1_000_000);
        faults.range("maxHeadBytes", maxHeadBytes, 256, 1024 * 1024);
        faults.range("maxBodyBytes", maxBodyBytes, 0, 1024 * 1024 * 1024);
        faults.range("maxInterimAnswers", maxInterimAnswers, 0, 1_000);
        faults.range("eventLoopThreads", eventLoopThreads, 1, 1_024);
        IoKind kind = loopKind(faults);
        // Made although there may be faults already, so that its own are told with them.
        SslContext context = TlsContexts.of(tls, faults);
        if (!faults.isEmpty()) {
            ReferenceCountUtil.release(context);
            throw faults.exception();
        }
        Settings settings = new Settings(
                connectTimeout.toNanos(),
                connectStagger.toNanos(),
                tlsHandshakeTimeout.toNanos(),
                idleLimit.toNanos(),
                lifetimeLimit.toNanos(),
                earlyAnswerWait.toNanos(),
                continueWait.toNanos(),
                maxConnections,
                waiters,
                maxHeadBytes,
                maxBodyBytes,
                maxInterimAnswers,
                allocator,
                channels != null ? channels : kind.channels(),
                Objects.requireNonNull(context),
                clock);
        EventLoopGroup own = given() != null ? null : ownLoops(kind);
        NameResolver used = names != null ? names : NameResolver.ofSystem();
        return new NettyTransport(settings, schedulers(own), own, used, used == names ? null : used);
    }

    private EventLoopSchedulers schedulers(@Nullable EventLoopGroup own) {
        if (borrowed != null) {
            return borrowed;
        }
        return EventLoopSchedulers.of(Objects.requireNonNull(own != null ? own : borrowedGroup), clock);
    }

    private EventLoopGroup ownLoops(IoKind kind) {
        return new MultiThreadIoEventLoopGroup(
                eventLoopThreads, new DefaultThreadFactory("escapement-loop", true), kind.handlers());
    }

    /** The borrowed loops, if there are any. */
    private @Nullable EventLoopGroup given() {
        return borrowed != null ? borrowed.all().get(0).loop() : borrowedGroup;
    }

    /** What the loops are or will be, and what the channels have to go with. */
    private IoKind loopKind(Faults faults) {
        EventLoopGroup given = given();
        if (given == null) {
            IoKind kind = ioKind != null ? ioKind : channels != null ? IoKind.NIO : IoKind.preferred();
            if (!kind.isAvailable()) {
                faults.add("ioKind", kind.toString(), "one that is available here");
            }
            return kind;
        }
        Optional<IoKind> kind = given instanceof IoEventLoopGroup loops ? IoKind.of(loops) : Optional.empty();
        if (kind.isEmpty() && channels == null) {
            faults.add(
                    "channels",
                    "not given",
                    "a factory of channels that " + given.getClass().getName() + " can run");
        }
        return kind.orElse(IoKind.NIO);
    }
}
