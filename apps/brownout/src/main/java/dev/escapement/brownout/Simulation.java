package dev.escapement.brownout;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.ClientFigures;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.guard.BreakerFigures;
import dev.escapement.http.Request;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a scenario: its callers, one client and its upstream in a virtual world of their own.
 *
 * <p>The client is the library's own, with a gateway's default policy. It has more permits than calls can be alive: a limit
 * on concurrency protects an upstream too, and is not what is shown here. One seed drives everything, through a stream
 * of draws for each role, so that all runs of a seed see the same calls at the same instants. Used once, by one thread.
 */
final class Simulation {

    private static final Request REQUEST = Request.get("http://upstream.test/");
    private static final int OK = 200;

    private final Scenario scenario;
    private final Guards guards;
    private final VirtualTime time = new VirtualTime();
    private final SimulatedTransport transport = new SimulatedTransport(time);
    private final JitterSource gaps;
    private final Upstream upstream;
    private final Client client;
    private final List<Trace.Second> seconds = new ArrayList<>();

    /** As they stood at the end of the last second. */
    private Counts counted = Counts.NONE;

    // What calls have done so far.

    private long calls;
    private long begun;
    private long good;
    private long refused;
    private long badNanos;

    Simulation(Scenario scenario, Guards guards, long seed) {
        this.scenario = scenario;
        this.guards = guards;
        gaps = JitterSource.seeded(Role.GAPS.seed(seed));
        upstream = new Upstream(time, scenario, JitterSource.seeded(Role.WORK.seed(seed)));
        transport.otherwise().writeAll().act(upstream::receive).hang();
        client = client(JitterSource.seeded(Role.PAUSES.seed(seed)));
    }

    private Client client(JitterSource pauses) {
        long callsAlive = scenario.callsPerSecond() * scenario.callBudget().toMillis() / 1_000;
        return Client.builder(transport, Schedulers.of(time))
                .policy(Policy.builder(scenario.callBudget())
                        .budget(guards.budget())
                        .build())
                .breaker(guards.breaker())
                .concurrency((int) (2 * callsAlive))
                .jitter(pauses)
                .build();
    }

    /** What draws are for; each role has a stream of its own. */
    private enum Role {
        GAPS(1),
        WORK(2),
        PAUSES(3);

        private final long number;

        Role(long number) {
            this.number = number;
        }

        long seed(long run) {
            return run * Role.values().length + number;
        }
    }

    /** Lets the scenario's time pass, and then whatever is still on its way end. */
    Trace run() {
        for (int caller = 0; caller < scenario.callers(); caller++) {
            plan(caller, 0, gaps.draw(caller, 0, scenario.meanGap().toNanos()));
        }
        time.at(time.instant(scenario.brownoutFrom()), () -> upstream.slowBy(scenario.slowness()));
        time.at(time.instant(scenario.brownoutTo()), () -> upstream.slowBy(1));
        for (int second = 0; second < scenario.end().toSeconds(); second++) {
            time.advance(Duration.ofSeconds(1));
            seconds.add(lookBack());
        }
        time.runUntilIdle();
        assertNothingLeft();
        return new Trace(scenario, guards, seconds, counts());
    }

    private void plan(int caller, int ordinal, long delayNanos) {
        long instant = time.now() + delayNanos;
        if (instant < time.instant(scenario.end())) {
            time.at(instant, () -> {
                call();
                plan(
                        caller,
                        ordinal + 1,
                        gaps.draw(caller, ordinal + 1, 2 * scenario.meanGap().toNanos()));
            });
        }
    }

    private void call() {
        calls++;
        client.call(REQUEST, CallOptions.none(), this::ended);
    }

    private void ended(Report report) {
        if (report.attempts() > 0) {
            begun++;
        }
        if (isGood(report.outcome())) {
            good++;
        } else {
            badNanos += report.endedNanos() - report.startedNanos();
        }
        if (report.outcome().kind() == Outcome.Kind.REJECTED) {
            refused++;
        }
        report.release();
    }

    private static boolean isGood(Outcome outcome) {
        return outcome instanceof Outcome.Response answer && answer.response().status() == OK;
    }

    private Trace.Second lookBack() {
        Counts before = counted;
        counted = counts();
        return new Trace.Second(counted.since(before), guarding());
    }

    private Trace.Guarding guarding() {
        String breaker = client.endpointFigures().stream()
                .map(endpoint -> word(endpoint.breaker()))
                .findFirst() // there is one, once there was a call
                .orElse("none");
        return new Trace.Guarding(breaker, client.budgetFigures().available());
    }

    private static String word(BreakerFigures breaker) {
        return switch (breaker.state()) {
            case CLOSED -> breaker.admissionPercent() == 100 ? "closed" : "ramp " + breaker.admissionPercent() + " %";
            case OPEN, FORCED_OPEN -> "open";
            case HALF_OPEN -> "trial";
        };
    }

    private Counts counts() {
        return new Counts(
                calls, begun, good, refused, badNanos, upstream.received(), upstream.wasted(), upstream.shed());
    }

    /** Fails unless everything has ended, and nothing is held by anything that has. */
    private void assertNothingLeft() {
        time.assertNothingLeft();
        transport.assertClean();
        ClientFigures figures = client.figures();
        boolean trialRuns = client.endpointFigures().stream()
                .anyMatch(endpoint -> endpoint.breaker().trialsRunning() > 0);
        if (!transport.bodies().held().isEmpty()
                || figures.permitsHeld() + figures.waiting() + figures.asleep() > 0
                || figures.failedCallbacks() + figures.failedCallOuts() > 0
                || trialRuns) {
            throw new AssertionError(
                    "left: bodies " + transport.bodies().held() + ", " + figures + ", " + client.endpointFigures());
        }
    }
}
