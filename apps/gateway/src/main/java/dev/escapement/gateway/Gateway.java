package dev.escapement.gateway;

import dev.escapement.gateway.admin.AdminServer;
import dev.escapement.gateway.admin.LoopWatch;
import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.inbound.InboundServer;
import dev.escapement.gateway.proxy.Proxy;
import dev.escapement.gateway.proxy.Routing;
import dev.escapement.gateway.record.AccessLog;
import dev.escapement.gateway.record.AllSinks;
import dev.escapement.gateway.record.Metrics;
import dev.escapement.gateway.reload.ConfigSource;
import dev.escapement.gateway.reload.ConfigStore;
import dev.escapement.gateway.reload.ReloadLoop;
import dev.escapement.gateway.reload.ReloadResult;
import dev.escapement.gateway.upstream.Upstreams;
import dev.escapement.netty.EventLoopSchedulers;
import dev.escapement.time.MonotonicClock;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running gateway: its parts, put together, and taken apart again. Any thread but an event loop's.
 *
 * <p>Clients' connections and the calls of their requests run on the same event loops, one a processor; the operators' port, the writer of
 * the access log and the reading of configurations have threads of their own.
 */
public final class Gateway {

    private final Consumer<String> log;
    private final IoEventLoopGroup loops;
    private final Upstreams upstreams;
    private final ConfigStore<Routing> store;
    private final ReloadLoop reload;
    private final AccessLog accessLog;
    private final InboundServer inbound;
    private final AdminServer admin;
    private final LoopWatch loopWatch;
    private final GracefulStop stop;

    private Gateway(ConfigSource source, Addresses addresses, Consumer<String> log) throws IOException {
        this.log = log;
        MonotonicClock clock = MonotonicClock.system();
        loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory("escapement-loop"),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        loopWatch = new LoopWatch(loops, clock);
        upstreams = new Upstreams(EventLoopSchedulers.of(loops));
        try {
            LaterLog lines = new LaterLog();
            store = new ConfigStore<>(
                    source.name(), addresses, new Versions(upstreams, lines), InstantSource.system(), log);
            load(source);
            accessLog = AccessLog.open(store.config().accessLog(), clock, log);
            lines.log = accessLog;
        } catch (IOException | RuntimeException e) {
            endLoops();
            throw e;
        }
        Metrics metrics = new Metrics(clock);
        reload = new ReloadLoop(store, source, clock);
        try {
            Proxy proxy = new Proxy(store::version, new AllSinks(List.of(metrics, accessLog)), clock);
            inbound = InboundServer.listen(loops, store::config, proxy);
            stop = new GracefulStop(this);
            admin = AdminServer.start(store.config().admin(), new GatewayView(this), metrics);
        } catch (IOException | RuntimeException e) {
            accessLog.close();
            endLoops();
            throw e;
        }
        reload.start();
    }

    /**
     * Starts one.
     *
     * @param addresses that hold instead of the configuration's
     * @param log told what operators should know, a line at a time
     * @throws IOException saying why it cannot be: the configuration's faults, an address that is taken
     */
    public static Gateway start(ConfigSource source, Addresses addresses, Consumer<String> log) throws IOException {
        return new Gateway(source, addresses, log);
    }

    /** Told of versions before the log itself can be opened, which takes the first of them. */
    private static final class LaterLog implements Consumer<AccessLogConfig> {

        private volatile @Nullable AccessLog log;

        @Override
        public void accept(AccessLogConfig config) {
            AccessLog opened = log;
            if (opened != null) {
                opened.apply(config);
            }
        }
    }

    private void load(ConfigSource source) throws IOException {
        byte[] text = source.read()
                .orElseThrow(() -> new IOException(source.name() + ": there is no such file, or it is empty"));
        ReloadResult result = store.load(text);
        if (result.kind() == ReloadResult.Kind.REFUSED) {
            throw new IOException(
                    source.name() + ": the configuration has " + result.faults().size() + " faults");
        }
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return inbound.address();
    }

    /** Where operators connect. */
    public InetSocketAddress adminAddress() {
        return admin.address();
    }

    /** Reads the configuration again, without waiting for what comes of it. */
    public void reload() {
        reload.request();
    }

    /** Writes the access log to the file of its name from now on, which may be another file by now. */
    public void reopenLog() {
        accessLog.reopen();
    }

    /** Begins a graceful stop; a second time, ends at once. Does not wait. */
    public void stop() {
        if (!stop.begin()) {
            stop.hurry();
        }
    }

    /**
     * Completes when nothing of the gateway runs any more.
     *
     * @return true if no request was cut
     */
    public CompletableFuture<Boolean> ended() {
        return stop.ended();
    }

    // For the parts.

    ConfigStore<Routing> store() {
        return store;
    }

    ReloadLoop reloadLoop() {
        return reload;
    }

    InboundServer inbound() {
        return inbound;
    }

    AccessLog accessLog() {
        return accessLog;
    }

    LoopWatch loopWatch() {
        return loopWatch;
    }

    GracefulStop graceful() {
        return stop;
    }

    GatewayConfig config() {
        return store.config();
    }

    void log(String line) {
        log.accept(line);
    }

    /** The last step: nobody is served any more. The log is written to its end, and the operators' port goes last. */
    void takeApart() {
        reload.close();
        upstreams.close();
        accessLog.close();
        admin.close();
        endLoops();
    }

    private void endLoops() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(Duration.ofSeconds(2).toMillis());
    }
}
