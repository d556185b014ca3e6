package dev.escapement.benchmarks;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the full stack cost around an operation: deadline, permit, breaker, budget, retry policy; and what do the
 * peers' stacks cost around the same one?
 *
 * <p>With {@code failures=0} the operation succeeds at once; with {@code failures=1} it answers 503, is retried at once and
 * succeeds. All threads share one client or one peer's stack, as the calls of one upstream do.
 *
 * <p>{@code …Inline}: the operation completes before it returns. {@code …Armed}: it completes after that, so that timers
 * are armed and disarmed, as over a socket; {@code ArmedWheel} on the wheel of any thread, {@code ArmedConfined} on a
 * wheel of the thread's own, as on an event loop. A peer that retries on a thread of its own gets its second answer inline.
 * The floor is made by hand: for each attempt two readings of the clock, around it a permit as an atomic pair, a
 * counter and a future, no timer.
 *
 * <p>Left out: sockets, a queue for permits, pauses, listeners, a breaker that opens. What the peers leave out is said
 * where they are set up ({@link Resilience4jStack}, {@link FailsafeStack}). Readings of a {@link ThreadLocal} are
 * in our figures: one an attempt, and one a call where the scheduler is the thread's. Run with
 * {@code java -jar benchmarks/target/benchmarks.jar FullStackBenchmark -prof gc}, with {@code -t 1} and {@code -t 2}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-Xmn192m"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class FullStackBenchmark {

    // What all stacks are told, as far as they have a word for it.

    static final Duration DEADLINE = Duration.ofSeconds(2);
    static final int PERMITS = 1_000;
    static final Duration WINDOW = Duration.ofSeconds(10);
    static final int MINIMUM_CALLS = 20;

    /** Above the half of the attempts that fail here, so that the breakers stay closed. */
    static final int FAILURE_PERCENT = 80;

    static final Duration SLOW = Duration.ofMillis(640);
    static final int SLOW_PERCENT = 90;

    private static final Request REQUEST = Request.get("http://upstream.test/");

    /** How many attempts of each call fail before one succeeds: 0 or 1. */
    @Param({"0", "1"})
    public int failures;

    private WheelScheduler wheel;
    private Client inline;
    private Client armed;
    private Client confined;
    private Resilience4jStack resilience4j;
    private FailsafeStack failsafe;

    /** Who calls: the transports and schedulers of the shared clients ask it for what is the thread's own. */
    private final ThreadLocal<Caller> callers = new ThreadLocal<>();

    private final MonotonicClock clock = MonotonicClock.system();
    private final AtomicLong floorPermits = new AtomicLong(PERMITS);
    private final AtomicLong floorCalls = new AtomicLong();

    @Setup
    public void open() {
        wheel = new WheelScheduler(ForkJoinPool.commonPool());
        inline = client(this::answerInside, Schedulers.of(wheel));
        armed = client(this::holdForLater, Schedulers.of(wheel));
        confined = client(this::holdForLater, new Loops());
        resilience4j = new Resilience4jStack();
        failsafe = new FailsafeStack();
    }

    @TearDown
    public void close() {
        wheel.close();
        resilience4j.close();
    }

    private static Client client(Transport transport, Schedulers schedulers) {
        return Client.builder(transport, schedulers)
                .policy(Policy.builder(DEADLINE)
                        .maxRetries(1)
                        .initialBackoff(Duration.ZERO)
                        .jitter(Jitter.NONE)
                        .budget(BudgetSettings.of(BigDecimal.ONE, 0, WINDOW)) // a retry for each call
                        .build())
                .concurrency(PERMITS)
                .breaker(BreakerSettings.builder()
                        .timeWindow(WINDOW)
                        .minimumCalls(MINIMUM_CALLS)
                        .failureRatePercent(FAILURE_PERCENT)
                        .slowCall(SLOW)
                        .slowRatePercent(SLOW_PERCENT)
                        .build())
                .build();
    }

    /** How the calls of a thread ended. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Endings {

        /** Calls that ended otherwise than with the good answer: 0, or the run says nothing. */
        public long failedCalls;

        private Response count(Response response) {
            if (!Operation.isSuccess(response)) {
                failedCalls++;
            }
            return response;
        }

        private Report count(Report report) {
            if (report.outcome() instanceof Outcome.Response answer) {
                count(answer.response());
            } else {
                failedCalls++;
            }
            return report;
        }
    }

    /** One thread that calls, one call at a time, and answers as the other side would. */
    @State(Scope.Thread)
    public static class Caller {

        private final ThreadScheduler loop = new ThreadScheduler();
        private Operation operation;
        private Supplier<CompletionStage<Response>> resilience4jInline;
        private Supplier<CompletionStage<Response>> resilience4jArmed;
        private Callable<Response> resilience4jSync;

        /** Our attempt that waits for its answer. */
        private @Nullable Exchange exchange;

        /** A peer's attempt that waits for its answer. */
        private @Nullable CompletableFuture<Response> future;

        @Setup
        public void open(FullStackBenchmark shared) {
            shared.callers.set(this);
            operation = new Operation(shared.failures);
            resilience4jInline = shared.resilience4j.async(this::answer);
            resilience4jArmed = shared.resilience4j.async(this::answerLater);
            resilience4jSync = shared.resilience4j.sync(this::answer);
        }

        /** Answers every attempt of our call, the later ones as they come. */
        private void answerExchanges() {
            Response response;
            do {
                response = operation.next();
                complete(exchange, response);
            } while (Operation.isFailure(response));
        }

        private CompletableFuture<Response> answer() {
            return CompletableFuture.completedFuture(operation.next());
        }

        /** What {@link #answerFuture} answers; but a retry is answered at once, since it may come on another thread. */
        private CompletableFuture<Response> answerLater() {
            if (operation.isRetried()) {
                return answer();
            }
            future = new CompletableFuture<>();
            return future;
        }

        private void answerFuture() {
            future.complete(operation.next());
        }
    }

    /** Takes the report of a thread's call. */
    @State(Scope.Thread)
    public static class Sink implements Consumer<Report> {

        private @Nullable Report taken;

        @Override
        public void accept(Report report) {
            taken = report;
        }

        /** The report of the call that has just ended. */
        private Report take() {
            Report report = Objects.requireNonNull(taken, "the call has not ended");
            taken = null;
            return report;
        }
    }

    // Ours.

    /** The callback form; everything happens inside the call. */
    @Benchmark
    public Report escapementFullCallbackInline(Caller caller, Sink sink, Endings endings) {
        inline.call(REQUEST, CallOptions.none(), sink);
        return endings.count(sink.take());
    }

    /** The future form; everything happens inside the call. */
    @Benchmark
    public Report escapementFullFutureInline(Caller caller, Endings endings) {
        return endings.count(inline.call(REQUEST, CallOptions.none()).join());
    }

    /** The callback form, its timer armed and disarmed on the wheel of any thread. */
    @Benchmark
    public Report escapementFullCallbackArmedWheel(Caller caller, Sink sink, Endings endings) {
        armed.call(REQUEST, CallOptions.none(), sink);
        caller.answerExchanges();
        return endings.count(sink.take());
    }

    /** The future form, its timer armed and disarmed on the wheel of any thread. */
    @Benchmark
    public Report escapementFullFutureArmedWheel(Caller caller, Endings endings) {
        CompletableFuture<Report> future = armed.call(REQUEST, CallOptions.none());
        caller.answerExchanges();
        return endings.count(future.join());
    }

    /** The callback form, its timer armed and disarmed on the thread's own wheel. */
    @Benchmark
    public Report escapementFullCallbackArmedConfined(Caller caller, Sink sink, Endings endings) {
        confined.call(REQUEST, CallOptions.none(), sink);
        caller.answerExchanges();
        return endings.count(sink.take());
    }

    /** The future form, its timer armed and disarmed on the thread's own wheel. */
    @Benchmark
    public Report escapementFullFutureArmedConfined(Caller caller, Endings endings) {
        CompletableFuture<Report> future = confined.call(REQUEST, CallOptions.none());
        caller.answerExchanges();
        return endings.count(future.join());
    }

    // Resilience4j.

    /** Futures, a scheduled task for the deadline; the operation is done when it returns. */
    @Benchmark
    public Response resilience4jFullAsyncInline(Caller caller, Endings endings) {
        return endings.count(
                caller.resilience4jInline.get().toCompletableFuture().join());
    }

    /** The same, the operation's first answer coming after it returned. */
    @Benchmark
    public Response resilience4jFullAsyncArmed(Caller caller, Endings endings) {
        CompletableFuture<Response> future = caller.resilience4jArmed.get().toCompletableFuture();
        caller.answerFuture();
        return endings.count(future.join());
    }

    /** On the caller's thread; its deadline is a timed wait and arms nothing. */
    @Benchmark
    public Response resilience4jFullSync(Caller caller, Endings endings) throws Exception {
        return endings.count(caller.resilience4jSync.call());
    }

    // Failsafe.

    /** On the common pool, a scheduled task for the deadline. */
    @Benchmark
    public Response failsafeFullAsync(Caller caller, Endings endings) {
        return endings.count(failsafe.executor.getAsync(caller.operation::next).join());
    }

    /** On the caller's thread, a scheduled task for the deadline. */
    @Benchmark
    public Response failsafeFullSync(Caller caller, Endings endings) {
        return endings.count(failsafe.executor.get(caller.operation::next));
    }

    // By hand.

    /** Permit, counter, future, and for each attempt two readings of the clock. */
    @Benchmark
    public Response floorByHand(Caller caller, Endings endings) {
        if (floorPermits.getAndDecrement() <= 0) {
            throw new IllegalStateException("no permit");
        }
        CompletableFuture<Response> future = new CompletableFuture<>();
        floorCalls.getAndIncrement();
        Response response;
        do {
            long startedNanos = clock.nanos();
            response = caller.operation.next();
            if (clock.nanos() - startedNanos >= DEADLINE.toNanos()) {
                throw new IllegalStateException("too late");
            }
        } while (Operation.isFailure(response));
        future.complete(response);
        floorPermits.getAndIncrement();
        return endings.count(future.join());
    }

    // The other side of our clients.

    private Attempt answerInside(Request request, Exchange exchange) {
        complete(exchange, callers.get().operation.next());
        return Attempt.OVER;
    }

    private Attempt holdForLater(Request request, Exchange exchange) {
        callers.get().exchange = exchange;
        return Attempt.OVER;
    }

    private static void complete(Exchange exchange, Response response) {
        exchange.connected(true);
        if (exchange.tryWrite()) {
            exchange.written(100);
            exchange.requestSent();
            exchange.replyStarted();
        }
        exchange.clean(ConnectionFate.REUSED, 0);
        exchange.succeed(response);
    }

    /** Each thread is the event loop of its own calls. */
    private final class Loops implements Schedulers {

        @Override
        public Scheduler forCall() {
            return callers.get().loop;
        }

        @Override
        public MonotonicClock clock() {
            return clock;
        }
    }
}
