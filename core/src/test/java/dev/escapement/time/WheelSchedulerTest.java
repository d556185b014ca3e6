package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WheelSchedulerTest {

    private static final long MILLI_NANOS = 1_000_000;
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final WheelScheduler scheduler = new WheelScheduler(executor);

    @AfterEach
    void close() {
        scheduler.close();
        executor.shutdownNow();
    }

    @Test
    @DisplayName("T6 a timer fires on the executor, once, not before its deadline")
    void timerFiresOnTheExecutorOnceAndNotEarly() throws InterruptedException {
        List<RacingTimer> timers = new ArrayList<>();
        List<Long> deadlinesNanos = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2_003; i++) {
            RacingTimer timer = new RacingTimer(scheduler);
            long deadlineNanos = scheduler.nanos() + random.nextLong(60 * MILLI_NANOS);
            timers.add(timer);
            deadlinesNanos.add(deadlineNanos);
            assertThat(scheduler.arm(timer, deadlineNanos)).isTrue();
        }

        for (int i = 0; i < timers.size(); i++) {
            RacingTimer timer = timers.get(i);
            timer.await();
            assertThat(timer.firedNanos).isGreaterThanOrEqualTo(deadlinesNanos.get(i));
            assertThat(timer.firedBy.getName()).startsWith("pool-");
            assertThat(scheduler.disarm(timer)).isFalse();
        }
        assertThat(scheduler.size()).isZero();
        assertThat(timers).allMatch(timer -> timer.fired.get() == 1);
    }

    @Test
    @DisplayName("T6 an earlier timer overtakes the one the timer thread sleeps for")
    void earlierTimerOvertakesTheOneSleptFor() throws InterruptedException {
        RacingTimer late = new RacingTimer(scheduler);
        scheduler.arm(late, scheduler.nanos() + HOUR_NANOS);
        for (int i = 0; i < 200; i++) {
            RacingTimer early = new RacingTimer(scheduler);
            scheduler.arm(early, scheduler.nanos() + i * 10_000);
            early.await();
        }

        assertThat(scheduler.disarm(late)).isTrue();
    }

    @Test
    @DisplayName("T6 a disarmed timer is gone at once and never fires; a moved one fires at its last deadline alone")
    void disarmedTimerIsGoneAndMovedOneFiresAtItsLastDeadline() throws InterruptedException {
        RacingTimer disarmed = new RacingTimer(scheduler);
        RacingTimer moved = new RacingTimer(scheduler);
        scheduler.arm(disarmed, scheduler.nanos() + 5 * MILLI_NANOS);
        scheduler.arm(moved, scheduler.nanos() + HOUR_NANOS);

        assertThat(scheduler.disarm(disarmed)).isTrue();
        assertThat(scheduler.size()).isOne();
        long deadlineNanos = scheduler.nanos() + 10 * MILLI_NANOS;
        scheduler.arm(moved, deadlineNanos);
        moved.await();

        assertThat(moved.firedNanos).isGreaterThanOrEqualTo(deadlineNanos);
        assertThat(moved.fired).hasValue(1);
        assertThat(disarmed.fired).hasValue(0);
        assertThat(scheduler.size()).isZero();
    }

    @Test
    @DisplayName(
            "T6 armed, cancelled and fired by racing threads, a timer fires exactly as often as nobody cancelled it")
    void timerFiresExactlyAsOftenAsNobodyCancelledIt() throws Exception {
        int threads = 3;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Thread> workers = new ArrayList<>();
        LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        for (int t = 0; t < threads; t++) {
            SplittableRandom random = new SplittableRandom(t);
            Thread worker = new Thread(() -> {
                try {
                    start.await();
                    for (int i = 0; i < 20_000; i++) {
                        armAndDisarmOften(random);
                    }
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            });
            workers.add(worker);
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }

        assertThat(failures).isEmpty();
        assertThat(scheduler.size()).isZero();
    }

    @Test
    @DisplayName("T7 closing fires what is armed, once, and arming after it fires at once")
    void closingFiresWhatIsArmedAndArmingAfterItFiresAtOnce() {
        List<RacingTimer> timers = new ArrayList<>();
        for (int i = 0; i < 333; i++) {
            RacingTimer timer = new RacingTimer(scheduler);
            timers.add(timer);
            scheduler.arm(timer, scheduler.nanos() + HOUR_NANOS);
        }
        RacingTimer cancelled = timers.remove(7);
        scheduler.disarm(cancelled);
        RacingTimer late = new RacingTimer(scheduler);

        scheduler.close();
        scheduler.close();

        assertThat(timers).allMatch(timer -> timer.fired.get() == 1);
        assertThat(cancelled.fired).hasValue(0);
        assertThat(scheduler.arm(late, scheduler.nanos() + HOUR_NANOS)).isFalse();
        assertThat(late.fired).hasValue(1);
        assertThat(scheduler.disarm(late)).isFalse();
        assertThatThrownBy(() -> scheduler.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    @DisplayName("T7 a timer armed while another thread closes fires, whichever comes first")
    void timerArmedWhileClosingFires() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            WheelScheduler closing = new WheelScheduler(executor);
            List<RacingTimer> timers = new ArrayList<>();
            Thread armer = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    RacingTimer timer = new RacingTimer(closing);
                    timers.add(timer);
                    closing.arm(timer, closing.nanos() + (i % 3 == 0 ? 0 : HOUR_NANOS));
                }
            });
            armer.start();
            closing.close();
            armer.join();

            for (RacingTimer timer : timers) {
                timer.await();
                assertThat(timer.fired).hasValue(1);
            }
        }
    }

    @Test
    @DisplayName("T6, S1 an executor that refuses loses no timer: it fires on the timer thread, out of context")
    void executorThatRefusesLosesNoTimer() throws InterruptedException {
        try (WheelScheduler refused = new WheelScheduler(task -> {
            throw new RejectedExecutionException("full");
        })) {
            LinkedBlockingQueue<Boolean> contexts = new LinkedBlockingQueue<>();
            for (int i = 0; i < 100; i++) {
                RacingTimer timer = new RacingTimer(refused) {
                    @Override
                    public void fire() {
                        contexts.add(refused.inContext());
                        super.fire();
                    }
                };
                refused.arm(timer, refused.nanos() + i * 1_000);
                timer.await();
                assertThat(timer.fired).hasValue(1);
            }
            assertThat(contexts).hasSize(100).doesNotContain(true);
        }
    }

    @Test
    @DisplayName("An executor that runs in place has the timer thread in context meanwhile")
    void executorThatRunsInPlaceHasTheTimerThreadInContext() throws InterruptedException {
        try (WheelScheduler inPlace = new WheelScheduler(Runnable::run)) {
            LinkedBlockingQueue<Boolean> contexts = new LinkedBlockingQueue<>();
            RacingTimer timer = new RacingTimer(inPlace) {
                @Override
                public void fire() {
                    contexts.add(inPlace.inContext());
                    super.fire();
                }
            };
            inPlace.arm(timer, 0);
            timer.await();

            assertThat(timer.firedBy.getName()).isEqualTo("escapement-timer");
            assertThat(contexts).containsExactly(true);
            assertThat(inPlace.inContext()).isTrue();
        }
    }

    @Test
    @DisplayName("T6 timers that throw anything keep no other one from firing")
    void timersThatThrowKeepNoOtherFromFiring() throws InterruptedException {
        List<Throwable> thrown =
                List.of(new IllegalStateException("bug"), new StackOverflowError(), new OutOfMemoryError("not really"));
        LinkedBlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
        ExecutorService watched = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((self, failure) -> reported.add(failure));
            return thread;
        });
        try (WheelScheduler survivor = new WheelScheduler(watched)) {
            for (Throwable each : thrown) {
                survivor.arm(
                        new Timer() {
                            @Override
                            public void fire() {
                                TimerWheelTest.<RuntimeException>throwUnchecked(each);
                            }
                        },
                        0);
                RacingTimer after = new RacingTimer(survivor);
                survivor.arm(after, survivor.nanos() + MILLI_NANOS);
                after.await();
            }
            assertThat(reported).containsExactlyElementsOf(thrown);
        } finally {
            watched.shutdownNow();
        }
    }

    @Test
    @DisplayName("A timer stuck in somebody's code holds up no other one, while the executor has a thread left")
    void stuckTimerHoldsUpNoOther() throws InterruptedException {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Timer blocking = new Timer() {
            @Override
            public void fire() {
                stuck.countDown();
                awaitQuietly(release);
            }
        };
        scheduler.arm(blocking, 0);
        stuck.await();

        for (int i = 0; i < 150; i++) {
            RacingTimer timer = new RacingTimer(scheduler);
            scheduler.arm(timer, scheduler.nanos());
            timer.await();
        }
        release.countDown();
    }

    @Test
    @DisplayName("Tasks run in context; user code never runs on the timer thread")
    void tasksRunInContext() throws InterruptedException {
        LinkedBlockingQueue<Boolean> contexts = new LinkedBlockingQueue<>();

        scheduler.execute(() -> contexts.add(scheduler.inContext()));

        assertThat(contexts.poll(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("Arming and disarming allocate nothing once warm")
    void armingAndDisarmingAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RacingTimer[] timers = new RacingTimer[2_100];
        for (int i = 0; i < timers.length; i++) {
            timers[i] = new RacingTimer(scheduler);
        }
        armAndDisarm(timers);

        // The least of several rounds: what the runtime allocates on this thread once, at a time of its own, is not
        // ours.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            armAndDisarm(timers);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(least).isZero();
    }

    @Test
    @DisplayName("Nothing of a timer is kept once it is disarmed or has fired")
    void nothingOfATimerIsKept() throws InterruptedException {
        List<WeakReference<Timer>> references = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            RacingTimer disarmed = new RacingTimer(scheduler);
            RacingTimer fired = new RacingTimer(scheduler);
            scheduler.arm(disarmed, scheduler.nanos() + HOUR_NANOS);
            scheduler.arm(fired, scheduler.nanos());
            scheduler.disarm(disarmed);
            fired.await();
            references.add(new WeakReference<>(disarmed));
            references.add(new WeakReference<>(fired));
        }
        // The timer fired last may still be on the stack of the thread that fired it: let that thread do something
        // else.
        tasksRunInContext();
        tasksRunInContext();

        while (!references.isEmpty()) {
            System.gc();
            references.removeIf(reference -> reference.get() == null);
        }
    }

    private void armAndDisarmOften(SplittableRandom random) throws InterruptedException {
        RacingTimer timer = new RacingTimer(scheduler);
        int times = 1 + random.nextInt(4);
        int expected = 0;
        for (int i = 0; i < times; i++) {
            scheduler.arm(timer, scheduler.nanos() + random.nextLong(300_000));
            for (int spins = random.nextInt(1_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            if (!scheduler.disarm(timer)) {
                expected++;
            }
        }
        for (int i = 0; i < expected; i++) {
            timer.await();
        }
        assertThat(timer.fired).hasValue(expected);
    }

    private void armAndDisarm(RacingTimer[] timers) {
        for (int i = 0; i < timers.length; i++) {
            scheduler.arm(timers[i], scheduler.nanos() + HOUR_NANOS + i * MILLI_NANOS);
        }
        for (RacingTimer timer : timers) {
            scheduler.disarm(timer);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
