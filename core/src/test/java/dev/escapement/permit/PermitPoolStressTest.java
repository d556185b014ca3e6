package dev.escapement.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.permit.PermitWaiter.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that acquire, wait, give up and release as fast as they can; a permit lost would leave one of them waiting for ever. */
@Timeout(120)
@SuppressWarnings("ThreadPriorityCheck") // To let the others run is all that yield is for.
class PermitPoolStressTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 20_000;

    /** How many are between a grant and the release of it, as the threads see it themselves. */
    private final AtomicInteger inFlight = new AtomicInteger();

    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicInteger signals = new AtomicInteger();

    @Test
    @DisplayName("L3 L4 with grants, cancellations and releases racing, no permit is lost or doubled")
    void noPermitIsLostOrDoubled() throws Exception {
        for (int limit : new int[] {1, 2, 3}) {
            PermitPool pool = PermitPool.of(limit, 5);
            inFlight.set(0);
            peak.set(0);
            signals.set(0);

            List<Long> grantsAfterWaiting = onAllThreads(thread -> new Worker(pool, 4_821 + thread).work());

            assertThat(peak.get()).isBetween(1, limit);
            assertThat(pool.available()).isEqualTo(limit);
            assertThat(QueueInspector.inspect(pool)).isEmpty();
            assertThat(signals.get())
                    .isEqualTo(grantsAfterWaiting.stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }
    }

    @Test
    @DisplayName("S1 a pool closed under load ends every wait, and takes every permit back")
    void aPoolClosedUnderLoadComesToRest() throws Exception {
        for (int round = 0; round < 500; round++) {
            int seed = round;
            PermitPool pool = PermitPool.of(2, 7);

            onAllThreads(thread -> {
                if (thread == seed % THREADS) {
                    pool.close();
                    return 0L;
                }
                return new Worker(pool, seed * 31L + thread).workUntilClosed();
            });

            assertThat(pool.held()).isZero();
            assertThat(QueueInspector.inspect(pool)).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "L3 while its limit moves up and down under load, no permit is lost or doubled, and no release refused")
    void aMovingLimitLosesNothing() throws Exception {
        PermitPool pool = PermitPool.of(3, 5);
        AtomicInteger working = new AtomicInteger(THREADS - 1);

        onAllThreads(thread -> {
            if (thread > 0) {
                try {
                    return new Worker(pool, 20_261 + thread).work();
                } finally {
                    working.decrementAndGet();
                }
            }
            for (int turn = 0; working.get() > 0; turn++) {
                pool.resize(1 + turn % 3, 5);
                Thread.onSpinWait();
            }
            pool.resize(2, 5);
            return 0L;
        });

        assertThat(pool.held()).isZero();
        assertThat(pool.available()).isEqualTo(2);
        assertThat(peak.get()).isBetween(1, 3);
        assertThat(QueueInspector.inspect(pool)).isEmpty();
    }

    @Test
    @DisplayName("L2 waiters of one thread are served in the order of their coming, whoever else joins meanwhile")
    void orderHoldsUnderLoad() throws Exception {
        int perThread = 20_000;
        PermitPool pool = PermitPool.of(1, THREADS * perThread);
        LongAdder served = new LongAdder();
        assertThat(pool.tryAcquire()).isTrue();

        onAllThreads(thread -> {
            if (thread > 0) {
                NumberedWaiter last = null;
                for (int place = 0; place < perThread; place++) {
                    last = new NumberedWaiter(last, served);
                    if (pool.enqueue(last) == Enqueued.GRANTED) {
                        served.increment();
                    }
                }
                return 0L;
            }
            for (int i = 0; i < (THREADS - 1) * perThread; i++) {
                // One who is just being granted still counts: then this permit is free for whoever comes next.
                while (pool.waiting() == 0) {
                    Thread.yield();
                }
                pool.release();
            }
            return 0L;
        });

        assertThat(pool.signalFailures()).isZero();
        assertThat(served.sum()).isEqualTo((THREADS - 1L) * perThread);
    }

    /** Runs the work on all threads, started together, and returns what each came to. */
    private static List<Long> onAllThreads(Work work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            AtomicInteger toStart = new AtomicInteger(THREADS);
            List<Callable<Long>> tasks = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                tasks.add(() -> {
                    toStart.decrementAndGet();
                    while (toStart.get() > 0) {
                        Thread.yield();
                    }
                    return work.of(number);
                });
            }
            List<Long> results = new ArrayList<>();
            for (Future<Long> future : executor.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** What one thread does. */
    private interface Work {
        long of(int thread);
    }

    /** One thread and its waiter. */
    private final class Worker extends PermitWaiter {

        private final PermitPool pool;
        private final SplittableRandom random;

        Worker(PermitPool pool, long seed) {
            this.pool = pool;
            this.random = new SplittableRandom(seed);
        }

        @Override
        protected void signalled() {
            signals.incrementAndGet();
        }

        /** Returns how often a wait ended in a grant. */
        long work() {
            long granted = 0;
            for (int round = 0; round < ROUNDS; round++) {
                granted += step() == State.WAITING ? 1 : 0;
            }
            return granted;
        }

        long workUntilClosed() {
            long granted = 0;
            while (!pool.closed()) {
                granted += step() == State.WAITING ? 1 : 0;
            }
            return granted;
        }

        /** Returns {@code WAITING} if a permit was got by waiting, {@code GRANTED} if at once, else {@code NEW} or {@code CLOSED}. */
        private State step() {
            if (random.nextInt(3) == 0) {
                if (pool.tryAcquire()) {
                    useAndRelease();
                    return State.GRANTED;
                }
                return State.NEW;
            }
            switch (pool.enqueue(this)) {
                case GRANTED -> {
                    useAndRelease();
                    return State.GRANTED;
                }
                case QUEUE_FULL, CLOSED -> {
                    return State.NEW;
                }
                case WAITING -> {}
            }
            boolean patient = random.nextBoolean();
            for (int looks = random.nextInt(20); state() == State.WAITING && (patient || looks > 0); looks--) {
                // With more threads than cores, the one to wait for may need this one's.
                Thread.yield();
            }
            if (!pool.cancel(this) && state() == State.GRANTED) {
                useAndRelease();
                return State.WAITING;
            }
            return state();
        }

        private void useAndRelease() {
            peak.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            inFlight.decrementAndGet();
            pool.release();
        }
    }

    /**
     * A waiter that insists on the one before it in its thread having been granted first. Grants are in order; the signals that
     * tell of them are given after unlocking, by whoever granted, and may overtake each other.
     */
    private static final class NumberedWaiter extends PermitWaiter {

        private final NumberedWaiter before;
        private final LongAdder served;

        NumberedWaiter(NumberedWaiter before, LongAdder served) {
            this.before = before;
            this.served = served;
        }

        @Override
        protected void signalled() {
            if (before != null && before.state() != State.GRANTED) {
                throw new IllegalStateException("granted before the one before it, which is " + before.state());
            }
            served.increment();
        }
    }
}
