package dev.escapement.call;

import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.Policy;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Virtual time, a simulated transport and one client over both: the world of the engine's policy tests (V1). */
final class World {

    static final Request GET = Request.get("http://server.test/alpha");
    static final Request POST = Request.of(Method.POST, "http://server.test/alpha");

    final VirtualTime time;
    final SimulatedTransport transport;
    final List<Report> reports = new ArrayList<>();

    Policy policy = plain(UnaryOperator.identity());
    int concurrency = 10;
    int maxQueue = 10;
    private Client client;

    World() {
        this(new VirtualTime(1_000_000));
    }

    World(VirtualTime time) {
        this.time = time;
        this.transport = new SimulatedTransport(time);
    }

    static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    static Duration ns(long nanos) {
        return Duration.ofNanos(nanos);
    }

    /** Overall 1,000, attempt 100, backoff 10 doubling to 1,000 without jitter, 1 retry, reserve 0, whole attempts. */
    static Policy plain(UnaryOperator<Policy.Builder> with) {
        return with.apply(Policy.builder(ms(1_000))
                        .version("plain")
                        .attemptTimeout(ms(100))
                        .maxRetries(1)
                        .initialBackoff(ms(10))
                        .maxBackoff(ms(1_000))
                        .jitter(Jitter.NONE)
                        .attemptFit(AttemptFit.WHOLE)
                        .cleanupReserve(ms(0))
                        .maxQueueWait(ms(1_000)))
                .build();
    }

    World policy(UnaryOperator<Policy.Builder> with) {
        policy = plain(with);
        return this;
    }

    Client client() {
        if (client == null) {
            client = Client.builder(transport, Schedulers.of(time))
                    .policy(policy)
                    .concurrency(concurrency)
                    .maxQueue(maxQueue)
                    .build();
        }
        return client;
    }

    Call call(Request request) {
        return call(request, CallOptions.none());
    }

    Call call(Request request, CallOptions options) {
        Call call = client().call(request, options, reports::add);
        time.runReady();
        return call;
    }

    /** The one report there is. */
    Report report() {
        if (reports.size() != 1) {
            throw new AssertionError("expected one report, got " + reports);
        }
        return reports.get(0);
    }

    /** When the one call ended, counted from the world's beginning. */
    Duration endedAt() {
        return ns(report().endedNanos() - time.instant(Duration.ZERO));
    }

    /** Fails if anything is held or left: permits, sleepers, timers, tasks, unreleased late bodies. */
    void assertClean() {
        ClientFigures figures = client().figures();
        if (figures.permitsHeld() + figures.waiting() + figures.asleep() > 0) {
            throw new AssertionError("left: " + figures);
        }
        transport.assertClean();
        time.assertNothingLeft();
    }
}
