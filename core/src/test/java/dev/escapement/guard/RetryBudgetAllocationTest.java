package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.policy.BudgetSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the budget allocates, counted by the virtual machine on the calling thread: nothing, moving from bucket to bucket included. */
class RetryBudgetAllocationTest {

    private static final int CALLS = 20_000;

    /** So that a round of calls goes through a hundred buckets. */
    private static final long BETWEEN_CALLS_NANOS = 5_000_000L;

    private long nowNanos;
    private long granted;

    @Test
    @DisplayName("G1 a deposit, a retry granted and given back, and a retry refused allocate nothing")
    void nothingIsAllocated() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.1, 0, Duration.ofSeconds(10)), 0);

        long bytes = bytes(() -> {
            nowNanos += BETWEEN_CALLS_NANOS;
            budget.deposit(nowNanos);
            if (budget.tryReserve(nowNanos) && ++granted % 3 == 0) {
                budget.giveBack(nowNanos);
            }
        });

        assertThat(bytes).isZero();
        assertThat(granted).isPositive();
        assertThat(budget.figures(nowNanos).refused()).isPositive();
    }

    /** The least of some rounds: a class loaded on the way is nobody's call. */
    private static long bytes(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
        }
        return least;
    }
}
