package dev.escapement.benchmarks;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.netty.NettyTransport;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a request over loopback cost with everything on, beside the least that any client on Netty must do?
 *
 * <p>{@code …Throughput}: 64 kept-alive connections on one event loop, each sending its next request when it has its answer
 * (closed loop). {@code …Latency}: one request at a time, its distribution sampled; a closed loop too, so that it says nothing of queues.
 * Ours has permits, deadline, attempt timeout, retry policy, reports and pool; {@link BareClient} has none of that. The server is
 * a process of its own, so that {@code -prof gc} counts the client alone. On two cores they share what there is:
 * compare within one run only.
 *
 * <p>Run with {@code java -jar benchmarks/target/benchmarks.jar TransportBenchmark -prof gc}.
 */
@State(Scope.Benchmark)
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

    private LoopbackServer server;
    private NettyTransport transport;
    private Client client;
    private Request request;
    private MultiThreadIoEventLoopGroup group;
    private final List<BareClient> bare = new ArrayList<>();

    @Setup(Level.Trial)
    public void open() throws IOException, InterruptedException {
        server = LoopbackServer.start();
        request = Request.of(Method.GET, server.uri(), Headers.empty(), Body.empty());
        transport = NettyTransport.builder().eventLoopThreads(1).build();
        client = Client.builder(transport, transport.schedulers())
                .policy(Policy.builder(BUDGET).build())
                .concurrency(CONNECTIONS)
                .build();
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        for (int i = 0; i < CONNECTIONS; i++) {
            bare.add(BareClient.connect(group, server.uri()));
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        transport.close();
        bare.forEach(BareClient::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        server.close();
    }

    /** Ours, 64 at a time. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(REQUESTS)
    public long escapementThroughput() throws InterruptedException {
        Chain chain = new Chain();
        for (int i = 0; i < CONNECTIONS; i++) {
            client.call(request, CallOptions.none(), chain);
        }
        chain.done.await();
        return chain.check();
    }

    /** Bare Netty, 64 at a time. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(REQUESTS)
    public long floorBareNettyThroughput() throws InterruptedException {
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
        return done.getCount();
    }

    /** Ours, one at a time. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public Report escapementLatency() {
        Report report = client.call(request).join();
        check(report);
        return report;
    }

    /** Bare Netty, one at a time. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public long floorBareNettyLatency() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        BareClient connection = bare.get(0);
        connection.whenAnswered = done::countDown;
        connection.send();
        done.await();
        return done.getCount();
    }

    private static void check(Report report) {
        if (report.outcome().kind() != Outcome.Kind.RESPONSE || report.attempts() != 1) {
            throw new IllegalStateException("not a measurement: " + report);
        }
    }

    /** Each report starts the next call, on the loop alone; failures end the run. */
    private final class Chain implements Consumer<Report> {

        private final CountDownLatch done = new CountDownLatch(CONNECTIONS);

        // Owned by the loop.
        private int left = REQUESTS - CONNECTIONS;
        private Report failed;

        @Override
        public void accept(Report report) {
            if (report.outcome().kind() != Outcome.Kind.RESPONSE || report.attempts() != 1) {
                failed = report;
                while (done.getCount() > 0) {
                    done.countDown();
                }
                return;
            }
            if (left-- > 0) {
                client.call(request, CallOptions.none(), this);
            } else {
                done.countDown();
            }
        }

        long check() {
            if (failed != null) {
                throw new IllegalStateException("not a measurement: " + failed);
            }
            return done.getCount();
        }
    }
}
