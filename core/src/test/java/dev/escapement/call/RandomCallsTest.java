package dev.escapement.call;

import static dev.escapement.call.World.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.guard.BreakerState;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.guard.EndpointTable;
import dev.escapement.http.Method;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.FailureRule;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.report.Report;
import dev.escapement.report.ReportDetail;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Half a million random calls on virtual time: any policy, any transport, any bad luck, in many small worlds.
 *
 * <p>A world is its seed. Its times lie on a grid of a millisecond, or a nanosecond beside it, so that ties are common. To play one
 * that failed again: {@code mvn -pl core test -Dtest=RandomCallsTest -DargLine=-Descapement.world=SEED}.
 */
class RandomCallsTest {

    private static final int CALLS = Integer.getInteger("escapement.randomCalls", 500_000);

    /** Of them the first is the origin of all requests. */
    private static final List<Endpoint> ENDPOINTS =
            List.of(Endpoint.of("http://server.test"), Endpoint.of("http://other.test"));

    private static final long GRID_NANOS = 1_000_000;

    /** Steps of the grid after which every world has settled: deadlines, reserves, stalls. */
    private static final int LONGEST_WORLD = 3_000;

    @Test
    @DisplayName("A2, A5, E8, G1, G2, L3, T5 random calls have one outcome each, the contract's, and leave nothing")
    void randomCalls() {
        Long only = Long.getLong("escapement.world");
        if (only != null) {
            new RandomWorld(only).play();
            return;
        }
        int calls = 0;
        for (long seed = 1; calls < CALLS; seed++) {
            RandomWorld world = new RandomWorld(seed);
            try {
                world.play();
            } catch (Throwable failure) {
                throw new AssertionError(
                        "world " + seed + ", again by -Dtest=RandomCallsTest -DargLine=-Descapement.world=" + seed
                                + ": " + failure.getMessage(),
                        failure);
            }
            calls += world.stage.calls.size();
        }

        assertThat(calls).isGreaterThanOrEqualTo(CALLS);
    }

    /** Raised inside a call-out. */
    private static final class Planted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Planted() {
            super("planted", null, false, false);
        }
    }

    /** One world from its seed. */
    private static final class RandomWorld {

        // One stream a role, so that a new draw in one place moves no other.
        private final SplittableRandom settings;
        private final SplittableRandom scripts;
        private final SplittableRandom entries;
        private final SplittableRandom luck;
        private final SplittableRandom guards;

        private final boolean hasBreakers;
        private final boolean hasPicker;
        private final int concurrency;
        private final int size;
        private final boolean stalls;
        private final Stage stage;
        private boolean planted;

        RandomWorld(long seed) {
            SplittableRandom root = new SplittableRandom(seed);
            settings = root.split();
            scripts = root.split();
            entries = root.split();
            luck = root.split();
            guards = root.split();
            hasBreakers = percent(guards, 60);
            hasPicker = percent(guards, 40);
            VirtualTime.Home[] homes = VirtualTime.Home.values();
            VirtualTime time = new VirtualTime(GRID_NANOS * settings.nextInt(3), homes[settings.nextInt(homes.length)]);
            stalls = percent(settings, 50);
            concurrency = 1 + settings.nextInt(7);
            size = 10 + settings.nextInt(21);
            stage = new Stage(time, policy(), concurrency, settings.nextInt(9), seed, this::guarded);
        }

        private Client.Builder guarded(Client.Builder builder) {
            Client.Builder with = hasBreakers ? builder.breaker(breaker()) : builder;
            return hasPicker
                    ? with.endpoints(
                            percent(guards, 50)
                                    ? EndpointPicker.roundRobin(ENDPOINTS)
                                    : EndpointPicker.leastLoaded(ENDPOINTS, guards.nextLong()))
                    : with;
        }

        private BreakerSettings breaker() {
            return BreakerSettings.builder()
                    .consecutiveFailures(1 + guards.nextInt(4))
                    .minimumCalls(1 + guards.nextInt(5))
                    .openPeriod(length(guards, 1, 12))
                    .trials(1 + guards.nextInt(3))
                    .build();
        }

        /** Longer than any world: what it counts is never forgotten. */
        private BudgetSettings budgetSettings() {
            return BudgetSettings.of(
                    oneOf(guards, List.of(0.0, 0.1, 0.5, 1.0)), guards.nextInt(2), Duration.ofSeconds(60));
        }

        /** On the grid, now and then a nanosecond beside it. */
        private static Duration length(SplittableRandom random, int fromSteps, int toSteps) {
            long nanos = GRID_NANOS * random.nextInt(fromSteps, toSteps + 1);
            int beside = random.nextInt(6);
            return ns(Math.max(0, beside == 0 ? nanos - 1 : beside == 1 ? nanos + 1 : nanos));
        }

        private static boolean percent(SplittableRandom random, int share) {
            return random.nextInt(100) < share;
        }

        private static <T> T oneOf(SplittableRandom random, List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }

        private Policy policy() {
            return Policy.builder(percent(settings, 3) ? Duration.ZERO : length(settings, 5, 60))
                    .attemptTimeout(length(settings, 1, 25).plusNanos(1))
                    .maxRetries(settings.nextInt(4))
                    .initialBackoff(length(settings, 0, 4))
                    .maxBackoff(length(settings, 0, 9))
                    .jitter(percent(settings, 50) ? Jitter.NONE : Jitter.FULL)
                    .attemptFit(oneOf(settings, List.of(AttemptFit.values())))
                    .minimumAttempt(length(settings, 0, 5))
                    .cleanupReserve(percent(settings, 40) ? Duration.ZERO : length(settings, 1, 15))
                    .permitScope(oneOf(settings, List.of(PermitScope.values())))
                    .deadlineOrigin(oneOf(settings, List.of(DeadlineOrigin.values())))
                    .maxQueueWait(percent(settings, 15) ? Duration.ZERO : length(settings, 1, 40))
                    .failureRule(oneOf(settings, List.of(FailureRule.values())))
                    .budget(budgetSettings())
                    .reportDetail(oneOf(guards, List.of(ReportDetail.values())))
                    .build();
        }

        void play() {
            for (int i = 1; i <= 2 * size; i++) {
                script(stage.transport.on(i));
            }
            stage.transport.otherwise().answer(200);
            stage.time.callOuts().beforeEach(CallOut.SEND).run(this::checkSend);
            for (int i = 0; i < size; i++) {
                stage.time.after(length(entries, 0, 60), this::enter);
            }
            badLuck();

            int steps = 0;
            while (steps <= 61 || !stage.isSettled()) {
                if (++steps > LONGEST_WORLD) {
                    throw new AssertionError("not settled: " + stage.client.figures());
                }
                step();
                checkStep();
            }

            stage.checkEndings();
            checkReports();
            checkGuards();
            require(
                    planted || stage.homeless || stage.time.armedTimers() == 0,
                    "E8 timers armed in the end: " + stage.time.armedTimers());
            stage.time.callOuts().clear();
            stage.calls.forEach(call -> call.reports.forEach(Report::release));
            stage.time.runUntilIdle();
            if (!planted) {
                assertThat(stage.transport.bodies().held()).isEmpty();
                stage.time.assertNothingLeft();
            }
            assertThat(stage.isSettled()).isTrue();
        }

        private void step() {
            try {
                stage.time.advance(ns(GRID_NANOS));
            } catch (Planted out) {
                // Out of an event of the fixture's, into the test: as into a transport's own thread.
            }
        }

        private void enter() {
            CallOptions options = CallOptions.none();
            if (percent(entries, 20)) {
                options = options.withDeadlineNanos(
                        stage.time.now() + length(entries, 0, 50).toNanos());
            }
            if (percent(entries, 20)) {
                options = options.withIdempotencyKey("key");
            }
            Method method = oneOf(entries, List.of(Method.GET, Method.GET, Method.PUT, Method.POST));
            Stage.Watched call =
                    percent(entries, 30) ? stage.callForFuture(method, options) : stage.call(method, options);
            if (percent(entries, 15)) {
                stage.time.after(length(entries, 0, 40), call::cancel);
            }
        }

        private void script(AttemptScript script) {
            Duration soon = length(scripts, 0, 12);
            Duration later = length(scripts, 1, 30);
            int status = oneOf(scripts, List.of(200, 200, 200, 404, 503, 503, 429));
            TransportFailure.Kind kind = oneOf(scripts, List.of(TransportFailure.Kind.values()));
            switch (scripts.nextInt(16)) {
                case 0 -> script.answer(status);
                case 1 -> script.answerAfter(later, status).ignoreAbandonment();
                case 2 -> script.answer(200).answer(status);
                case 3 ->
                    script.writeAll().pause(soon).answer(status).fail(kind).answer(200);
                case 4 -> script.fail(kind);
                case 5 -> script.connect().pause(soon).fail(kind);
                case 6 -> script.write(17).pause(soon).fail(kind);
                case 7 -> script.writeUnknown().pause(soon).fail(kind);
                case 8 -> script.hangAfterWrite();
                case 9 -> script.connect().hang().cleanAfterAbandonment(soon);
                case 10 -> script.hangAfterWrite().ignoreAbandonment();
                case 11 -> script.act(attempt -> stall(soon)).answer(status);
                case 12 ->
                    script.connectReused().writeNothing().pause(soon).connect().answer(status);
                case 13 -> script.writeAll().pause(soon).clean().pause(later).answer(status);
                case 14 -> script.answerAfter(soon, status, "Retry-After", percent(scripts, 50) ? "0" : "1");
                default -> {
                    if (percent(scripts, 20)) {
                        script.raise(new Planted());
                    } else {
                        script.answerAfter(soon, status).pause(soon);
                    }
                }
            }
            if (percent(scripts, 30)) {
                script.fromOutside();
            }
        }

        /** Stalls, spurious wake-ups, closes, refusals, and something inside a few call-outs. */
        private void badLuck() {
            VirtualTime time = stage.time;
            if (percent(luck, 20)) {
                time.wakeTwice();
            }
            for (int i = luck.nextInt(3); i > 0; i--) {
                Duration length = length(luck, 0, 20);
                time.after(length(luck, 0, 60), () -> stall(length));
            }
            if (percent(luck, 30)) {
                time.after(length(luck, 0, 60), time::wakeAll);
            }
            if (percent(luck, 15)) {
                Duration grace = length(luck, 0, 20);
                time.after(length(luck, 0, 60), () -> stage.close(grace));
            }
            if (percent(luck, 3)) {
                time.after(length(luck, 0, 60), this::loseTheHome);
            }
            if (percent(guards, 10)) {
                byHand();
            }
            for (int i = luck.nextInt(4); i > 0; i--) {
                CallOut place = oneOf(luck, List.of(CallOut.values()));
                int ordinal = 1 + luck.nextInt(120);
                Runnable event = event();
                if (percent(luck, 50)) {
                    time.callOuts().before(place, ordinal).run(event);
                } else {
                    time.callOuts().after(place, ordinal).run(event);
                }
            }
        }

        /** An operator's hand. */
        private void byHand() {
            Endpoint endpoint = oneOf(guards, ENDPOINTS);
            stage.time.after(length(guards, 0, 30), () -> stage.client.forceOpenBreaker(endpoint));
            stage.time.after(length(guards, 30, 60), () -> stage.client.closeBreaker(endpoint));
        }

        private void stall(Duration length) {
            if (stalls) {
                stage.stall(length);
            }
        }

        private void loseTheHome() {
            stage.homeless = true;
            if (percent(luck, 50)) {
                stage.time.refuseTasks();
            } else {
                stage.time.close();
            }
        }

        private Runnable event() {
            VirtualTime time = stage.time;
            Duration length = length(luck, 0, 20);
            int which = luck.nextInt(30);
            return switch (luck.nextInt(8)) {
                case 0 -> () -> stall(length);
                case 1 -> () -> pick(which).ifPresent(call -> time.outOfContext(call::cancel));
                case 2 -> () -> time.outOfContext(this::enter);
                case 3 -> time::wakeAll;
                case 4 -> () -> time.outOfContext(() -> live(which).forEach(attempt -> attempt.answer(200)));
                case 5 ->
                    () -> time.outOfContext(
                            () -> live(which).forEach(attempt -> attempt.fail(TransportFailure.Kind.RESET)));
                case 6 -> () -> time.outOfContext(() -> live(which).forEach(SimulatedAttempt::clean));
                default ->
                    () -> {
                        planted = true;
                        throw new Planted();
                    };
            };
        }

        private Optional<Stage.Watched> pick(int which) {
            return stage.calls.isEmpty() ? Optional.empty() : Optional.of(stage.calls.get(which % stage.calls.size()));
        }

        private List<SimulatedAttempt> live(int which) {
            List<SimulatedAttempt> attempts = stage.transport.attempts();
            return attempts.isEmpty() ? List.of() : List.of(attempts.get(which % attempts.size()));
        }

        /** Read beside the call-outs, so that a look disturbs nothing. */
        private List<EndpointFigures> endpoints() {
            EndpointTable table = stage.client.endpoints();
            return table == null ? List.of() : table.endpoints(stage.time.now());
        }

        /** Likewise, by way of a call: all are of one class. */
        private Optional<BudgetFigures> budget() {
            for (Stage.Watched call : stage.calls) {
                if (call.handle instanceof CallMachine machine) {
                    return Optional.of(machine.terms.budget().figures(stage.time.now()));
                }
            }
            return Optional.empty();
        }

        private static boolean isLive(SimulatedAttempt attempt) {
            return attempt.ending() == SimulatedAttempt.Ending.NONE
                    && !attempt.exchange().abandoned();
        }

        private void checkStep() {
            ClientFigures figures = stage.client.figures();
            int unfinished = 0;
            for (Stage.Watched call : stage.calls) {
                if (call.handle != null && call.reports.isEmpty()) {
                    unfinished++;
                }
            }
            int live = 0;
            for (SimulatedAttempt attempt : stage.transport.attempts()) {
                if (isLive(attempt)) {
                    live++;
                }
            }
            int held = figures.permitsHeld();
            require(held >= 0 && held <= concurrency, "L3 permits held: " + held + " of " + concurrency);
            require(live <= held, "L1 live attempts: " + live + ", permits held: " + held);
            int asleep = figures.asleep();
            int expected = planted || stage.homeless ? unfinished : stage.expectedAsleep();
            int broken = planted || stage.homeless ? stage.calls.size() : stage.broken();
            require(
                    asleep >= expected && asleep <= expected + broken,
                    "E7 asleep: " + asleep + ", expected: " + expected + " to " + (expected + broken));
            require(
                    stage.time.armedTimers() >= unfinished,
                    "T5 unfinished: " + unfinished + ", armed: " + stage.time.armedTimers());
            checkGuardsInStep(live, unfinished);
        }

        /** What guards hold belongs to a call that runs, and is no more than that can hold. */
        private void checkGuardsInStep(int live, int unfinished) {
            long retries = stage.calls.stream()
                    .mapToLong(call -> Math.max(0, call.attempts().size() - 1))
                    .sum();
            budget().ifPresent(budget -> {
                long reserved = budget.reserved();
                long most = retries + (planted ? stage.calls.size() : unfinished);
                require(
                        reserved >= retries && reserved <= most,
                        "G1 reserved: " + reserved + ", retries started: " + retries + ", with reserved ones at most: "
                                + most);
            });
            long dirty = stage.transport.attempts().stream()
                    .filter(attempt -> attempt.cleanings() == 0 || isLive(attempt))
                    .count();
            int trials = 0;
            int inFlight = 0;
            for (EndpointFigures figures : endpoints()) {
                trials += figures.breaker().trialsRunning();
                inFlight += figures.inFlight();
            }
            require(trials <= live, "G2 trials: " + trials + ", live attempts: " + live);
            require(inFlight <= dirty, "E8 in flight: " + inFlight + ", not clean: " + dirty);
        }

        /** Nothing is sent to an endpoint whose breaker is open; without a picker there is one. */
        private void checkSend() {
            for (EndpointFigures figures : endpoints()) {
                BreakerState state = figures.breaker().state();
                require(
                        hasPicker
                                || !figures.endpoint().equals(ENDPOINTS.get(0))
                                || state == BreakerState.CLOSED
                                || state == BreakerState.HALF_OPEN,
                        "G2 sent while " + state);
            }
        }

        /** However the calls ended, guards keep nothing of them but what they used (G1, G2, E8). */
        private void checkGuards() {
            List<Report> reports =
                    stage.calls.stream().flatMap(call -> call.reports.stream()).toList();
            long started =
                    reports.stream().filter(report -> report.attempts() > 0).count();
            long retries = reports.stream().mapToLong(Report::attempts).sum() - started;
            budget().ifPresent(budget -> {
                require(budget.reserved() == retries, "G1 reserved: " + budget + ", retries started: " + retries);
                require(budget.deposits() == started, "G1 deposits: " + budget + ", calls started: " + started);
            });
            for (EndpointFigures figures : endpoints()) {
                require(figures.breaker().trialsRunning() == 0, "G2 a trial place is left: " + figures);
                require(figures.inFlight() == 0, "E8 in flight in the end: " + figures);
            }
        }

        private void checkReports() {
            for (Stage.Watched call : stage.calls) {
                if (!call.reports.isEmpty()) {
                    stage.check(call);
                }
            }
        }

        private static void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise);
            }
        }
    }
}
