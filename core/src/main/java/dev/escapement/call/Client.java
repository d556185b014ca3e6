package dev.escapement.call;

import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.guard.EndpointTable;
import dev.escapement.http.Request;
import dev.escapement.metadata.Metadata;
import dev.escapement.permit.PermitPool;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.JitterSource;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyAdvisory;
import dev.escapement.policy.PolicyException;
import dev.escapement.policy.PolicyFault;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One upstream: its permits, its policies, its guards, its calls.
 *
 * <p>Any thread may call. Many clients may share a transport and schedulers, which the client neither owns nor closes. A call that
 * was let in has exactly one outcome, and its report says what is known (A5); neither form of a call throws for
 * anything that happens to it. Thrown is only what keeps a call from coming to be: a null argument, a key beside a key in the
 * request's headers, and what the schedulers throw when they are asked for a home and for the time.
 *
 * <p><b>Where user code runs.</b> Callbacks, dependents of futures, and sinks run on the thread that decided the call's outcome, as its
 * last act: an executor's thread, an event loop, or the caller's own where a call ends at once. They must not block an
 * event loop. What they throw is counted and breaks nothing. A callback that makes the next call on the spot goes one
 * level deeper into the stack each time a call ends at once, as rejections do: go on from an executor, or use {@code callAll}.
 */
public final class Client {

    /** The widest window of a fan-out. */
    public static final int MAX_WINDOW = 1 << 20;

    /** The header that carries a call's idempotency key. */
    private static final String KEY_HEADER = "Idempotency-Key";

    private static final int DEFAULT_CONCURRENCY = 1_024;

    private static final System.Logger LOGGER = System.getLogger(Client.class.getName());

    /** The most operation classes beside the nameless one (P6). */
    public static final int MAX_CLASSES = 16;

    private final Transport transport;
    private final Schedulers schedulers;
    private final JitterSource jitter;
    private final InstantSource wallClock;
    private final Metadata metadata;
    private final PermitPool permits;
    private final Counters counters = new Counters();
    private final SleepingCalls sleeping = new SleepingCalls();
    private final AtomicInteger jitterIds = new AtomicInteger();
    private final Closing closing = new Closing(this);

    private final @Nullable EndpointPicker picker;
    private final @Nullable EndpointTable endpoints;
    private final OperationClass nameless;

    /** Replaced as a whole by {@link #update(Policy, Map)}, by one at a time. */
    private volatile Map<String, OperationClass> classes;

    private Client(Builder from, long nowNanos) {
        transport = from.transport;
        schedulers = from.schedulers;
        jitter = from.jitter == null
                ? JitterSource.seeded(ThreadLocalRandom.current().nextLong())
                : from.jitter;
        wallClock = from.wallClock;
        metadata = from.metadata;
        permits = PermitPool.of(from.concurrency, from.maxQueue());
        picker = from.picker;
        endpoints = from.breaker().isNone() && picker == null ? null : EndpointTable.of(from.breaker());
        nameless = new OperationClass(from.policy, nowNanos);
        classes = from.classes.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, named -> new OperationClass(named.getValue(), nowNanos)));
    }

    /** Starts a client over this transport, its calls at home on these schedulers. */
    public static Builder builder(Transport transport, Schedulers schedulers) {
        return new Builder(transport, schedulers);
    }

    /** Makes a call without any options. */
    public CompletableFuture<Report> call(Request request) {
        return call(request, CallOptions.none());
    }

    /**
     * Makes a call.
     *
     * @return completes with the call's report, never exceptionally. Cancelling it, or asking it to complete otherwise,
     *     cancels the call, whose report it then still completes with. A call that takes its response in parts has completed at its head: its
     *     body is ended by releasing it, or by its reader.
     */
    public CompletableFuture<Report> call(Request request, CallOptions options) {
        CallFuture future = new CallFuture();
        CallMachine machine = machine(request, options, future);
        future.cancels(machine);
        machine.start();
        return future;
    }

    /**
     * Makes a call without a future.
     *
     * @param whenEnded takes the report, once; possibly before this method returns
     */
    public Call call(Request request, CallOptions options, Consumer<? super Report> whenEnded) {
        CallMachine machine = machine(request, options, Objects.requireNonNull(whenEnded, "whenEnded"));
        machine.start();
        return machine;
    }

    private CallMachine machine(Request request, CallOptions options, Consumer<? super Report> whenEnded) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(options, "options");
        return new CallMachine(
                this,
                schedulers.forCall(),
                classOf(options.operationClass).terms(),
                keyed(request, options),
                options,
                whenEnded,
                schedulers.clock().nanos());
    }

    private OperationClass classOf(@Nullable String name) {
        if (name == null) {
            return nameless;
        }
        OperationClass named = classes.get(name);
        if (named == null) {
            throw new IllegalArgumentException("operation class " + name + ": expected one of " + classes.keySet());
        }
        return named;
    }

    /** I5: the same key with every attempt. */
    private static Request keyed(Request request, CallOptions options) {
        String key = options.idempotencyKey;
        if (key == null) {
            return request;
        }
        if (request.headers().contains(KEY_HEADER)) {
            throw new IllegalArgumentException(
                    "the request has a " + KEY_HEADER + " header and its call a key: expected one");
        }
        return request.with(KEY_HEADER, '"' + key + '"');
    }

    /**
     * Makes all these calls, at most {@code window} of them alive at once (W1–W3).
     *
     * @param window from 1 to {@link #MAX_WINDOW}
     * @return the reports in the order of the requests; or a {@link FanoutException} once all have ended, if some call broke
     */
    public CompletableFuture<List<Report>> callAll(List<Request> requests, int window) {
        return Fanout.collect(this, requests, window);
    }

    /**
     * Makes calls as they are asked for, at most {@code window} of them alive at once, and hands their reports to the sink
     * in the order of the input (W1–W3). Calls that run and reports that wait for their turn are never more than four times the
     * window together.
     *
     * @param calls pulled from one at a time, by whichever thread has room for one
     * @param window from 1 to {@link #MAX_WINDOW}
     * @param sink takes each report, one at a time
     * @return completes when all have ended and been handed over; with a {@link FanoutException} if a call, the input
     *     or the sink broke
     */
    public CompletableFuture<Void> callAll(Iterator<PlannedCall> calls, int window, ReportSink sink) {
        return Fanout.stream(this, calls, window, sink);
    }

    /**
     * Replaces the policy for calls that enter from now on; running ones keep theirs. The retry budget's account goes on, unless
     * the new policy sets it otherwise. Breakers and permits are the client's, and stay.
     *
     * @return the policy so far
     * @throws PolicyException if the clock cannot hold the policy's deadlines (P4); nothing is replaced
     */
    public Policy update(Policy next) {
        return update(nameless, next);
    }

    /** The same for an operation class. */
    public Policy update(String operationClass, Policy next) {
        return update(classOf(Objects.requireNonNull(operationClass, "operationClass")), next);
    }

    /** P5: nothing is wrong, and somebody should know. */
    private static void logAdvisories(List<PolicyAdvisory> advisories) {
        advisories.forEach(advisory -> LOGGER.log(System.Logger.Level.WARNING, advisory.toString()));
    }

    private Policy update(OperationClass target, Policy next) {
        long nowNanos = schedulers.clock().nanos();
        List<PolicyFault> faults = next.faultsAt(nowNanos);
        if (!faults.isEmpty()) {
            throw new PolicyException(faults);
        }
        logAdvisories(next.advisories());
        return target.update(next, nowNanos);
    }

    /**
     * Replaces the policy and the operation classes for calls that enter from now on: a class of the same name goes on with its budget, as
     * {@link #update(Policy)} says, others begin or are known no more. Running calls keep what they have.
     *
     * @param classes by name, {@link #MAX_CLASSES} at most
     * @throws PolicyException if there are too many, or the clock cannot hold a policy's deadlines (P4); nothing is replaced
     */
    public synchronized void update(Policy next, Map<String, Policy> classes) {
        long nowNanos = schedulers.clock().nanos();
        List<PolicyFault> faults = faults(next, classes, nowNanos);
        if (!faults.isEmpty()) {
            throw new PolicyException(faults);
        }
        logAdvisories(next.advisories());
        Map<String, OperationClass> all = new LinkedHashMap<>();
        classes.forEach((name, policy) -> {
            logAdvisories(policy.advisories());
            OperationClass known = this.classes.get(name);
            if (known == null) {
                known = new OperationClass(policy, nowNanos);
            } else {
                known.update(policy, nowNanos);
            }
            all.put(name, known);
        });
        nameless.update(next, nowNanos);
        this.classes = Map.copyOf(all);
    }

    private static List<PolicyFault> faults(Policy policy, Map<String, Policy> classes, long nowNanos) {
        List<PolicyFault> faults = new ArrayList<>();
        if (classes.size() > MAX_CLASSES) {
            faults.add(new PolicyFault(
                    PolicyFault.Kind.OUT_OF_RANGE,
                    "operationClasses",
                    Integer.toString(classes.size()),
                    "at most " + MAX_CLASSES));
        }
        faults.addAll(policy.faultsAt(nowNanos));
        classes.values().forEach(named -> faults.addAll(named.faultsAt(nowNanos)));
        return faults;
    }

    /**
     * Changes how many calls may hold a permit, and how many may wait for one. Where more run than may, nothing is granted until enough have
     * ended (L3).
     *
     * @param concurrency 1 to {@link PermitPool#MAX_PERMITS}
     * @param maxQueue 0 to {@link PermitPool#MAX_WAITING}
     * @throws IllegalArgumentException naming what is out of its range; nothing has changed
     */
    public void resize(int concurrency, int maxQueue) {
        permits.resize(concurrency, maxQueue);
    }

    /** The retry budget of calls that name no operation class, at this moment (G1). */
    public BudgetFigures budgetFigures() {
        return nameless.terms().budget().figures(schedulers.clock().nanos());
    }

    /** The retry budget of an operation class. */
    public BudgetFigures budgetFigures(String operationClass) {
        return classOf(Objects.requireNonNull(operationClass, "operationClass"))
                .terms()
                .budget()
                .figures(schedulers.clock().nanos());
    }

    /** The endpoints that have breakers, with what these say now, by name (G2); empty in a client without breakers. */
    public List<EndpointFigures> endpointFigures() {
        return endpoints == null
                ? List.of()
                : endpoints.endpoints(schedulers.clock().nanos());
    }

    /**
     * Opens an endpoint's breaker by hand, until {@link #closeBreaker}.
     *
     * @return false if there is none: the client keeps no breakers, or its table is full of endpoints that must stay
     */
    public boolean forceOpenBreaker(Endpoint endpoint) {
        return endpoints != null
                && endpoints.forceOpen(endpoint, schedulers.clock().nanos());
    }

    /** Closes an endpoint's breaker by hand, whatever its state, without a ramp. */
    public void closeBreaker(Endpoint endpoint) {
        if (endpoints != null) {
            endpoints.close(endpoint, schedulers.clock().nanos());
        }
    }

    /**
     * Closes the client (S1): new and queued calls are rejected from now on, running ones may end within the grace, the rest
     * is cancelled. Asking again with a shorter grace brings the end forward.
     *
     * @return completes when no call holds anything any more
     */
    public CompletableFuture<Void> close(Duration grace) {
        return closing.begin(grace);
    }

    /** The client's figures at this moment. */
    public ClientFigures figures() {
        return new ClientFigures(
                permits.held(),
                permits.waiting(),
                sleeping.size(),
                counters.lateResults.sum(),
                counters.slowSends.sum(),
                counters.delayedCleanups.sum(),
                counters.delayedCleanupNanos.sum(),
                counters.forcedCleanups.sum(),
                counters.failedCallbacks.sum(),
                counters.failedCallOuts.sum() + permits.signalFailures());
    }

    // What the machines of this client share.

    Transport transport() {
        return transport;
    }

    Schedulers schedulers() {
        return schedulers;
    }

    JitterSource jitter() {
        return jitter;
    }

    InstantSource wallClock() {
        return wallClock;
    }

    Metadata metadata() {
        return metadata;
    }

    PermitPool permits() {
        return permits;
    }

    /** Where breakers stand; null where nobody asks about endpoints. */
    @Nullable
    EndpointTable endpoints() {
        return endpoints;
    }

    EndpointTable requireEndpoints() {
        return Objects.requireNonNull(endpoints);
    }

    @Nullable
    EndpointPicker picker() {
        return picker;
    }

    Counters counters() {
        return counters;
    }

    SleepingCalls sleeping() {
        return sleeping;
    }

    /** Never 0 in the first 2^32 − 1 calls that come to a retry. */
    int nextJitterId() {
        return jitterIds.incrementAndGet();
    }

    /** Whether the grace is over and calls that go to sleep must end instead. */
    boolean endsCalls() {
        return closing.graceIsOver();
    }

    /** A call has let go of everything. */
    void callCleaned() {
        closing.callCleaned();
    }

    /** Collects a client. Not thread-safe. */
    public static final class Builder {

        private final Transport transport;
        private final Schedulers schedulers;
        private Policy policy = Policy.standard();
        private int concurrency = DEFAULT_CONCURRENCY;
        private @Nullable Integer maxQueue;
        private @Nullable JitterSource jitter;
        private BreakerSettings breaker = BreakerSettings.standard();
        private @Nullable EndpointPicker picker;
        private InstantSource wallClock = InstantSource.system();
        private Metadata metadata = Metadata.none();
        private final Map<String, Policy> classes = new LinkedHashMap<>();

        private Builder(Transport transport, Schedulers schedulers) {
            this.transport = Objects.requireNonNull(transport, "transport");
            this.schedulers = Objects.requireNonNull(schedulers, "schedulers");
        }

        public Builder policy(Policy value) {
            policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /**
         * Gives the calls of an operation class a policy and a retry budget of their own; permits and breakers are the client's.
         *
         * @param name what calls name it by ({@link CallOptions#withOperationClass})
         */
        public Builder operationClass(String name, Policy value) {
            classes.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "policy"));
            return this;
        }

        /**
         * The breakers of the endpoints (G2), {@link BreakerSettings#standard()} unless said. An answer is slow from 0.8 of the
         * policy's attempt timeout on, unless the settings say otherwise.
         */
        public Builder breaker(BreakerSettings settings) {
            breaker = Objects.requireNonNull(settings, "breaker");
            return this;
        }

        /** Who chooses where each attempt goes; the origin of its URI unless given. */
        public Builder endpoints(EndpointPicker value) {
            picker = Objects.requireNonNull(value, "endpoints");
            return this;
        }

        /** How many permits there are, 1 to {@link PermitPool#MAX_PERMITS}; 1,024 unless said. */
        public Builder concurrency(int permits) {
            concurrency = permits;
            return this;
        }

        /** How many calls may wait for a permit; as many as there are permits unless said. */
        public Builder maxQueue(int calls) {
            maxQueue = calls;
            return this;
        }

        /** The source of jitter; randomly seeded unless given. */
        public Builder jitter(JitterSource source) {
            jitter = Objects.requireNonNull(source, "jitter");
            return this;
        }

        /** What the next layer is told with each attempt (M1); nothing unless said. */
        public Builder metadata(Metadata value) {
            metadata = Objects.requireNonNull(value, "metadata");
            return this;
        }

        /** The time of day, against which dates in {@code Retry-After} are read (R4, T1); the system's unless given. */
        public Builder wallClock(InstantSource clock) {
            wallClock = Objects.requireNonNull(clock, "wallClock");
            return this;
        }

        private int maxQueue() {
            return maxQueue == null ? concurrency : maxQueue;
        }

        private BreakerSettings breaker() {
            return breaker.forAttemptTimeout(policy.attemptTimeoutNanos());
        }

        /** What the policies advise against, class by class (P5): what {@link #build} will log. Not errors. */
        public List<PolicyAdvisory> advisories() {
            List<PolicyAdvisory> advisories = new ArrayList<>(policy.advisories());
            classes.values().forEach(named -> advisories.addAll(named.advisories()));
            return List.copyOf(advisories);
        }

        /**
         * The client. Its {@link #advisories()} are logged, once.
         *
         * @throws PolicyException listing every fault of the settings, and of the policy against the clock as it stands (P2, P4)
         */
        public Client build() {
            List<PolicyFault> faults = new ArrayList<>();
            if (concurrency <= 0) {
                faults.add(new PolicyFault(
                        PolicyFault.Kind.CONCURRENCY_ZERO, "concurrency", Integer.toString(concurrency), "1 or more"));
            }
            if (concurrency > PermitPool.MAX_PERMITS) {
                faults.add(new PolicyFault(
                        PolicyFault.Kind.CONCURRENCY_TOO_LARGE,
                        "concurrency",
                        Integer.toString(concurrency),
                        "at most " + PermitPool.MAX_PERMITS));
            }
            if (maxQueue() < 0 || maxQueue() > PermitPool.MAX_WAITING) {
                faults.add(new PolicyFault(
                        PolicyFault.Kind.OUT_OF_RANGE,
                        "maxQueue",
                        Integer.toString(maxQueue()),
                        "0 to " + PermitPool.MAX_WAITING));
            }
            long nowNanos = schedulers.clock().nanos();
            faults.addAll(faults(policy, classes, nowNanos));
            if (!faults.isEmpty()) {
                throw new PolicyException(faults);
            }
            logAdvisories(advisories());
            return new Client(this, nowNanos);
        }
    }
}
