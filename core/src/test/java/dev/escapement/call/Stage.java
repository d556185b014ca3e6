package dev.escapement.call;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.TrackedBody;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A world for hostile tests: several calls of one client, each watched, with every call-out of the engine scripted; what
 * must hold of any call, whatever happens to it, is checked in one place ({@link #check}).
 */
final class Stage {

    /** Held, so that it stays silent: random policies are often advised against, and that is no news. */
    private static final Logger SILENCED = Logger.getLogger(Client.class.getName());

    static {
        SILENCED.setLevel(Level.OFF);
    }

    /** One call and what the outside saw of it. */
    final class Watched {

        final String path = "/" + (calls.size() + 1);
        final CallOptions options;
        final List<Report> reports = new ArrayList<>();
        final long enteredNanos = time.now();

        /** Null where {@code client.call} threw. */
        @Nullable
        Call handle;

        /** What {@code client.call} threw. */
        @Nullable
        Throwable thrown;

        /** Null for a call with a callback. */
        @Nullable
        CompletableFuture<Report> future;

        boolean cancelled;

        Watched(CallOptions options) {
            this.options = options;
        }

        void cancel() {
            cancelled = true;
            if (handle != null) {
                handle.cancel();
            }
        }

        List<SimulatedAttempt> attempts() {
            return transport.attempts().stream()
                    .filter(attempt -> path.equals(attempt.request().uri().getPath()))
                    .toList();
        }

        private void ended(Report report) {
            reports.add(report);
            // The caller owns it now: nobody may have released it (R9).
            if (report.lastRealResult().orElse(null) instanceof Outcome.Response answered
                    && answered.response().body() instanceof TrackedBody body
                    && body.releases() > 0) {
                complaints.add(path + " was delivered a released body: " + report);
            }
            time.callOuts().tell(CallOut.CALLBACK, () -> {});
        }
    }

    final VirtualTime time;
    final SimulatedTransport transport;
    final Policy policy;
    final Client client;
    final List<Watched> calls = new ArrayList<>();
    final List<String> complaints = new ArrayList<>();
    final List<CompletableFuture<Void>> closings = new ArrayList<>();
    boolean closed;

    /** When the first grace is over. */
    private long closedByNanos = Long.MAX_VALUE;

    /** Nothing has kept the engine from looking at each instant that it asked for. */
    boolean punctual = true;

    /** The scheduler takes no work any more, which ends calls as closing does (S1). */
    boolean homeless;

    Stage(VirtualTime time, Policy policy, int concurrency, int maxQueue, long seed) {
        this(time, policy, concurrency, maxQueue, seed, UnaryOperator.identity());
    }

    /** The same with a client that has more, breakers for instance. */
    Stage(
            VirtualTime time,
            Policy policy,
            int concurrency,
            int maxQueue,
            long seed,
            UnaryOperator<Client.Builder> clientWith) {
        this.time = time;
        this.transport = new SimulatedTransport(time);
        this.policy = policy;
        JitterSource source = JitterSource.seeded(seed);
        this.client = clientWith
                .apply(Client.builder(transport, Schedulers.of(time))
                        .breaker(BreakerSettings.none())
                        .policy(policy)
                        .concurrency(concurrency)
                        .maxQueue(maxQueue)
                        .jitter((call, attempt, bound) ->
                                time.callOuts().ask(CallOut.JITTER, () -> source.draw(call, attempt, bound))))
                .build();
    }

    Watched call() {
        return call(Method.GET, CallOptions.none());
    }

    /** The same in the form with a future, which must end with the same report and in no other way. */
    Watched callForFuture(Method method, CallOptions options) {
        Watched watched = new Watched(options);
        calls.add(watched);
        Request request = Request.of(method, "http://server.test" + watched.path);
        try {
            CompletableFuture<Report> future = client.call(request, options);
            watched.handle = () -> future.completeExceptionally(new IllegalStateException("cancelled"));
            watched.future = future;
            CompletableFuture<Report> unused = future.whenComplete((report, thrown) -> {
                if (thrown != null) {
                    complaints.add(watched.path + " ended exceptionally: " + thrown);
                } else {
                    watched.ended(report);
                }
            });
        } catch (Throwable thrown) {
            watched.thrown = thrown;
        }
        return watched;
    }

    Watched call(Method method, CallOptions options) {
        Watched watched = new Watched(options);
        calls.add(watched);
        Request request = Request.of(method, "http://server.test" + watched.path);
        try {
            watched.handle = client.call(request, options, watched::ended);
        } catch (Throwable thrown) {
            watched.thrown = thrown;
        }
        return watched;
    }

    void close(Duration grace) {
        closed = true;
        long endNanos = time.now() + grace.toNanos();
        closings.add(client.close(grace));
        closedByNanos = Math.min(closedByNanos, endNanos);
    }

    /** The clock moves and nothing runs: from now on things may be seen late. */
    void stall(Duration length) {
        punctual &= length.isZero();
        time.stall(length);
    }

    /** Whether every call has ended and nothing is held. */
    boolean isSettled() {
        ClientFigures figures = client.figures();
        return figures.permitsHeld() + figures.waiting() + figures.asleep() == 0
                && calls.stream().noneMatch(call -> call.handle != null && call.reports.isEmpty());
    }

    /** One report for each call that was let in, none for one that was not, each word idle, each closing over. */
    void checkEndings() {
        if (!complaints.isEmpty()) {
            throw new AssertionError(complaints);
        }
        if (!closings.stream().allMatch(CompletableFuture::isDone)) {
            throw new AssertionError("S1 not closed though nothing is held: " + client.figures());
        }
        for (Watched call : calls) {
            int expected = call.handle == null ? 0 : 1;
            if (call.reports.size() != expected) {
                throw new AssertionError(call.path + ": expected " + expected + " reports, got " + call.reports);
            }
            if (call.future != null && call.future.getNow(null) != call.reports.get(0)) {
                throw new AssertionError(call.path + ": its future disagrees: " + call.future);
            }
            if (call.handle instanceof CallMachine machine && !(machine.set(0) && machine.goIdle())) {
                throw new AssertionError(call.path + ": its word was not idle");
            }
        }
    }

    /**
     * How many calls must be asleep while none runs: those without a report, and those with one that still wait for an attempt to
     * be clean, until the reserve is over (T2, E7). Broken calls are not counted; they may let go at once.
     */
    int expectedAsleep() {
        int asleep = 0;
        for (Watched call : calls) {
            if (call.handle != null && (call.reports.isEmpty() || waitsForCleanup(call))) {
                asleep++;
            }
        }
        return asleep;
    }

    private boolean waitsForCleanup(Watched call) {
        Report report = call.reports.get(0);
        return report.attempts() > 0
                && time.now() - report.endedNanos() < policy.cleanupReserveNanos()
                && report.outcome().kind() != Outcome.Kind.BROKEN
                && call.attempts().stream().anyMatch(attempt -> attempt.cleanings() == 0);
    }

    /** How many broken calls there are. */
    int broken() {
        return (int) calls.stream()
                .filter(call ->
                        !call.reports.isEmpty() && call.reports.get(0).outcome().kind() == Outcome.Kind.BROKEN)
                .count();
    }

    /** What the contract says of any report, judged by its own instants and by what the transport saw. */
    void check(Watched call) {
        Report report = call.reports.get(0);
        List<SimulatedAttempt> attempts = call.attempts();
        @Nullable SimulatedAttempt last = attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
        long endedNanos = report.endedNanos();
        long deadlineNanos = deadlineOf(call, attempts);
        Suppressed suppressed = report.suppressed().orElse(null);

        require(report.startedNanos() >= call.enteredNanos, "T3 started before it entered", call);
        require(endedNanos >= report.startedNanos() && endedNanos <= time.now(), "T1 ended at another time", call);
        require(report.attempts() <= policy.maxRetries() + 1, "P1 more attempts than allowed", call);
        require(report.attemptReports().size() == report.attempts(), "P1 attempts miscounted", call);
        switch (report.outcome().kind()) {
            case RESPONSE, TRANSPORT_FAILED -> {
                require(endedNanos < deadlineNanos, "A2 a result at or past the deadline", call);
                if (!isRefusedLate(suppressed)) {
                    require(
                            endedNanos < last.exchange().deadlineNanos(),
                            "A2 a result at or past the attempt's deadline",
                            call);
                    require(last.abandonedAt().isEmpty(), "A5 a result of an abandoned attempt", call);
                }
            }
            case ATTEMPT_TIMEOUT -> {
                require(endedNanos < deadlineNanos, "A2 an attempt timeout at or past the deadline", call);
                require(endedNanos >= last.exchange().deadlineNanos(), "A2 an attempt timeout too early", call);
            }
            case OVERALL_DEADLINE ->
                require(
                        suppressed == Suppressed.CANNOT_FIT
                                || endedNanos >= earliestDeadlineOf(call) - policy.cleanupReserveNanos(),
                        "A1 an overall deadline too early",
                        call);
            case CANCELLED -> {
                require(endedNanos < deadlineNanos, "A2 cancelled at or past the deadline", call);
                require(call.cancelled || closed || homeless, "A5 cancelled by nobody", call);
            }
            case REJECTED -> require(report.attempts() == 0, "A7 rejected after an attempt", call);
            case POLICY_TIME_OVERFLOW, BROKEN -> {}
        }
        checkAttempts(call, report, attempts, deadlineNanos);
        if (punctual) {
            require(endedNanos <= deadlineNanos, "T5 ended past its deadline", call);
            require(endedNanos <= Math.max(closedByNanos, call.enteredNanos), "S1 ended past the grace", call);
            checkPunctual(call, report, attempts);
        }
    }

    /** Whether a retry was due and then not let in: the result is as old as its backoff. */
    private static boolean isRefusedLate(@Nullable Suppressed suppressed) {
        return suppressed == Suppressed.NO_PERMIT
                || suppressed == Suppressed.SHUTTING_DOWN
                || suppressed == Suppressed.BREAKER_OPEN;
    }

    private void checkPunctual(Watched call, Report report, List<SimulatedAttempt> attempts) {
        List<Duration> delays = report.retryDelays();
        for (int i = 0; i < attempts.size(); i++) {
            SimulatedAttempt attempt = attempts.get(i);
            boolean timedOut = report.attemptReports().get(i).outcome().kind() == Outcome.Kind.ATTEMPT_TIMEOUT;
            if (timedOut && attempt.abandonedAt().isPresent()) {
                long abandonedNanos = time.instant(attempt.abandonedAt().get());
                require(abandonedNanos == attempt.exchange().deadlineNanos(), "A2 timed out at another time", call);
            }
            boolean timedOutUntold = timedOut && attempt.abandonedAt().isEmpty();
            if (i + 1 < attempts.size() && policy.permitScope() == PermitScope.CALL && !timedOutUntold) {
                Duration end = attempt.abandonedAt().or(attempt::endedAt).orElseThrow();
                require(
                        attempts.get(i + 1).startedAt().equals(end.plus(delays.get(i))),
                        "B3 a retry at another time",
                        call);
            }
        }
    }

    private void checkAttempts(Watched call, Report report, List<SimulatedAttempt> attempts, long deadlineNanos) {
        require(
                attempts.size() == report.attempts() || report.outcome().kind() == Outcome.Kind.BROKEN,
                "A5 attempts that the transport did not see",
                call);
        List<Duration> delays = report.retryDelays();
        require(
                delays.size() == report.attempts() || delays.size() == Math.max(0, report.attempts() - 1),
                "R6 retries without a delay",
                call);
        for (int i = 0; i < attempts.size(); i++) {
            SimulatedAttempt attempt = attempts.get(i);
            long startedNanos = time.instant(attempt.startedAt());
            require(
                    attempt.exchange().deadlineNanos() <= startedNanos + policy.attemptTimeoutNanos()
                            && attempt.exchange().deadlineNanos() <= deadlineNanos - policy.cleanupReserveNanos(),
                    "T4 an attempt with more time than it has",
                    call);
            if (i > 0) {
                require(mayRepeat(call, report, i - 1), "E3 sent again, though it may have had an effect", call);
                long sinceLastNanos =
                        startedNanos - time.instant(attempts.get(i - 1).startedAt());
                require(sinceLastNanos >= delays.get(i - 1).toNanos(), "B3 a retry before its backoff was over", call);
            }
        }
    }

    /** By what the attempt itself knows to have sent, not by what the engine thinks of it. */
    private boolean mayRepeat(Watched call, Report report, int index) {
        SimulatedAttempt attempt = call.attempts().get(index);
        return policy.retryableMethods().contains(attempt.request().method())
                || call.options.idempotencyKey != null
                || (!attempt.isSent()
                        && !report.attemptReports().get(index).progress().mayHaveArrived());
    }

    private void require(boolean holds, String otherwise, Watched call) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + call.path + " ended with " + call.reports.get(0) + " at "
                    + call.reports.get(0).endedNanos() + ", entered at " + call.enteredNanos + ", "
                    + call.attempts());
        }
    }

    /** The deadline, had the call been granted its permit as it entered. */
    private long earliestDeadlineOf(Watched call) {
        return Math.min(call.reports.get(0).startedNanos() + policy.overallTimeoutNanos(), call.options.deadlineNanos);
    }

    /** The deadline; where it counts from the permit, an instant at or after it. */
    private long deadlineOf(Watched call, List<SimulatedAttempt> attempts) {
        long fromNanos = call.reports.get(0).startedNanos();
        if (policy.deadlineOrigin() == DeadlineOrigin.PERMIT && policy.permitScope() == PermitScope.CALL) {
            if (attempts.isEmpty()) {
                // Never granted, or granted and ended at once: only the caller's own bounds the wait.
                return call.options.deadlineNanos;
            }
            fromNanos = time.instant(attempts.get(0).startedAt());
        }
        long ownNanos = fromNanos + policy.overallTimeoutNanos();
        return Math.min(ownNanos, call.options.deadlineNanos);
    }
}
