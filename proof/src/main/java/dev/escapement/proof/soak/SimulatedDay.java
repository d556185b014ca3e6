package dev.escapement.proof.soak;

import dev.escapement.call.Call;
import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.ClientFigures;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.proof.soak.DayUpstream.Manner;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A day of a gateway's traffic in virtual time: load that follows the clock, bursts, incidents and deploys at three endpoints,
 * stalls of the process, a wall clock that jumps, policies that are replaced, breakers opened by hand, a scheduler that refuses
 * work, callers that cancel, transports that misbehave; every guard is on. In the last minute of traffic the client is closed.
 *
 * <p>At each minute the figures are within their bounds; each hour ends at rest, where all of them are zero again (A5, L3, E8, G1,
 * G2), each report's word about the effect is held against what took place (E2–E4), and what is over is forgotten. Everything
 * follows from the seed; the digest tells two runs apart. Confined to one thread.
 */
final class SimulatedDay {

    /** How busy each hour is, in percent of the busiest. */
    private static final int[] BUSY = {
        11, 7, 5, 4, 4, 6, 14, 33, 61, 83, 89, 92, 86, 83, 83, 81, 78, 83, 94, 100, 83, 56, 33, 19
    };

    private static final int MOST_CALLS_A_MINUTE = 300;
    private static final int MINUTES_OF_TRAFFIC = 58;
    private static final int CONCURRENCY = 12;
    private static final int MAX_QUEUE = 9;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant FIRST_MORNING = Instant.parse("2026-11-30T00:00:00Z");

    private final VirtualTime time = new VirtualTime(86_400_000_000_007L, VirtualTime.Home.WHEEL);
    private final SimulatedTransport transport = new SimulatedTransport(time);
    private final List<Endpoint> endpoints = DayUpstream.endpoints();
    private final List<Policy> policies = DayPolicies.nameless();
    private final MessageDigest digest;

    // A stream of draws for each role.
    private final SplittableRandom arrivals;
    private final SplittableRandom requests;
    private final SplittableRandom weather;
    private final SplittableRandom operator;

    private final DayUpstream upstream;
    private final Client client;

    /** Calls of this hour. */
    private final List<DayCall> calls = new ArrayList<>();

    private Duration wallClockError = Duration.ZERO;
    private long begun;
    private long ended;
    private final Map<Outcome.Kind, Long> outcomes = new EnumMap<>(Outcome.Kind.class);

    SimulatedDay(long seed) {
        SplittableRandom root = new SplittableRandom(seed);
        arrivals = root.split();
        requests = root.split();
        weather = root.split();
        operator = root.split();
        upstream = new DayUpstream(
                time, root.split(), this::wallClock, Weather.draw(weather, time.now(), endpoints.size()));
        upstream.serve(transport);
        client = Client.builder(transport, Schedulers.of(time))
                .policy(policies.get(0))
                .operationClass(DayPolicies.APPEND, DayPolicies.append())
                .operationClass(DayPolicies.PROBE, DayPolicies.probe())
                .operationClass(DayPolicies.FLUSH, DayPolicies.flush())
                .endpoints(EndpointPicker.leastLoaded(endpoints, root.nextLong()))
                .concurrency(CONCURRENCY)
                .maxQueue(MAX_QUEUE)
                .jitter(JitterSource.seeded(root.nextLong()))
                .wallClock(this::wallClock)
                .build();
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private Instant wallClock() {
        return FIRST_MORNING.plus(time.elapsed()).plus(wallClockError);
    }

    /** Lives through the next hour of the day, from 0; the last one closes the client. */
    void hour(int hour) {
        upstream.setWeather(Weather.draw(weather, time.now(), endpoints.size()));
        long start = time.instant(Duration.ofHours(hour));
        planOperations(start);
        CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);
        for (int minute = 0; minute < MINUTES_OF_TRAFFIC; minute++) {
            long from = start + MINUTE.toNanos() * minute;
            planCalls(from, BUSY[hour]);
            if (hour == BUSY.length - 1 && minute == MINUTES_OF_TRAFFIC - 1) {
                time.advanceTo(Math.max(time.now(), from + MINUTE.toNanos() / 2));
                closing = client.close(Duration.ofMillis(20));
            }
            time.advanceTo(Math.max(time.now(), from + MINUTE.toNanos()));
            checkMinute();
        }
        time.advanceTo(time.instant(Duration.ofHours(hour + 1)));
        checkRest();
        require(closing.isDone(), "S1 the client has not closed");
        forget();
    }

    // What happens.

    private void planCalls(long fromNanos, int percent) {
        int left = MOST_CALLS_A_MINUTE * percent / 100;
        while (left > 0) {
            int burst = arrivals.nextInt(12) == 0 ? Math.min(left, arrivals.nextInt(2, 40)) : 1;
            left -= burst;
            at(fromNanos + arrivals.nextLong(MINUTE.toNanos()), () -> {
                for (int i = 0; i < burst; i++) {
                    call();
                }
            });
        }
    }

    private void call() {
        int kind = requests.nextInt(100);
        Method method = kind < 60 ? Method.GET : kind < 85 ? Method.POST : Method.PUT;
        boolean keyed = method.equals(Method.POST) && requests.nextBoolean();
        int manner = requests.nextInt(1_000);
        Manner drawn = manner < 900
                ? Manner.PROMPT
                : manner < 960 ? Manner.SLOW : manner < 998 ? Manner.STUBBORN : Manner.THROWING;
        long number = ++begun;
        CallOptions options = CallOptions.none();
        if (keyed) {
            options = options.withIdempotencyKey("call-" + number);
        }
        options = switch (requests.nextInt(10)) {
            case 0 -> options.withOperationClass(DayPolicies.PROBE);
            case 1, 2 -> options.withOperationClass(DayPolicies.APPEND);
            case 3 -> options.withOperationClass(DayPolicies.FLUSH);
            default -> options;
        };
        if (requests.nextInt(50) == 0) {
            options = options.withDeadlineNanos(time.now() + requests.nextLong(50_000_000));
        }
        Request request = Request.of(method, "http://" + DayUpstream.HOST + "/" + number)
                .with(DayUpstream.CALL, Long.toString(number))
                .with(DayUpstream.MANNER, drawn.name());
        DayCall call = new DayCall(this, number, method, keyed, drawn == Manner.THROWING);
        calls.add(call);
        Call running = client.call(request, options, call);
        if (requests.nextInt(40) == 0) {
            time.after(Duration.ofNanos(requests.nextLong(400_000_000)), running::cancel);
        }
    }

    /** What operators, machines and clocks do to the process in an hour. */
    private void planOperations(long startNanos) {
        for (int i = 0; i < 25; i++) {
            long at = startNanos + operator.nextLong(MINUTE.toNanos() * (MINUTES_OF_TRAFFIC - 1));
            Endpoint endpoint = endpoints.get(operator.nextInt(endpoints.size()));
            Duration length = Duration.ofMillis(operator.nextInt(1, 3_000));
            switch (operator.nextInt(10)) {
                case 0, 1, 2, 3 -> at(at, () -> time.stall(length));
                case 4, 5 -> at(at, time::wakeAll);
                case 6 ->
                    at(
                            at,
                            () -> wallClockError =
                                    wallClockError.isZero() ? Duration.ofHours(1) : wallClockError.negated());
                case 7 -> {
                    Policy next = policies.get(operator.nextInt(policies.size()));
                    at(at, () -> client.update(next));
                }
                case 8 -> {
                    at(at, () -> client.forceOpenBreaker(endpoint));
                    at(at + length.toNanos(), () -> client.closeBreaker(endpoint));
                }
                default -> {
                    at(at, time::refuseTasks);
                    at(at + length.toNanos() / 10, time::acceptTasks);
                }
            }
        }
    }

    private void at(long instantNanos, Runnable event) {
        // A stall may have gone beyond.
        time.at(Math.max(instantNanos, time.now()), event);
    }

    void ended(DayCall call, Report report) {
        ended++;
        outcomes.merge(report.outcome().kind(), 1L, Long::sum);
        note(call.trace(report));
    }

    private void note(String line) {
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }

    // What is seen.

    private void checkMinute() {
        ClientFigures figures = client.figures();
        List<EndpointFigures> guarded = client.endpointFigures();
        note(time.elapsed() + " " + figures + " " + guarded);
        long running = begun - ended;
        require(figures.permitsHeld() >= 0 && figures.permitsHeld() <= CONCURRENCY, "L3 " + figures);
        require(figures.waiting() >= 0 && figures.waiting() <= MAX_QUEUE, "L2 " + figures);
        // Who runs sleeps, and so may who cleans up; each of them is armed at most once.
        require(running >= 0 && running <= figures.asleep(), "A5 " + running + " calls run, " + figures);
        require(time.armedTimers() <= figures.asleep(), "E8 " + time.armedTimers() + " timers, " + figures);
        require(
                transport.bodies().held().size() <= figures.asleep(),
                "R9 " + transport.bodies().held());
        for (EndpointFigures endpoint : guarded) {
            require(endpoint.inFlight() >= 0 && endpoint.inFlight() <= figures.asleep(), "E8 " + endpoint);
            require(endpoint.breaker().trialsRunning() <= 1, "G2 " + endpoint);
        }
        require(figures.failedCallbacks() + figures.failedCallOuts() == 0, "A5 " + figures);
    }

    private void checkRest() {
        checkMinute();
        ClientFigures figures = client.figures();
        require(begun == ended, "A5 " + (begun - ended) + " calls have no outcome");
        require(figures.permitsHeld() + figures.waiting() + figures.asleep() == 0, "L3 " + figures);
        require(transport.bodies().held().isEmpty(), "A5 " + transport.bodies().held());
        for (EndpointFigures endpoint : client.endpointFigures()) {
            require(endpoint.inFlight() + endpoint.breaker().trialsRunning() == 0, "E8 " + endpoint);
        }
        for (BudgetFigures budget : List.of(
                client.budgetFigures(),
                client.budgetFigures(DayPolicies.APPEND),
                client.budgetFigures(DayPolicies.PROBE),
                client.budgetFigures(DayPolicies.FLUSH))) {
            require(budget.deposits() + budget.reserved() == 0, "G1 " + budget);
        }
        transport.assertClean();
        time.assertNothingLeft();
        calls.forEach(call -> call.checkEffects(upstream.effects(call.number())));
    }

    private void forget() {
        calls.clear();
        upstream.forget();
        transport.forgetEnded();
    }

    private void require(boolean so, String otherwise) {
        if (!so) {
            throw new AssertionError(otherwise + " at " + time.elapsed());
        }
    }

    /** How many calls there were so far. */
    long begun() {
        return begun;
    }

    /** How many attempts they made. */
    long attempts() {
        return transport.sends();
    }

    /** How many calls ended how, those that did. */
    Map<Outcome.Kind, Long> outcomes() {
        return Collections.unmodifiableMap(outcomes);
    }

    /** Of everything seen so far. */
    String digest() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** The hours of a day. */
    static int hours() {
        return BUSY.length;
    }
}
