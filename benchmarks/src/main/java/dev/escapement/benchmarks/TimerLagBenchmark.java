package dev.escapement.benchmarks;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Timer;
import dev.escapement.time.WheelScheduler;
import io.netty.util.HashedWheelTimer;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How late timers fire, and what firing one costs: deadlines spread evenly over one second, all armed before it begins.
 *
 * <p>Not a JMH benchmark, since the figure is a distribution. A lag is measured in {@code fire}, from the deadline; recording it
 * is part of the cost, for each alike. CPU is the whole process's from just before the first deadline to the last firing,
 * over the number of timers. Early ones, by the process's clock, are counted apart. {@code backoff} fires one timer at a
 * time, a millisecond ahead: how far a short pause overshoots on an idle machine. The peers run what they fire in place, on their own
 * thread.
 *
 * <pre>
 * java -Xms2g -Xmx2g -Xmn192m -cp benchmarks/target/benchmarks.jar dev.escapement.benchmarks.TimerLagBenchmark [rounds]
 * </pre>
 */
public final class TimerLagBenchmark {

    private static final MonotonicClock CLOCK = MonotonicClock.system();
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Arms one timer to record how late it fires. */
    interface Arming {
        void arm(long deadlineNanos, Lags lags);

        void close();
    }

    private record Candidate(String name, Function<ExecutorService, Arming> start) {}

    private TimerLagBenchmark() {}

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        Candidate[] candidates = {
            new Candidate("escapementWheelSchedulerInPlace", executor -> escapement(new WheelScheduler(Runnable::run))),
            new Candidate("escapementWheelSchedulerExecutor", executor -> escapement(new WheelScheduler(executor))),
            new Candidate("nettyHashedWheel1ms", executor -> netty()),
            new Candidate("jdkScheduledThreadPool", executor -> jdk()),
        };
        System.out.printf(
                "%-34s %9s %8s %8s %8s %8s %8s %6s%n", "µs", "rate", "p50", "p99", "p99.9", "max", "cpu ns", "early");
        for (int round = 0; round < rounds; round++) {
            for (int rate : new int[] {100_000, 1_000_000}) {
                for (Candidate candidate : candidates) {
                    run(candidate, rate);
                }
            }
            for (Candidate candidate : candidates) {
                backoff(candidate);
            }
        }
    }

    private static void run(Candidate candidate, int timers) throws InterruptedException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Arming arming = candidate.start.apply(executor);
        SplittableRandom random = new SplittableRandom(21);
        Lags lags = new Lags(timers);
        long beginNanos = CLOCK.nanos() + LEAD_NANOS + timers * 4_000L;
        for (int i = 0; i < timers; i++) {
            arming.arm(beginNanos + random.nextLong(SPAN_NANOS), lags);
        }
        System.gc();
        long leadNanos = beginNanos - CLOCK.nanos();
        if (leadNanos < 0) {
            throw new IllegalStateException("armed too late by " + -leadNanos + " ns");
        }
        TimeUnit.NANOSECONDS.sleep(leadNanos);
        long cpuNanos = cpuNanos();
        lags.await();
        cpuNanos = cpuNanos() - cpuNanos;
        lags.print(candidate.name, timers + "/s", cpuNanos / timers);
        arming.close();
        executor.shutdown();
    }

    private static void backoff(Candidate candidate) throws InterruptedException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Arming arming = candidate.start.apply(executor);
        int pauses = 1_000;
        Lags all = new Lags(pauses);
        long cpuNanos = cpuNanos();
        for (int i = 0; i < pauses; i++) {
            Lags one = new Lags(1, all);
            arming.arm(CLOCK.nanos() + MILLI_NANOS, one);
            one.await();
        }
        all.print(candidate.name, "1ms pause", (cpuNanos() - cpuNanos) / pauses);
        arming.close();
        executor.shutdown();
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static Arming escapement(WheelScheduler scheduler) {
        return new Arming() {
            @Override
            public void arm(long deadlineNanos, Lags lags) {
                scheduler.arm(
                        new Timer() {
                            @Override
                            public void fire() {
                                lags.record(CLOCK.nanos() - deadlineNanos);
                            }
                        },
                        deadlineNanos);
            }

            @Override
            public void close() {
                scheduler.close();
            }
        };
    }

    private static Arming netty() {
        HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
        return new Arming() {
            @Override
            public void arm(long deadlineNanos, Lags lags) {
                timer.newTimeout(
                        timeout -> lags.record(CLOCK.nanos() - deadlineNanos),
                        deadlineNanos - CLOCK.nanos(),
                        TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                timer.stop();
            }
        };
    }

    private static Arming jdk() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        return new Arming() {
            @Override
            public void arm(long deadlineNanos, Lags lags) {
                executor.schedule(
                        () -> lags.record(CLOCK.nanos() - deadlineNanos),
                        deadlineNanos - CLOCK.nanos(),
                        TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                executor.shutdownNow();
            }
        };
    }

    /** The lags of one run, and a way to wait for the last. */
    private static final class Lags {
        private final Histogram histogram;
        private final AtomicInteger early;
        private final AtomicInteger left;
        private final Thread waiter = Thread.currentThread();

        Lags(int timers) {
            histogram = new ConcurrentHistogram(TimeUnit.SECONDS.toNanos(60), 3);
            early = new AtomicInteger();
            left = new AtomicInteger(timers);
        }

        /** A part of another run's lags. */
        Lags(int timers, Lags whole) {
            histogram = whole.histogram;
            early = whole.early;
            left = new AtomicInteger(timers);
        }

        void record(long lagNanos) {
            if (lagNanos < 0) {
                early.incrementAndGet();
            }
            histogram.recordValue(Math.max(0, lagNanos));
            if (left.decrementAndGet() == 0) {
                LockSupport.unpark(waiter);
            }
        }

        void await() {
            while (left.get() > 0) {
                LockSupport.park(this);
            }
        }

        void print(String name, String rate, long cpuNanos) {
            System.out.printf(
                    "%-34s %9s %8.1f %8.1f %8.1f %8.1f %8d %6d%n",
                    name,
                    rate,
                    histogram.getValueAtPercentile(50) / 1e3,
                    histogram.getValueAtPercentile(99) / 1e3,
                    histogram.getValueAtPercentile(99.9) / 1e3,
                    histogram.getMaxValue() / 1e3,
                    cpuNanos,
                    early.get());
        }
    }
}
