package dev.escapement.benchmarks;

import dev.escapement.permit.Enqueued;
import dev.escapement.permit.PermitPool;
import dev.escapement.permit.PermitWaiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does one permit cost, taken and given back: while permits are free, and while others wait for them?
 *
 * <p>The floor is a pair of atomic additions on a word of its own cache line; the peer is the JDK's unfair semaphore, which
 * has no counterpart to a queue in which no thread is parked. Left out: what a signal does beyond being called.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar PermitBenchmark -t 1 -prof gc
 * java -jar benchmarks/target/benchmarks.jar PermitBenchmark -t 2 -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-Xmn192m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PermitBenchmark {

    private static final int LIMIT = 256;
    private static final int QUEUED = 64;

    /** Permits enough for everyone. */
    @State(Scope.Benchmark)
    public static class Free {
        final PermitPool pool = PermitPool.of(LIMIT, QUEUED);
        final Semaphore semaphore = new Semaphore(LIMIT);
        final PaddedCounter counter = new PaddedCounter();
    }

    /** No permit is free, and a queue stands whose length does not change. */
    @State(Scope.Benchmark)
    public static class Taken {
        final PermitPool pool = PermitPool.of(LIMIT, 2 * QUEUED);

        /** Takes all permits and fills the queue. */
        @Setup
        public void fill() {
            while (pool.tryAcquire()) {
                // All of them.
            }
            for (int i = 0; i < QUEUED; i++) {
                pool.enqueue(new SilentWaiter());
            }
        }
    }

    /**
     * The waiters of one thread, used in turn. Each operation releases once and enqueues once, so no more than the queue's
     * length can stand before a waiter, and after that many operations of its thread it has been served.
     */
    @State(Scope.Thread)
    public static class Waiters {
        private final SilentWaiter[] ring = new SilentWaiter[2 * QUEUED];
        private int next;

        /** Makes the waiters. */
        @Setup
        public void make() {
            for (int i = 0; i < ring.length; i++) {
                ring[i] = new SilentWaiter();
            }
        }

        SilentWaiter next() {
            next = (next + 1) & (ring.length - 1);
            return ring[next];
        }
    }

    /** Two atomic additions. */
    @Benchmark
    public long floorAtomicPair(Free free) {
        free.counter.getAndAdd(-1L);
        return free.counter.getAndAdd(1L);
    }

    /** A semaphore's permit taken and given back. */
    @Benchmark
    public boolean jdkSemaphoreFree(Free free) {
        boolean acquired = free.semaphore.tryAcquire();
        free.semaphore.release();
        return acquired;
    }

    /** A permit taken and given back, nobody waits. */
    @Benchmark
    public boolean escapementPermitFree(Free free) {
        boolean acquired = free.pool.tryAcquire();
        free.pool.release();
        return acquired;
    }

    /** A permit handed to the first of those who wait, and a new one joining them. */
    @Benchmark
    public Enqueued escapementPermitHandedOver(Taken taken, Waiters waiters) {
        taken.pool.release();
        return taken.pool.enqueue(waiters.next());
    }

    /** A waiter joining the queue and leaving it again. */
    @Benchmark
    public boolean escapementPermitCancelled(Taken taken, Waiters waiters) {
        SilentWaiter waiter = waiters.next();
        taken.pool.enqueue(waiter);
        return taken.pool.cancel(waiter);
    }

    /** A waiter whose signal does nothing. */
    static final class SilentWaiter extends PermitWaiter {
        @Override
        protected void signalled() {}
    }

    static class Before {
        long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14;
    }

    static class Word extends Before {
        static final VarHandle VALUE;

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(Word.class, "value", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        volatile long value;
    }

    /** A counter alone on its cache line, as the pool's word is. */
    static final class PaddedCounter extends Word {
        long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14;

        long getAndAdd(long delta) {
            return (long) VALUE.getAndAdd(this, delta);
        }
    }
}
