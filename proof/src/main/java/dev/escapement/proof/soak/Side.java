package dev.escapement.proof.soak;

import dev.escapement.call.Call;
import dev.escapement.call.Client;
import dev.escapement.call.ClientFigures;
import dev.escapement.call.PlannedCall;
import dev.escapement.guard.BreakerState;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.policy.Policy;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * One upstream as a gateway has it: a client with its homes and its transport, and the stream of random calls that it makes.
 *
 * <p>{@link #callOnce} belongs to one driving thread, everything else to the thread that directs the soak; both work on the
 * same client at once.
 */
final class Side {

    private static final int CONCURRENCY = 16;
    private static final int FANOUT_CALLS = 20;
    private static final int FANOUT_WINDOW = 5;
    private static final Duration GRACE = Duration.ofMillis(200);

    private final String name;
    private final Transport transport;
    private final Schedulers homes;
    private final Tally tally;
    private final List<Policy> policies;
    private final boolean guarded;

    // The driving thread's.
    private final SplittableRandom random;
    private final SoakPlans plans;
    private final Runnable[] cancels = new Runnable[32];
    private int next;

    // The directing thread's.
    private final List<Client> clients = new ArrayList<>();
    private final List<CompletableFuture<Void>> closings = new ArrayList<>();
    private int updates;

    /** Written by the directing thread, read by both. */
    private volatile Client client;

    Side(
            String name,
            Transport transport,
            Schedulers homes,
            UnrulyServer server,
            Arrivals arrivals,
            Tally tally,
            boolean guarded,
            SplittableRandom random) {
        this.name = name;
        this.transport = transport;
        this.homes = homes;
        this.tally = tally;
        this.guarded = guarded;
        this.random = random;
        policies = SoakPolicies.all(guarded);
        plans = new SoakPlans(random, server, arrivals, tally, homes.clock());
        Arrays.fill(cancels, (Runnable) Side::nothing);
        client = open();
    }

    private Client open() {
        Client opened = Client.builder(transport, homes)
                .policy(policies.get(0))
                .breaker(SoakPolicies.breaker(guarded))
                .concurrency(CONCURRENCY)
                .build();
        clients.add(opened);
        return opened;
    }

    // Driving.

    /** Begins the next call, or the calls of a fan-out, and now and then cancels an earlier one. */
    void callOnce() {
        Client current = client;
        Runnable cancel = Side::nothing;
        int form = random.nextInt(400);
        if (form == 0) {
            fanOut(current);
        } else {
            SoakPlans.Plan plan = plans.next();
            PlannedCall planned = plan.planned();
            if (form % 2 == 0) {
                Call handle = current.call(planned.request(), planned.options(), plan.call());
                cancel = handle::cancel;
            } else {
                CompletableFuture<Report> future = current.call(planned.request(), planned.options());
                CompletableFuture<Void> unused = future.thenAccept(plan.call());
                cancel = () -> future.cancel(false);
            }
        }
        // Cancelled is what began some calls ago, whatever point it has come to.
        int slot = next++ % cancels.length;
        cancels[slot].run();
        cancels[slot] = random.nextInt(30) == 0 ? cancel : Side::nothing;
    }

    private static void nothing() {}

    private void fanOut(Client current) {
        Deque<SoakCall> calls = new ArrayDeque<>();
        Iterator<PlannedCall> inputs = Stream.generate(plans::next)
                .limit(FANOUT_CALLS)
                .map(plan -> {
                    calls.add(plan.call());
                    return plan.planned();
                })
                .toList()
                .iterator();
        // W2: reports come in the order of the input.
        CompletableFuture<Void> ended = current.callAll(
                inputs, FANOUT_WINDOW, (index, report) -> calls.remove().accept(report));
        CompletableFuture<Void> unused = ended.exceptionally(broke -> {
            tally.wrong(name + ": W3 a fan-out broke: " + broke);
            return null;
        });
    }

    // Directing.

    /** Calls that begin from now on have the next policy. */
    void updatePolicy() {
        client.update(policies.get(++updates % policies.size()));
    }

    /** Closes the client with calls running, and begins another. */
    void replaceClient() {
        Client old = client;
        client = open();
        closings.add(old.close(GRACE));
    }

    /** Opens every breaker by hand, if there are any. */
    void openBreakers() {
        client.endpointFigures().forEach(figures -> client.forceOpenBreaker(figures.endpoint()));
    }

    /** Closes the breakers that were opened by hand, and leaves the others to themselves. */
    void closeBreakers() {
        for (EndpointFigures figures : client.endpointFigures()) {
            if (figures.breaker().state() == BreakerState.FORCED_OPEN) {
                client.closeBreaker(figures.endpoint());
            }
        }
    }

    /** Whether as many calls run as this side makes at once: some more than there are permits. */
    boolean isFull() {
        ClientFigures figures = client.figures();
        return figures.permitsHeld() == CONCURRENCY && figures.waiting() > CONCURRENCY / 2;
    }

    /** What is still held by calls, all of which have ended; empty once all is clean. */
    String held() {
        StringBuilder held = new StringBuilder();
        for (Client each : clients) {
            ClientFigures figures = each.figures();
            if (figures.permitsHeld() + figures.waiting() + figures.asleep() > 0) {
                held.append(name).append(" holds ").append(figures).append("; ");
            }
            for (EndpointFigures endpoint : each.endpointFigures()) {
                if (endpoint.inFlight() + endpoint.breaker().trialsRunning() > 0) {
                    held.append(name).append(" holds ").append(endpoint).append("; ");
                }
            }
        }
        if (!closings.stream().allMatch(CompletableFuture::isDone)) {
            held.append(name).append(" has not closed; ");
        }
        return held.toString();
    }

    /** Fails if anything threw that must not; forgets the clients that are closed and clean. */
    void checkAndForget() {
        for (Client each : clients) {
            ClientFigures figures = each.figures();
            if (figures.failedCallbacks() + figures.failedCallOuts() > 0) {
                throw new AssertionError(name + ": A5 something threw: " + figures);
            }
        }
        clients.removeIf(each -> each != client);
        closings.clear();
        Arrays.fill(cancels, (Runnable) Side::nothing);
    }

    /** Closes the client; nothing may be called any more. */
    CompletableFuture<Void> close() {
        return client.close(GRACE);
    }
}
