package dev.escapement.benchmarks;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.Streaming;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.NettyTransportBuilder;
import dev.escapement.netty.TlsSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a request over loopback cost with everything on, beside the least that any client on Netty must do, and beside a client that has
 * a pool and nothing else of ours?
 *
 * <p>64 kept-alive connections on one event loop, each sending its next request when it has its answer (closed loop). Ours has
 * permits, deadline, attempt timeout, retry policy, breaker, reports and pool; {@link BareClient} has none of that, {@link PeerClient} a pool.
 * All three run on NIO with the JDK's TLS. {@code aggregated}: the answer is taken whole; {@code streamed}: at its head, and in
 * parts that are counted and dropped. The server is a process of its own, so that {@code -prof gc} and {@link CpuProfiler} count the
 * client alone. On two cores they share what there is: compare within one run only, and bytes before CPU before time.
 *
 * <p>Run with {@code java -jar benchmarks/target/benchmarks.jar TransportBenchmark -prof gc -prof
 * dev.escapement.benchmarks.CpuProfiler}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-Xmn192m"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(1)
public class TransportBenchmark {

    private static final int CONNECTIONS = 64;
    private static final int REQUESTS = 6_400;

    /** Long, so that a cold start on a busy machine is slow and no failure, which would open the breaker. */
    private static final Duration BUDGET = Duration.ofMinutes(1);

    private static final CallOptions STREAMED = CallOptions.none().withStreaming(Streaming.toEnd());

    /** In the clear, or over TLS. */
    @Param({"plain", "tls"})
    public String wire;

    /** Bytes of each answer's body. */
    @Param({"128", "65536"})
    public int body;

    private Path directory;
    private LoopbackServer server;
    private NettyTransport transport;
    private Client client;
    private Request request;
    private PeerClient peer;
    private MultiThreadIoEventLoopGroup group;
    private final List<BareClient> bare = new ArrayList<>();

    @Setup(Level.Trial)
    public void open() throws Exception {
        directory = Files.createTempDirectory("escapement-benchmark");
        Path keys = wire.equals("tls") ? TestKeys.make(directory) : null;
        Path pem = keys == null ? null : TestKeys.pem(keys);
        SslContext tls = pem == null ? null : TestKeys.client(pem);
        server = LoopbackServer.start(body, keys);
        request = Request.of(Method.GET, server.uri(), Headers.empty(), Body.empty());
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        transport = ours(pem);
        client = Client.builder(transport, transport.schedulers())
                .policy(Policy.builder(BUDGET).build())
                .concurrency(CONNECTIONS)
                .build();
        peer = new PeerClient(server.uri(), CONNECTIONS);
        for (int i = 0; i < CONNECTIONS; i++) {
            bare.add(BareClient.connect(group, server.uri(), tls));
        }
    }

    private NettyTransport ours(@Nullable Path pem) {
        NettyTransportBuilder builder = NettyTransport.builder().eventLoops(group);
        return (pem == null ? builder : builder.tls(TlsSettings.ofDefaults().withTrustCertificates(pem)))
                .connectTimeout(BUDGET)
                .tlsHandshakeTimeout(BUDGET)
                .build();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        peer.close();
        transport.close();
        bare.forEach(BareClient::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        server.close();
        try (var files = Files.list(directory)) {
            files.forEach(file -> file.toFile().delete());
        }
        Files.delete(directory);
    }

    /** Ours, answers taken whole. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long escapementAggregated() throws InterruptedException {
        return run(CallOptions.none());
    }

    /** Ours, answers taken in parts. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long escapementStreamed() throws InterruptedException {
        return run(STREAMED);
    }

    private long run(CallOptions options) throws InterruptedException {
        Chain chain = new Chain(options);
        for (int i = 0; i < CONNECTIONS; i++) {
            client.call(request, options, chain);
        }
        chain.done.await();
        return chain.check();
    }

    /** Bare Netty, which always gets parts; nobody puts them together. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long floorBareNetty() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(CONNECTIONS);
        for (BareClient connection : bare) {
            int[] left = {REQUESTS / CONNECTIONS};
            connection.whenAnswered = () -> {
                if (--left[0] > 0) {
                    connection.send();
                } else {
                    done.countDown();
                }
            };
        }
        bare.forEach(BareClient::send);
        done.await();
        return bare.stream().mapToLong(BareClient::bytes).sum();
    }

    /** async-http-client, answers taken whole. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long peerAggregated() throws InterruptedException {
        return peer.run(REQUESTS, CONNECTIONS, false);
    }

    /** async-http-client, answers taken in parts. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long peerStreamed() throws InterruptedException {
        return peer.run(REQUESTS, CONNECTIONS, true);
    }

    /** Each answer that was read starts the next call, on the loop alone; failures end the run. */
    private final class Chain implements Consumer<Report> {

        private final CallOptions options;
        private final CountDownLatch done = new CountDownLatch(CONNECTIONS);

        // Owned by the loop.
        private int left = REQUESTS - CONNECTIONS;
        private long bytes;
        private @Nullable Object failed;

        Chain(CallOptions options) {
            this.options = options;
        }

        @Override
        public void accept(Report report) {
            if (report.attempts() == 1 && report.outcome() instanceof Outcome.Response answered) {
                read(answered.response());
            } else {
                fail(report);
            }
        }

        private void read(Response response) {
            if (response.body().isStreamed()) {
                response.body().parts().subscribe(new Parts(this));
            } else {
                answered(response.body().length());
            }
        }

        void answered(long length) {
            bytes += length;
            if (left-- > 0) {
                client.call(request, options, this);
            } else {
                done.countDown();
            }
        }

        void fail(Object what) {
            failed = what;
            while (done.getCount() > 0) {
                done.countDown();
            }
        }

        long check() {
            if (failed != null) {
                throw new IllegalStateException("not a measurement: " + failed);
            }
            return bytes;
        }
    }

    /** Counts a body's bytes and drops them. */
    private static final class Parts implements Flow.Subscriber<ByteBuffer> {

        private final Chain chain;
        private long bytes;

        Parts(Chain chain) {
            this.chain = chain;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            bytes += part.remaining();
        }

        @Override
        public void onError(Throwable why) {
            chain.fail(why);
        }

        @Override
        public void onComplete() {
            chain.answered(bytes);
        }
    }
}
