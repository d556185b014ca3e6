package dev.escapement.benchmarks;

import dev.escapement.call.Call;
import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.Policy;
import dev.escapement.report.Report;
import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a whole call cost beside its transport: deadline, permit, attempt, decision, report, delivery?
 *
 * <p>{@code …Inline}: the transport completes inside {@code send}, so that the call never sleeps and no timer is needed.
 * {@code …Armed}: it completes just after {@code send} has returned, so that the attempt's timer is armed and disarmed and
 * the call is listed for its client's close, as every call over a socket is; {@code Wheel} by the scheduler of any
 * thread, {@code Confined} by a wheel of the thread's own, as on an event loop. The floor is made by hand: a permit as
 * an atomic pair, two readings of the clock, a counter, a future, no timer.
 *
 * <p>Left out: sockets, retries, a queue for permits, budgets and breakers. Run with
 * {@code java -jar benchmarks/target/benchmarks.jar CallBenchmark -prof gc}, with {@code -t 1} and {@code -t 2}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-Xmn192m"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallBenchmark {

    private static final Request REQUEST = Request.get("http://upstream.test/");
    private static final Response RESPONSE = Response.of(200);

    private WheelScheduler wheel;
    private Client inline;

    private final MonotonicClock clock = MonotonicClock.system();
    private final AtomicLong floorPermits = new AtomicLong(1_000);
    private final AtomicLong floorCalls = new AtomicLong();

    /** A client whose calls complete when this thread says so. */
    @State(Scope.Thread)
    public static class Armed {

        private final HeldTransport transport = new HeldTransport();
        private Client client;

        @Setup
        public void open(CallBenchmark shared) {
            client = client(transport, Schedulers.of(shared.wheel));
        }
    }

    /** The same at home on a wheel of this thread's own. */
    @State(Scope.Thread)
    public static class Confined {

        private final HeldTransport transport = new HeldTransport();
        private Client client;

        @Setup
        public void open() {
            client = client(transport, Schedulers.of(new ThreadScheduler()));
        }
    }

    @Setup
    public void open() {
        wheel = new WheelScheduler(ForkJoinPool.commonPool());
        inline = client(new InlineTransport(), Schedulers.of(wheel));
    }

    @TearDown
    public void close() {
        wheel.close();
    }

    private static Client client(Transport transport, Schedulers schedulers) {
        return Client.builder(transport, schedulers)
                .policy(Policy.standard())
                .concurrency(1_000)
                .build();
    }

    /** The callback form, completing inside send. */
    @Benchmark
    public Call escapementCallCallbackInline(Sink sink) {
        return inline.call(REQUEST, CallOptions.none(), sink);
    }

    /** The future form, completing inside send. */
    @Benchmark
    public Report escapementCallFutureInline() {
        return inline.call(REQUEST, CallOptions.none()).join();
    }

    /** The callback form, its timer armed and disarmed on the wheel of any thread. */
    @Benchmark
    public Call escapementCallCallbackArmedWheel(Armed armed, Sink sink) {
        Call call = armed.client.call(REQUEST, CallOptions.none(), sink);
        armed.transport.complete();
        return call;
    }

    /** The future form, its timer armed and disarmed on the wheel of any thread. */
    @Benchmark
    public Report escapementCallFutureArmedWheel(Armed armed) {
        CompletableFuture<Report> future = armed.client.call(REQUEST, CallOptions.none());
        armed.transport.complete();
        return future.join();
    }

    /** The callback form, its timer armed and disarmed on the thread's own wheel. */
    @Benchmark
    public Call escapementCallCallbackArmedConfined(Confined confined, Sink sink) {
        Call call = confined.client.call(REQUEST, CallOptions.none(), sink);
        confined.transport.complete();
        return call;
    }

    /** The future form, its timer armed and disarmed on the thread's own wheel. */
    @Benchmark
    public Report escapementCallFutureArmedConfined(Confined confined) {
        CompletableFuture<Report> future = confined.client.call(REQUEST, CallOptions.none());
        confined.transport.complete();
        return future.join();
    }

    /** By hand: permit, clock, counter, clock, future. */
    @Benchmark
    public Response floorByHand() {
        long startedNanos = clock.nanos();
        if (floorPermits.getAndDecrement() <= 0) {
            throw new IllegalStateException("no permit");
        }
        CompletableFuture<Response> future = new CompletableFuture<>();
        floorCalls.getAndIncrement();
        if (clock.nanos() - startedNanos < TimeUnit.SECONDS.toNanos(2)) {
            future.complete(RESPONSE);
        }
        floorPermits.getAndIncrement();
        return future.join();
    }

    /** Takes the reports of a thread. */
    @State(Scope.Thread)
    public static class Sink implements java.util.function.Consumer<Report> {

        /** The last one, so that none is optimised away. */
        public Report last;

        @Override
        public void accept(Report report) {
            last = report;
        }
    }

    private static final class InlineTransport implements Transport {

        @Override
        public Attempt send(Request request, Exchange exchange) {
            succeed(exchange);
            return Attempt.OVER;
        }
    }

    /** Keeps the exchange until it is told to complete it. */
    private static final class HeldTransport implements Transport {

        private Exchange held;

        @Override
        public Attempt send(Request request, Exchange exchange) {
            held = exchange;
            return Attempt.OVER;
        }

        void complete() {
            succeed(held);
        }
    }

    private static void succeed(Exchange exchange) {
        exchange.connected(true);
        if (exchange.tryWrite()) {
            exchange.written(100);
            exchange.requestSent();
            exchange.replyStarted();
        }
        exchange.clean(ConnectionFate.REUSED, 0);
        exchange.succeed(RESPONSE);
    }
}
