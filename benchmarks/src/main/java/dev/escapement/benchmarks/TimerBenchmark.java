package dev.escapement.benchmarks;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Timer;
import dev.escapement.time.TimerWheel;
import dev.escapement.time.WheelScheduler;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.agrona.DeadlineTimerWheel;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * What arming a timer and cancelling it again costs, which is what nearly every deadline comes to.
 *
 * <p>Each operation reads the clock once, arms for that reading plus a timeout, and cancels. Timers pending beside it are due
 * long after the run, so nothing fires and nothing is polled: that is {@link TimerLagBenchmark}'s question.
 * {@code young}: the structure was just built and each thread arms one timer again and again, as far as the API allows.
 * {@code aged}: the collector has promoted the structure, and each operation arms a new timer, whose own
 * bytes then count ({@code floorFreshTimer}). The {@code …ByAnother} groups arm on one thread and cancel on a second;
 * the queue between them is {@code floorByAnother}'s, and the slower of the two threads is the figure.
 *
 * <p>The young generation is small and fixed, or first-touch page faults are what is measured.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar 'TimerBenchmark.*(Wheel|jdk|agrona|floor).*' -t 1 -prof gc    # and -t 2
 * java -jar benchmarks/target/benchmarks.jar 'TimerBenchmark.*Confined.*' -p pending=0,1000000 -p timeouts=equal,random
 * java -jar benchmarks/target/benchmarks.jar 'TimerBenchmark.*ByAnother'
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-XX:+UseG1GC", "-Xms2g", "-Xmx2g", "-Xmn192m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class TimerBenchmark {

    private static final MonotonicClock CLOCK = MonotonicClock.system();

    /** A timer that does nothing; none fires during a run. */
    static final class Idle extends Timer {
        @Override
        public void fire() {}
    }

    /** Parameters, and the timeouts drawn from them. */
    @State(Scope.Thread)
    public static class Plan {

        private static final int SIZE = 1 << 12;

        @Param({"0", "100000"})
        int pending;

        @Param({"young", "aged"})
        String age;

        /** {@code equal}: 30 s each. {@code random}: 20 ms to 60 s. */
        @Param("equal")
        String timeouts;

        private final long[] timeoutsNanos = new long[SIZE];
        private int next;
        private boolean fresh;
        private final Idle reused = new Idle();

        @Setup
        public void draw() {
            SplittableRandom random = new SplittableRandom(11);
            for (int i = 0; i < SIZE; i++) {
                timeoutsNanos[i] = timeouts.equals("equal")
                        ? TimeUnit.SECONDS.toNanos(30)
                        : TimeUnit.MILLISECONDS.toNanos(random.nextLong(20, 60_000));
            }
            fresh = age.equals("aged");
        }

        long timeoutNanos() {
            return timeoutsNanos[next++ & (SIZE - 1)];
        }

        Idle timer() {
            return fresh ? new Idle() : reused;
        }

        /** Arms what is pending: due in two to four minutes, long after the run. */
        void fill(LongConsumer armAfterNanos) {
            SplittableRandom random = new SplittableRandom(12);
            for (int i = 0; i < pending; i++) {
                armAfterNanos.accept(TimeUnit.MILLISECONDS.toNanos(random.nextLong(120_000, 240_000)));
            }
            if (fresh) {
                for (int i = 0; i < 3; i++) {
                    System.gc();
                }
            }
        }
    }

    // --- any thread ---

    /** One wheel scheduler for all threads. */
    @State(Scope.Benchmark)
    public static class Ours {
        private final ExecutorService executor = Executors.newSingleThreadExecutor();
        final WheelScheduler scheduler = new WheelScheduler(executor);

        @Setup
        public void fill(Plan plan) {
            plan.fill(afterNanos -> scheduler.arm(new Idle(), scheduler.nanos() + afterNanos));
        }

        @TearDown
        public void close() {
            scheduler.close();
            executor.shutdown();
        }
    }

    @Benchmark
    public boolean escapementWheelScheduler(Ours ours, Plan plan) {
        Timer timer = plan.timer();
        ours.scheduler.arm(timer, ours.scheduler.nanos() + plan.timeoutNanos());
        return ours.scheduler.disarm(timer);
    }

    /** Netty's timer, as it comes: 100 ms ticks, 512 slots. */
    @State(Scope.Benchmark)
    public static class Netty {
        final HashedWheelTimer timer = new HashedWheelTimer();
        final TimerTask task = timeout -> {};

        @Setup
        public void fill(Plan plan) {
            plan.fill(afterNanos -> timer.newTimeout(task, afterNanos, TimeUnit.NANOSECONDS));
        }

        @TearDown
        public void close() {
            timer.stop();
        }
    }

    @Benchmark
    public boolean nettyHashedWheel(Netty netty, Plan plan) {
        Timeout timeout = netty.timer.newTimeout(netty.task, plan.timeoutNanos(), TimeUnit.NANOSECONDS);
        return timeout.cancel();
    }

    /** The JDK's heap behind a lock. */
    @State(Scope.Benchmark)
    public static class Jdk {
        final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        final Runnable task = () -> {};

        @Setup
        public void fill(Plan plan) {
            executor.setRemoveOnCancelPolicy(true);
            plan.fill(afterNanos -> executor.schedule(task, afterNanos, TimeUnit.NANOSECONDS));
        }

        @TearDown
        public void close() {
            executor.shutdownNow();
        }
    }

    @Benchmark
    public boolean jdkScheduledThreadPool(Jdk jdk, Plan plan) {
        return jdk.executor
                .schedule(jdk.task, plan.timeoutNanos(), TimeUnit.NANOSECONDS)
                .cancel(false);
    }

    /** Agrona's wheel of ids, one for all threads. */
    @State(Scope.Benchmark)
    public static class AgronaShared {
        final ReentrantLock lock = new ReentrantLock();
        final DeadlineTimerWheel wheel = agronaWheel();

        @Setup
        public void fill(Plan plan) {
            plan.fill(afterNanos -> wheel.scheduleTimer(CLOCK.nanos() + afterNanos));
        }
    }

    @Benchmark
    public boolean agronaBehindALock(AgronaShared agrona, Plan plan) {
        long deadlineNanos = CLOCK.nanos() + plan.timeoutNanos();
        long id;
        agrona.lock.lock();
        try {
            id = agrona.wheel.scheduleTimer(deadlineNanos);
        } finally {
            agrona.lock.unlock();
        }
        agrona.lock.lock();
        try {
            return agrona.wheel.cancelTimer(id);
        } finally {
            agrona.lock.unlock();
        }
    }

    // --- one thread ---

    /** A wheel for each thread. */
    @State(Scope.Thread)
    public static class OursConfined {
        final TimerWheel wheel = new TimerWheel(CLOCK.nanos());

        @Setup
        public void fill(Plan plan) {
            plan.fill(afterNanos -> wheel.arm(new Idle(), CLOCK.nanos() + afterNanos));
        }
    }

    @Benchmark
    public boolean escapementConfinedWheel(OursConfined ours, Plan plan) {
        Timer timer = plan.timer();
        ours.wheel.arm(timer, CLOCK.nanos() + plan.timeoutNanos());
        return ours.wheel.disarm(timer);
    }

    /** A wheel of ids for each thread. */
    @State(Scope.Thread)
    public static class AgronaConfined {
        final DeadlineTimerWheel wheel = agronaWheel();

        @Setup
        public void fill(Plan plan) {
            plan.fill(afterNanos -> wheel.scheduleTimer(CLOCK.nanos() + afterNanos));
        }
    }

    @Benchmark
    public boolean agronaConfinedWheel(AgronaConfined agrona, Plan plan) {
        return agrona.wheel.cancelTimer(agrona.wheel.scheduleTimer(CLOCK.nanos() + plan.timeoutNanos()));
    }

    /** About a millisecond a tick, as in its own examples. */
    private static DeadlineTimerWheel agronaWheel() {
        return new DeadlineTimerWheel(TimeUnit.NANOSECONDS, CLOCK.nanos(), 1 << 20, 1 << 10);
    }

    // --- floors ---

    @Benchmark
    public long floorClock(Plan plan) {
        return CLOCK.nanos() + plan.timeoutNanos();
    }

    /** The clock, and a timer to arm. */
    @Benchmark
    public Timer floorFreshTimer(Plan plan) {
        Timer timer = new Idle();
        timer.attach(plan);
        return CLOCK.nanos() + plan.timeoutNanos() < 0 ? plan.reused : timer;
    }

    /** A lock of its own for each thread. */
    @State(Scope.Thread)
    public static class Lock {
        final ReentrantLock lock = new ReentrantLock();
    }

    /** The clock and two uncontended lock pairs, as arming and cancelling behind a lock need. */
    @Benchmark
    public long floorLockPair(Lock lock, Plan plan) {
        lock.lock.lock();
        long nanos;
        try {
            nanos = CLOCK.nanos() + plan.timeoutNanos();
        } finally {
            lock.lock.unlock();
        }
        lock.lock.lock();
        try {
            return nanos;
        } finally {
            lock.lock.unlock();
        }
    }

    // --- armed by one thread, cancelled by another ---

    /** What is armed and not cancelled yet; bounded, so neither thread runs far ahead. */
    @State(Scope.Group)
    public static class Between {
        final OneToOneConcurrentArrayQueue<Object> queue = new OneToOneConcurrentArrayQueue<>(1 << 10);

        @TearDown(Level.Iteration)
        public void clear() {
            queue.clear();
        }

        boolean pass(Object timer, Control control) {
            while (!queue.offer(timer)) {
                if (control.stopMeasurement) {
                    return false;
                }
                Thread.onSpinWait();
            }
            return true;
        }

        Object receive(Control control) {
            Object timer;
            while ((timer = queue.poll()) == null && !control.stopMeasurement) {
                Thread.onSpinWait();
            }
            return timer;
        }
    }

    @Benchmark
    @Group("escapementWheelSchedulerByAnother")
    public boolean escapementArm(Ours ours, Plan plan, Between between, Control control) {
        Timer timer = new Idle();
        ours.scheduler.arm(timer, ours.scheduler.nanos() + plan.timeoutNanos());
        return between.pass(timer, control);
    }

    @Benchmark
    @Group("escapementWheelSchedulerByAnother")
    public boolean escapementDisarm(Ours ours, Between between, Control control) {
        Object timer = between.receive(control);
        return timer != null && ours.scheduler.disarm((Timer) timer);
    }

    @Benchmark
    @Group("nettyHashedWheelByAnother")
    public boolean nettyArm(Netty netty, Plan plan, Between between, Control control) {
        return between.pass(netty.timer.newTimeout(netty.task, plan.timeoutNanos(), TimeUnit.NANOSECONDS), control);
    }

    @Benchmark
    @Group("nettyHashedWheelByAnother")
    public boolean nettyCancel(Netty netty, Between between, Control control) {
        Object timeout = between.receive(control);
        return timeout != null && ((Timeout) timeout).cancel();
    }

    @Benchmark
    @Group("jdkScheduledThreadPoolByAnother")
    public boolean jdkArm(Jdk jdk, Plan plan, Between between, Control control) {
        return between.pass(jdk.executor.schedule(jdk.task, plan.timeoutNanos(), TimeUnit.NANOSECONDS), control);
    }

    @Benchmark
    @Group("jdkScheduledThreadPoolByAnother")
    public boolean jdkCancel(Jdk jdk, Between between, Control control) {
        Object future = between.receive(control);
        return future != null && ((Future<?>) future).cancel(false);
    }

    @Benchmark
    @Group("floorByAnother")
    public boolean floorPass(Plan plan, Between between, Control control) {
        Timer timer = new Idle();
        timer.attach(CLOCK.nanos() + plan.timeoutNanos() < 0 ? plan : null);
        return between.pass(timer, control);
    }

    @Benchmark
    @Group("floorByAnother")
    public boolean floorReceive(Between between, Control control) {
        return between.receive(control) != null;
    }
}
