package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.BudgetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Real threads on one budget: what was granted and what was counted agree, whoever came first. */
class RetryBudgetStressTest {

    private static final int THREADS = 3;

    @Test
    @DisplayName("G1 of several who ask for the last retry exactly one gets it")
    void oneGetsTheLast() throws Exception {
        int rounds = 3_000;
        List<RetryBudget> budgets = IntStream.range(0, rounds)
                .mapToObj(round -> RetryBudget.of(BudgetSettings.of(0, 1, Duration.ofSeconds(1)), 0))
                .toList();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        int[][] granted = new int[THREADS][rounds];

        everyThread(thread -> {
            for (int round = 0; round < rounds; round++) {
                together.await();
                granted[thread][round] = budgets.get(round).tryReserve(0) ? 1 : 0;
            }
        });

        for (int round = 0; round < rounds; round++) {
            assertThat(granted[0][round] + granted[1][round] + granted[2][round])
                    .as("round %d", round)
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("G1 deposits made by many are all there for one who asks: none lost, none twice")
    void everyDepositCounts() throws Exception {
        int perThread = 200_000;
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.1, 0, Duration.ofSeconds(10)), 0);
        AtomicLong granted = new AtomicLong();

        everyThread(thread -> {
            for (int i = 0; i < perThread; i++) {
                budget.deposit(0);
                if (thread == 0 && budget.tryReserve(0)) {
                    granted.incrementAndGet();
                }
            }
        });
        while (budget.tryReserve(0)) {
            granted.incrementAndGet();
        }

        assertThat(granted).hasValue(THREADS * perThread / 10);
        assertThat(budget.figures(0).deposits()).isEqualTo(THREADS * perThread);
    }

    @Test
    @DisplayName("G1 through hundreds of buckets, retries stay within the ratio of all calls, and nothing is left over")
    void neverMoreThanTheRatio() throws Exception {
        int perThread = 300_000;
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.2, 0, Duration.ofSeconds(1)), 0);
        AtomicLong clock = new AtomicLong();
        AtomicLong kept = new AtomicLong();

        everyThread(thread -> {
            SplittableRandom random = new SplittableRandom(4_821 + thread);
            for (int i = 0; i < perThread; i++) {
                // A reading may be late by the time it is used, as everywhere.
                long nowNanos = clock.addAndGet(random.nextInt(200_000));
                budget.deposit(nowNanos);
                if (budget.tryReserve(nowNanos)) {
                    if (random.nextInt(4) == 0) {
                        budget.giveBack(nowNanos);
                    } else {
                        kept.incrementAndGet();
                    }
                }
            }
        });

        long calls = (long) THREADS * perThread;
        assertThat(kept.get()).isBetween(calls * 19 / 100, calls * 20 / 100);
        BudgetFigures figures = budget.figures(clock.get());
        assertThat(figures.reserved() * 5).isLessThanOrEqualTo(figures.deposits() + 5);
        assertThat(budget.figures(clock.get() + 1_000_000_000L).reserved()).isZero();
        assertThat(budget.figures(clock.get() + 1_000_000_000L).deposits()).isZero();
    }

    /** A task that knows which of the threads it is. */
    private interface Task {
        void run(int thread) throws Exception;
    }

    private static void everyThread(Task task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    task.run(thread);
                    return null;
                });
            }
            for (Future<Void> done : pool.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
