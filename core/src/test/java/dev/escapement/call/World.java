package dev.escapement.call;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.guard.BreakerFigures;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.policy.RetryAfterDates;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Virtual time, a simulated transport and one client over both: the world of the engine's policy tests (V1). */
final class World {

    static final Request GET = Request.get("http://server.test/alpha");
    static final Request POST = Request.of(Method.POST, "http://server.test/alpha");

    /** Where a clock may stand (T1): at its first reading, somewhere, and an hour before the last one there is. */
    static final List<Long> ORIGINS =
            List.of(0L, 1_234_567_890_123L, Long.MAX_VALUE - Duration.ofHours(1).toNanos());

    final VirtualTime time;
    final SimulatedTransport transport;
    final List<Report> reports = new ArrayList<>();

    Policy policy = plain(UnaryOperator.identity());
    JitterSource jitter = JitterSource.seeded(42);
    BreakerSettings breaker = BreakerSettings.none();
    int concurrency = 10;
    int maxQueue = 10;
    private UnaryOperator<Client.Builder> clientWith = UnaryOperator.identity();
    private Client client;

    World() {
        this(new VirtualTime(1_000_000));
    }

    World(long originNanos) {
        this(new VirtualTime(originNanos));
    }

    World(VirtualTime time) {
        this.time = time;
        this.transport = new SimulatedTransport(time);
    }

    // Arguments of parameterized tests.

    /** Every clock origin. */
    static LongStream origins() {
        return ORIGINS.stream().mapToLong(Long::longValue);
    }

    /** Every clock origin with every edge: −1, 0 and +1 ns (A6). */
    static Stream<Arguments> edges() {
        return ORIGINS.stream().flatMap(origin -> Stream.of(-1L, 0L, 1L).map(edge -> Arguments.of(origin, edge)));
    }

    // Units.

    static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    static Duration ns(long nanos) {
        return Duration.ofNanos(nanos);
    }

    /** Several lengths in milliseconds. */
    static List<Duration> allMs(long... millis) {
        return Arrays.stream(millis).mapToObj(World::ms).toList();
    }

    // What it is made of.

    /** Overall 1,000, attempt 100, backoff 10 doubling to 1,000 without jitter, 1 retry, reserve 0, whole attempts, no budget, no dates. */
    static Policy plain(UnaryOperator<PolicyBuilder> with) {
        return plain(ms(1_000), with);
    }

    /** The same with another overall timeout. */
    static Policy plain(Duration overall, UnaryOperator<PolicyBuilder> with) {
        return with.apply(Policy.builder(overall)
                        .version("plain")
                        .attemptTimeout(ms(100))
                        .maxRetries(1)
                        .initialBackoff(ms(10))
                        .maxBackoff(ms(1_000))
                        .jitter(Jitter.NONE)
                        .attemptFit(AttemptFit.WHOLE)
                        .cleanupReserve(ms(0))
                        .maxQueueWait(ms(1_000))
                        .serverDelayJitterPercent(0)
                        .retryAfterDates(RetryAfterDates.IGNORED)
                        .budget(BudgetSettings.none()))
                .build();
    }

    World policy(UnaryOperator<PolicyBuilder> with) {
        return policy(ms(1_000), with);
    }

    World policy(Duration overall, UnaryOperator<PolicyBuilder> with) {
        policy = plain(overall, with);
        return this;
    }

    /** So many permits, and so many places in their queue. */
    World permits(int permits, int places) {
        concurrency = permits;
        maxQueue = places;
        return this;
    }

    /** A breaker that opens after so many failures in a row, and by no other rule; it stays open for that long, then one trial runs. */
    World breaker(int failures, Duration openPeriod) {
        breaker = BreakerSettings.builder()
                .consecutiveFailures(failures)
                .failureRatePercent(0)
                .slowRatePercent(0)
                .openPeriod(openPeriod)
                .build();
        return this;
    }

    /** Whatever else the client is made of. */
    World client(UnaryOperator<Client.Builder> with) {
        clientWith = with;
        return this;
    }

    Client client() {
        if (client == null) {
            client = clientBuilder().build();
        }
        return client;
    }

    /** A client of this world that the world does not know of. */
    Client.Builder clientBuilder() {
        return clientWith.apply(Client.builder(transport, Schedulers.of(time))
                .policy(policy)
                .concurrency(concurrency)
                .maxQueue(maxQueue)
                .jitter(jitter)
                .breaker(breaker));
    }

    // What is done in it.

    Call call(Request request) {
        return call(request, CallOptions.none());
    }

    /** Makes a call and lets everything run that is ready. */
    Call call(Request request, CallOptions options) {
        Call call = client().call(request, options, reports::add);
        time.runReady();
        return call;
    }

    /** A call that has entered and was not started yet, for tests that act while it starts. */
    CallMachine entered(Request request) {
        return new CallMachine(
                client(),
                time,
                new OperationClass(policy, time.now()).terms(),
                request,
                CallOptions.none(),
                reports::add,
                time.now());
    }

    /** Holds all permits, as other calls would. */
    World holdPermits() {
        while (client().permits().tryAcquire()) {
            // All of them.
        }
        return this;
    }

    /** Gives one of them back, and says so as a call does that is clean. */
    void givePermit() {
        client().permits().release();
        client().callCleaned();
        time.runReady();
    }

    /**
     * Lets things happen while a machine is being woken, before it takes its signals: so it sees them all at one look,
     * whatever their order, on every kind of home. Some timer must be armed, and is woken early (T5).
     */
    void atOneLook(Runnable things) {
        int next = time.callOuts().count(CallOut.IN_CONTEXT) + 1;
        time.callOuts().before(CallOut.IN_CONTEXT, next).run(things);
        time.wakeAll();
        time.runReady();
    }

    /** Moves the clock to that instant, counted from its origin, and runs nothing: the next look is late. */
    void stallTo(Duration instant) {
        time.stall(instant.minus(time.elapsed()));
    }

    /** Runs everything up to that instant, counted from the clock's origin. */
    void runTo(Duration instant) {
        time.advance(instant.minus(time.elapsed()));
    }

    // What is seen of it.

    /** What came last of several. */
    Report lastReport() {
        return reports.get(reports.size() - 1);
    }

    /** What the breaker of the one endpoint says now. */
    BreakerFigures breaker() {
        if (client().endpointFigures().size() != 1) {
            throw new AssertionError("expected one endpoint, got " + client().endpointFigures());
        }
        return client().endpointFigures().get(0).breaker();
    }

    /** The one report there is. */
    Report report() {
        if (reports.size() != 1) {
            throw new AssertionError("expected one report, got " + reports);
        }
        return reports.get(0);
    }

    /** How the one call ended. */
    Outcome.Kind kind() {
        return report().outcome().kind();
    }

    /** When the one call ended, counted from the clock's origin. */
    Duration endedAt() {
        return endedAt(report());
    }

    /** When that call ended. */
    Duration endedAt(Report report) {
        return ns(report.endedNanos() - time.instant(Duration.ZERO));
    }

    /** When each attempt was sent. */
    List<Duration> sentAt() {
        return transport.attempts().stream().map(SimulatedAttempt::startedAt).toList();
    }

    /**
     * Releases the reports, and fails if anything is held or left: permits, sleepers, timers, tasks, bodies, attempts that
     * are not clean.
     */
    void assertClean() {
        reports.forEach(Report::release);
        time.runReady();
        ClientFigures figures = client().figures();
        if (figures.permitsHeld() + figures.waiting() + figures.asleep() > 0) {
            throw new AssertionError("left: " + figures);
        }
        if (!transport.bodies().held().isEmpty()) {
            throw new AssertionError("not released: " + transport.bodies().held());
        }
        transport.assertClean();
        time.assertNothingLeft();
    }
}
