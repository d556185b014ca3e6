package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real threads on one breaker and on one table: what they count adds up, and what must not happen does not. */
@Timeout(120)
@SuppressWarnings("ThreadPriorityCheck") // To let the others run is all that yield is for.
class BreakerStressTest {

    private static final int THREADS = 4;
    private static final long NO_LEASE = Long.MAX_VALUE;

    private static final Duration LONG = Duration.ofHours(1);

    private static final List<URI> URIS = IntStream.range(0, 200)
            .mapToObj(i -> URI.create("http://host-" + i + ".example/"))
            .toList();

    @ParameterizedTest(name = "{0} trials")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("G2 never more than N trials of a generation are there at once, and N successes close")
    void neverMoreThanNTrials(int trials) throws Exception {
        CircuitBreaker breaker = CircuitBreaker.of(BreakerSettings.builder()
                .consecutiveFailures(1)
                .openPeriod(Duration.ofNanos(50))
                .trials(trials)
                .build());
        AtomicLong clock = new AtomicLong();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();

        onAllThreads(thread -> {
            SplittableRandom random = new SplittableRandom(900 + thread);
            while (breaker.figures(0).openings() < 300) {
                int stamp = breaker.tryAdmit(clock.incrementAndGet(), NO_LEASE);
                if (CircuitBreaker.isTrial(stamp)) {
                    // No trial fails, so a generation ends with its last one: those that run are of one generation.
                    peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.yield();
                    running.decrementAndGet();
                    Verdict verdict = random.nextInt(5) == 0 ? Verdict.NEUTRAL : Verdict.SUCCESS;
                    breaker.record(stamp, verdict, clock.get(), 1);
                } else if (stamp != CircuitBreaker.REFUSED) {
                    Verdict verdict = random.nextInt(20) == 0 ? Verdict.FAILURE : Verdict.SUCCESS;
                    breaker.record(stamp, verdict, clock.get(), 1);
                }
            }
            return 0;
        });

        assertThat(running.get()).isZero();
        assertThat(peak.get()).isBetween(1, trials);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"count", "time"})
    @DisplayName("G2 with results racing, none is lost or doubled in a window")
    void noResultIsLost(String window) throws Exception {
        int perThread = 60_000;
        boolean count = window.equals("count");
        BreakerSettings.Builder settings =
                count ? neverOpens().countWindow(65_536) : neverOpens().timeWindow(LONG);
        CircuitBreaker breaker = CircuitBreaker.of(settings.build());

        List<Integer> failures = onAllThreads(thread -> {
            SplittableRandom random = new SplittableRandom(70 + thread);
            int failed = 0;
            for (int i = 0; i < perThread; i++) {
                int draw = random.nextInt(10);
                Verdict verdict = draw == 0 ? Verdict.FAILURE : Verdict.SUCCESS;
                failed += draw == 0 ? 1 : 0;
                breaker.record(breaker.tryAdmit(i, NO_LEASE), verdict, i, draw == 1 ? 10 : 9);
            }
            return failed;
        });

        BreakerFigures figures = breaker.figures(perThread);
        if (count) {
            // The ring says itself what it holds.
            int last = 65_536;
            assertThat(figures.calls()).isEqualTo(last);
            for (int i = 0; i < last; i++) {
                breaker.record(breaker.tryAdmit(perThread, NO_LEASE), Verdict.SUCCESS, perThread, 9);
            }
            assertThat(breaker.figures(perThread))
                    .extracting(BreakerFigures::calls, BreakerFigures::failed, BreakerFigures::slow)
                    .containsExactly((long) last, 0L, 0L);
        } else {
            assertThat(figures.calls()).isEqualTo((long) THREADS * perThread);
            assertThat(figures.failed())
                    .isEqualTo(failures.stream().mapToInt(Integer::intValue).sum());
        }
    }

    @Test
    @DisplayName("G2 with the window moving under load, what it holds in the end is what was recorded last")
    void theWindowMovesUnderLoad() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.of(neverOpens()
                .slowRatePercent(0)
                .timeWindow(Duration.ofNanos(1_000))
                .build());
        AtomicLong clock = new AtomicLong();

        onAllThreads(thread -> {
            for (int i = 0; i < 50_000; i++) {
                long now = clock.incrementAndGet();
                breaker.record(breaker.tryAdmit(now, NO_LEASE), Verdict.FAILURE, now, 9);
            }
            return 0;
        });
        long quiet = clock.get() + 1_000;
        for (int i = 0; i < 7; i++) {
            breaker.record(breaker.tryAdmit(quiet, NO_LEASE), Verdict.FAILURE, quiet, 9);
        }

        assertThat(breaker.figures(quiet))
                .extracting(BreakerFigures::calls, BreakerFigures::failed)
                .containsExactly(7L, 7L);
    }

    @Test
    @DisplayName("G5 under a flood of names a table keeps its bound and every endpoint that is open")
    void aTableUnderAFlood() throws Exception {
        int size = 40;
        EndpointTable table = EndpointTable.of(BreakerSettings.builder()
                .consecutiveFailures(2)
                .openPeriod(Duration.ofHours(1))
                .tableSize(size)
                .build());
        AtomicInteger opened = new AtomicInteger();

        List<List<EndpointState>> open = onAllThreads(thread -> {
            SplittableRandom random = new SplittableRandom(3_300 + thread);
            List<EndpointState> mine = new ArrayList<>();
            for (int i = 0; i < 40_000; i++) {
                EndpointState state = table.find(URIS.get(random.nextInt(URIS.size())), 1);
                assertThat(table.figures().entries()).isLessThanOrEqualTo(size);
                CircuitBreaker breaker = state.breaker();
                if (breaker != null) {
                    int stamp = breaker.tryAdmit(1, NO_LEASE);
                    boolean fails = opened.get() < size / 2 && random.nextInt(50) == 0;
                    breaker.record(stamp, fails ? Verdict.FAILURE : Verdict.SUCCESS, 1, 1);
                    if (fails) {
                        breaker.record(breaker.tryAdmit(1, NO_LEASE), Verdict.FAILURE, 1, 1);
                    }
                    if (breaker.figures(1).state() == BreakerState.OPEN && !mine.contains(state)) {
                        mine.add(state);
                        opened.incrementAndGet();
                    }
                }
            }
            return mine;
        });

        assertThat(open).anySatisfy(mine -> assertThat(mine).isNotEmpty());
        for (EndpointState state : open.stream().flatMap(List::stream).toList()) {
            assertThat(table.find(state.endpoint(), 1)).isSameAs(state);
        }
        assertThat(table.figures().entries()).isLessThanOrEqualTo(size);
        assertThat(table.figures().evictions()).isPositive();
        long kept = table.endpoints(1).size();
        for (int i = 0; i < size - kept; i++) {
            table.find(Endpoint.of("http://new-" + i + ".example"), 1);
        }
        assertThat(table.figures().entries()).as("no place is lost").isEqualTo(size);
    }

    /** So many calls never fail all. */
    private static BreakerSettings.Builder neverOpens() {
        return BreakerSettings.builder()
                .consecutiveFailures(0)
                .failureRatePercent(0)
                .slowRatePercent(100)
                .slowCall(Duration.ofNanos(10))
                .minimumCalls(50_000);
    }

    @FunctionalInterface
    private interface Work<T> {
        T run(int thread) throws Exception;
    }

    private static <T> List<T> onAllThreads(Work<T> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    start.await();
                    return work.run(thread);
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
