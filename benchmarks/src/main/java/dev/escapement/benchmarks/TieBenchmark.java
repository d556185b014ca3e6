package dev.escapement.benchmarks;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.netty.EventLoopSchedulers;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.ExecutorScheduler;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Is a tie ever decided the wrong way, under load, on any scheduler (A2, A3)?
 *
 * <p>Calls are started in batches on a clock that moves in steps of 100 µs, and completed by hand about when their attempt timeout or
 * overall deadline falls due, so that completions and timers meet at one instant by the thousand. Every report is judged by its own
 * instants: a response at or past a deadline, or a timeout before one, is {@code wrong}. {@code ties} counts the calls decided
 * exactly at the instant, {@code responses} those that came in time: all three kinds must occur for the run to mean
 * something. The time for a call says nothing here.
 *
 * <p>Run with {@code java -jar benchmarks/target/benchmarks.jar TieBenchmark}; {@code wrong} must be 0.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-Xmn512m"})
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 5)
@Threads(1)
public class TieBenchmark {

    private static final int BATCH = 512;
    private static final long STEP_NANOS = 100_000;
    private static final Response RESPONSE = Response.of(200);

    /** Which scheduler is the calls' home. */
    @Param({"wheel", "executor", "nettyLoop", "confinedWheel"})
    public String scheduler;

    /** Which instant the completions meet. */
    @Param({"attempt", "overall"})
    public String deadline;

    private long timeoutNanos;
    private Schedulers schedulers;
    private ThreadScheduler confined;
    private AutoCloseable toClose;

    /** What the reports say; reset by JMH for each iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Counts {
        public long wrong;
        public long ties;
        public long responses;
    }

    /** One thread's client, its transport, and the batch under way. */
    @State(Scope.Thread)
    public static class Batch implements Consumer<Report> {

        private final Request[] requests = new Request[BATCH];
        private final CallOptions[] options = new CallOptions[BATCH];
        private final Map<Request, Integer> places = new IdentityHashMap<>();

        /** Written by the sends, which {@link #settled} publishes; null where a call ended before it could send. */
        private final Exchange[] exchanges = new Exchange[BATCH];

        /** Calls that have sent, or ended without. */
        private final AtomicInteger settled = new AtomicInteger();

        private final AtomicInteger ended = new AtomicInteger();
        private final LongAdder wrong = new LongAdder();
        private final LongAdder ties = new LongAdder();
        private final LongAdder responses = new LongAdder();
        private Client client;
        private long timeoutNanos;
        private boolean attempt;
        private int round;

        @Setup
        public void open(TieBenchmark shared) {
            for (int i = 0; i < BATCH; i++) {
                requests[i] = Request.get("http://upstream.test/" + i);
                options[i] = CallOptions.none().withAttachment(i);
                places.put(requests[i], i);
            }
            timeoutNanos = shared.timeoutNanos;
            attempt = shared.deadline.equals("attempt");
            Policy policy = Policy.builder(Duration.ofNanos(attempt ? 100 * timeoutNanos : timeoutNanos))
                    .attemptTimeout(Duration.ofNanos(attempt ? timeoutNanos : 100 * timeoutNanos))
                    .attemptFit(AttemptFit.WHOLE)
                    .cleanupReserve(Duration.ZERO)
                    .maxRetries(0)
                    .build();
            client = Client.builder(new HoldingTransport(this), shared.schedulers)
                    .policy(policy)
                    .breaker(BreakerSettings.none()) // half of the calls time out, by design
                    .concurrency(2 * BATCH)
                    .build();
        }

        /** An attempt's deadline counts from its start, a call's from its entry: a call that had to hop starts later. */
        @Override
        public void accept(Report report) {
            Exchange exchange = exchanges[(int) report.attachment().orElseThrow()];
            if (report.attempts() == 0) {
                settled.incrementAndGet();
            }
            long deadlineNanos =
                    attempt && exchange != null ? exchange.deadlineNanos() : report.startedNanos() + timeoutNanos;
            boolean response = report.outcome().kind() == Outcome.Kind.RESPONSE;
            if (response ? report.endedNanos() >= deadlineNanos : report.endedNanos() < deadlineNanos) {
                wrong.increment();
            }
            if (report.endedNanos() == deadlineNanos) {
                ties.increment();
            }
            if (response) {
                responses.increment();
            }
            ended.incrementAndGet();
        }
    }

    private static final class HoldingTransport implements Transport {

        private final Batch batch;

        HoldingTransport(Batch batch) {
            this.batch = batch;
        }

        @Override
        public Attempt send(Request request, Exchange exchange) {
            batch.exchanges[batch.places.get(request)] = exchange;
            batch.settled.incrementAndGet();
            return Attempt.OVER;
        }
    }

    /** Builds the scheduler under test behind the coarse clock. */
    @Setup(Level.Trial)
    public void open() {
        timeoutNanos = 20 * STEP_NANOS;
        switch (scheduler) {
            case "wheel" -> {
                WheelScheduler wheel = new WheelScheduler(ForkJoinPool.commonPool());
                schedulers = Schedulers.of(wheel);
                toClose = wheel;
            }
            case "executor" -> {
                ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
                schedulers = Schedulers.of(new ExecutorScheduler(executor));
                toClose = executor::shutdownNow;
            }
            case "nettyLoop" -> {
                MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
                schedulers = EventLoopSchedulers.of(group);
                toClose = () -> group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
            }
            case "confinedWheel" -> {
                confined = new ThreadScheduler();
                schedulers = Schedulers.of(confined);
                toClose = () -> {};
            }
            default -> throw new IllegalArgumentException("scheduler = " + scheduler);
        }
        schedulers = QuantisedScheduler.over(schedulers, STEP_NANOS);
    }

    /** Ends the scheduler's threads. */
    @TearDown(Level.Trial)
    public void close() throws Exception {
        toClose.close();
    }

    /** A batch of calls whose completions meet their timers. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int escapementTies(Batch batch, Counts counts) {
        batch.settled.set(0);
        batch.ended.set(0);
        long enteredNanos = schedulers.clock().nanos();
        for (int i = 0; i < BATCH; i++) {
            batch.exchanges[i] = null;
            batch.client.call(batch.requests[i], batch.options[i], batch);
        }
        while (batch.settled.get() < BATCH) {
            Thread.onSpinWait();
        }
        // A step early, on the instant, a step late: in turn, and spread within the step by the work itself.
        long meetNanos = enteredNanos + timeoutNanos + (batch.round % 3 - 1) * STEP_NANOS;
        batch.round++;
        while (schedulers.clock().nanos() < meetNanos) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < BATCH; i++) {
            if (confined != null && (i & 63) == 0) {
                confined.poll();
            }
            Exchange exchange = batch.exchanges[i];
            if (exchange != null) {
                exchange.clean(ConnectionFate.NONE, 0);
                exchange.succeed(RESPONSE);
            }
        }
        while (batch.ended.get() < BATCH) {
            if (confined != null) {
                confined.poll();
            }
            Thread.onSpinWait();
        }
        counts.wrong += batch.wrong.sumThenReset();
        counts.ties += batch.ties.sumThenReset();
        counts.responses += batch.responses.sumThenReset();
        return batch.round;
    }
}
