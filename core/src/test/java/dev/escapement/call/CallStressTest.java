package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.report.Report;
import dev.escapement.report.ReportDetail;
import dev.escapement.time.ArmedTimers;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import dev.escapement.transport.TransportFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine on real threads: callers, a transport that completes on threads of its own, cancellers and the timer thread, all at
 * once. Everything is counted, nothing is timed.
 */
class CallStressTest {

    private static final int CALLS = 60_000;
    private static final int GUARDED_CALLS = 10_000;
    private static final int CALLERS = 3;

    /** More than there are permits and places in the queue together, so that some are refused. */
    private static final int AT_ONCE = 60;

    @ParameterizedTest
    @EnumSource(PermitScope.class)
    @DisplayName("A5, L3 on real threads each call has one outcome, and permits, sleepers, timers and bodies come back")
    void everythingComesBack(PermitScope scope) throws Exception {
        play(scope, Integer.MAX_VALUE, with -> with, UnaryOperator.identity());
    }

    @ParameterizedTest
    @EnumSource(PermitScope.class)
    @DisplayName("S1 so does it where the client is closed in the middle of it")
    void everythingComesBackFromAClosedClient(PermitScope scope) throws Exception {
        play(scope, CALLS / 2, with -> with, UnaryOperator.identity());
    }

    @ParameterizedTest
    @EnumSource(PermitScope.class)
    @DisplayName(
            "G1, G2, E8 on real threads guards keep nothing of calls that have ended, but the retries that started")
    void guardsKeepNothing(PermitScope scope) throws Exception {
        List<Endpoint> endpoints = List.of(Endpoint.of("http://a.test"), Endpoint.of("http://b.test"));
        BreakerSettings breaker = BreakerSettings.builder()
                .consecutiveFailures(6)
                .openPeriod(World.ns(200_000))
                .trials(2)
                .build();
        Tally tally = new Tally(GUARDED_CALLS);
        Client client = play(
                tally,
                scope,
                Integer.MAX_VALUE,
                with -> with.reportDetail(ReportDetail.FULL).budget(BudgetSettings.of(0.3, 0, Duration.ofMinutes(1))),
                builder -> builder.breaker(breaker).endpoints(EndpointPicker.leastLoaded(endpoints, 42)));

        // Less where a slow machine takes longer than the window; what is not given back would be more.
        assertThat(client.budgetFigures().reserved()).isLessThanOrEqualTo(tally.retries.sum());
        assertThat(client.budgetFigures().deposits()).isLessThanOrEqualTo(tally.started.sum());
        assertThat(client.endpointFigures()).hasSize(2).allSatisfy(figures -> {
            assertThat(figures.inFlight()).isZero();
            assertThat(figures.breaker().trialsRunning()).isZero();
        });
        assertThat(client.endpointFigures())
                .as("a breaker that never opened proves little")
                .anySatisfy(figures -> assertThat(figures.breaker().openings()).isPositive());
    }

    private static void play(
            PermitScope scope,
            int closesAt,
            UnaryOperator<PolicyBuilder> policyWith,
            UnaryOperator<Client.Builder> clientWith)
            throws Exception {
        play(new Tally(CALLS), scope, closesAt, policyWith, clientWith);
    }

    private static Client play(
            Tally tally,
            PermitScope scope,
            int closesAt,
            UnaryOperator<PolicyBuilder> policyWith,
            UnaryOperator<Client.Builder> clientWith)
            throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        WheelScheduler scheduler = new WheelScheduler(pool);
        RestlessTransport transport = new RestlessTransport(2);
        try {
            Client client = clientWith
                    .apply(Client.builder(transport, Schedulers.of(scheduler))
                            .breaker(BreakerSettings.none())
                            .policy(policy(scope, policyWith))
                            .concurrency(16)
                            .maxQueue(30))
                    .build();
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                SplittableRandom random = new SplittableRandom(i + 1);
                callers.add(new Thread(new Caller(client, tally, random, closesAt), "caller-" + i));
            }

            callers.forEach(Thread::start);
            for (Thread caller : callers) {
                caller.join();
            }
            boolean allEnded = tally.allEnded.await(60, TimeUnit.SECONDS);
            client.close(ms(1_000)).get(60, TimeUnit.SECONDS);
            transport.close();
            // The grace is disarmed by a task of the home's.
            pool.shutdown();
            assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

            assertThat(tally.surprises).isEmpty();
            assertThat(allEnded)
                    .as("ended: %s of %s", tally.ended, CALLERS * tally.calls)
                    .isTrue();
            assertThat(tally.ended).hasValue(CALLERS * tally.calls);
            ClientFigures figures = client.figures();
            assertThat(figures.permitsHeld() + figures.waiting() + figures.asleep())
                    .as("held by %s", figures)
                    .isZero();
            assertThat(figures.failedCallOuts() + figures.failedCallbacks()).isZero();
            assertThat(transport.bodies).hasValue(0);
            assertThat(ArmedTimers.in(scheduler)).isZero();
            return client;
        } finally {
            scheduler.close();
            pool.shutdownNow();
        }
    }

    private static Policy policy(PermitScope scope, UnaryOperator<PolicyBuilder> policyWith) {
        return World.plain(with -> policyWith
                .apply(with)
                .permitScope(scope)
                .attemptTimeout(World.ns(300_000))
                .initialBackoff(World.ns(20_000))
                .cleanupReserve(ms(1))
                .maxRetries(2)
                .maxQueueWait(ms(2)));
    }

    /** What came of all calls. */
    private static final class Tally {

        final AtomicInteger ended = new AtomicInteger();
        final LongAdder started = new LongAdder();
        final LongAdder retries = new LongAdder();
        final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
        final int calls;
        final CountDownLatch allEnded;

        Tally(int calls) {
            this.calls = calls;
            allEnded = new CountDownLatch(CALLERS * calls);
        }
    }

    /** Makes calls, a bounded number at a time, and cancels some of them from where it stands. */
    private static final class Caller implements Runnable {

        private final Client client;
        private final Tally tally;
        private final SplittableRandom random;
        private final int closesAt;
        private final Semaphore room = new Semaphore(AT_ONCE / CALLERS);

        Caller(Client client, Tally tally, SplittableRandom random, int closesAt) {
            this.closesAt = closesAt;
            this.client = client;
            this.tally = tally;
            this.random = random;
        }

        @Override
        public void run() {
            for (int i = 0; i < tally.calls; i++) {
                room.acquireUninterruptibly();
                if (i == closesAt) {
                    CompletableFuture<Void> unused = client.close(World.ns(100_000));
                }
                OneEnd end = new OneEnd();
                Request request = random.nextInt(4) == 0 ? World.POST : GET;
                if (random.nextInt(3) == 0) {
                    CompletableFuture<Report> future = client.call(request);
                    CompletableFuture<Void> unused = future.thenAccept(end::ended);
                    if (random.nextInt(8) == 0) {
                        future.cancel(false);
                    }
                } else {
                    Call call = client.call(request, CallOptions.none(), end::ended);
                    if (random.nextInt(8) == 0) {
                        call.cancel();
                    }
                }
            }
        }

        private final class OneEnd {

            private final AtomicInteger reports = new AtomicInteger();

            void ended(Report report) {
                if (reports.incrementAndGet() > 1) {
                    tally.surprises.add("ended twice: " + report);
                }
                switch (report.outcome().kind()) {
                    case BROKEN, POLICY_TIME_OVERFLOW -> tally.surprises.add(report.toString());
                    default -> {}
                }
                report.release();
                if (report.attempts() > 0) {
                    tally.started.increment();
                    tally.retries.add(report.attempts() - 1);
                }
                tally.ended.incrementAndGet();
                tally.allEnded.countDown();
                room.release();
            }
        }
    }

    /** Takes attempts in and ends them in its own time, on its own threads, in every way it may and in some that it may not. */
    private static final class RestlessTransport implements Transport {

        /** Bodies made and not released yet. */
        final AtomicInteger bodies = new AtomicInteger();

        private final ConcurrentLinkedQueue<Running> running = new ConcurrentLinkedQueue<>();
        private final Semaphore work = new Semaphore(0);
        private final AtomicLong seeds = new AtomicLong(1);
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean closed;

        RestlessTransport(int threadCount) {
            for (int i = 0; i < threadCount; i++) {
                Thread thread = new Thread(this::serve, "transport-" + i);
                threads.add(thread);
                thread.start();
            }
        }

        @Override
        public Attempt send(Request request, Exchange exchange) {
            Running attempt = new Running(exchange, new SplittableRandom(seeds.getAndIncrement()));
            if (attempt.random.nextInt(10) == 0) {
                attempt.end();
            } else {
                running.add(attempt);
                work.release();
            }
            return attempt;
        }

        private void serve() {
            while (true) {
                work.acquireUninterruptibly();
                Running attempt = running.poll();
                if (attempt != null) {
                    attempt.end();
                } else if (closed) {
                    return;
                }
            }
        }

        void close() throws InterruptedException {
            closed = true;
            work.release(threads.size());
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private final class Running implements Attempt {

            private final Exchange exchange;
            private final SplittableRandom random;
            private final AtomicInteger cleaned = new AtomicInteger();

            Running(Exchange exchange, SplittableRandom random) {
                this.exchange = exchange;
                this.random = random;
            }

            /** On a thread of the transport's, while the engine may be abandoning. */
            void end() {
                exchange.connected(false);
                boolean early = random.nextInt(3) == 0;
                switch (random.nextInt(12)) {
                    case 0 -> {
                        // Hangs: only abandonment ends it.
                        return;
                    }
                    case 1 -> exchange.fail(TransportFailure.of(TransportFailure.Kind.REFUSED, "simulated"));
                    case 2, 3 -> {
                        write();
                        clean(early);
                        exchange.fail(TransportFailure.of(TransportFailure.Kind.RESET, "simulated"));
                    }
                    case 4, 5, 6 -> {
                        write();
                        clean(early);
                        answer(503);
                    }
                    case 7 -> {
                        write();
                        answer(200);
                        answer(200);
                    }
                    default -> {
                        write();
                        clean(early);
                        answer(200);
                    }
                }
                clean(true);
            }

            private void write() {
                if (exchange.tryWrite()) {
                    exchange.written(17);
                    exchange.requestSent();
                }
            }

            private void answer(int status) {
                exchange.replyStarted();
                Response response = Response.of(status, Headers.empty(), new CountedBody(bodies));
                if (!exchange.succeed(response)) {
                    response.release();
                }
            }

            private void clean(boolean now) {
                if (now && cleaned.getAndIncrement() == 0) {
                    exchange.clean(ConnectionFate.POISONED, 0);
                }
            }

            @Override
            public void abandon() {
                clean(true);
            }
        }
    }

    /** Counts itself while nobody has released it. */
    private static final class CountedBody implements Body {

        private final AtomicInteger held;
        private final AtomicInteger releases = new AtomicInteger();

        CountedBody(AtomicInteger held) {
            this.held = held;
            held.incrementAndGet();
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public ByteBuffer content() {
            return ByteBuffer.allocate(0);
        }

        @Override
        public void release() {
            if (releases.getAndIncrement() == 0) {
                held.decrementAndGet();
            }
        }
    }
}
