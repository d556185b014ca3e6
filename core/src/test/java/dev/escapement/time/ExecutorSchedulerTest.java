package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ExecutorSchedulerTest {

    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(2);
    private final ExecutorScheduler scheduler = new ExecutorScheduler(executor);

    ExecutorSchedulerTest() {
        executor.setRemoveOnCancelPolicy(true);
    }

    @AfterEach
    void close() {
        scheduler.close();
        executor.shutdownNow();
    }

    @Test
    @DisplayName("T6 a timer fires once, not before its deadline")
    void timerFiresOnceAndNotEarly() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            RacingTimer timer = new RacingTimer(scheduler);
            long deadlineNanos = scheduler.nanos() + i * 20_000;
            assertThat(scheduler.arm(timer, deadlineNanos)).isTrue();
            timer.await();

            assertThat(timer.firedNanos).isGreaterThanOrEqualTo(deadlineNanos);
            assertThat(timer.fired).hasValue(1);
            assertThat(scheduler.disarm(timer)).isFalse();
        }
        assertThat(scheduler.size()).isZero();
    }

    @Test
    @DisplayName("T6 an executor that is early by our clock is sent back")
    void executorThatIsEarlyByOurClockIsSentBack() throws InterruptedException {
        // Ten times slower than the executor's clock, so its first attempts are all early.
        MonotonicClock slow = () -> MonotonicClock.system().nanos() / 10;
        ExecutorScheduler late = new ExecutorScheduler(executor, slow);
        RacingTimer timer = new RacingTimer(slow);
        long deadlineNanos = slow.nanos() + 2_000_000;

        late.arm(timer, deadlineNanos);
        timer.await();

        assertThat(timer.firedNanos).isGreaterThanOrEqualTo(deadlineNanos);
    }

    @Test
    @DisplayName("T6 a disarmed or moved timer leaves nothing behind")
    void disarmedOrMovedTimerLeavesNothingBehind() {
        RacingTimer timer = new RacingTimer(scheduler);
        scheduler.arm(timer, scheduler.nanos() + HOUR_NANOS);
        scheduler.arm(timer, scheduler.nanos() + 2 * HOUR_NANOS);

        assertThat(executor.getQueue()).hasSize(1);
        assertThat(scheduler.size()).isOne();
        assertThat(scheduler.disarm(timer)).isTrue();
        assertThat(scheduler.disarm(timer)).isFalse();
        assertThat(executor.getQueue()).isEmpty();
        assertThat(scheduler.size()).isZero();
        assertThat(timer.fired).hasValue(0);
    }

    @Test
    @DisplayName("T7 closing fires what is armed, once, and arming after it fires at once")
    void closingFiresWhatIsArmedAndArmingAfterItFiresAtOnce() {
        List<RacingTimer> timers = new ArrayList<>();
        for (int i = 0; i < 77; i++) {
            RacingTimer timer = new RacingTimer(scheduler);
            timers.add(timer);
            scheduler.arm(timer, scheduler.nanos() + HOUR_NANOS);
        }
        RacingTimer late = new RacingTimer(scheduler);

        scheduler.close();
        scheduler.close();

        assertThat(timers).allMatch(timer -> timer.fired.get() == 1);
        assertThat(executor.getQueue()).isEmpty();
        assertThat(scheduler.arm(late, scheduler.nanos() + HOUR_NANOS)).isFalse();
        assertThat(late.fired).hasValue(1);
    }

    @Test
    @DisplayName("T7 a timer armed while another thread closes fires, whichever comes first")
    void timerArmedWhileClosingFires() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            ExecutorScheduler closing = new ExecutorScheduler(executor);
            List<RacingTimer> timers = new ArrayList<>();
            Thread armer = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    RacingTimer timer = new RacingTimer(closing);
                    timers.add(timer);
                    closing.arm(timer, closing.nanos() + HOUR_NANOS);
                }
            });
            armer.start();
            closing.close();
            armer.join();

            assertThat(timers).allMatch(timer -> timer.fired.get() == 1);
        }
        assertThat(executor.getQueue()).isEmpty();
    }

    @Test
    @DisplayName("T7 a refusing executor is a closed one: the timer fires at once")
    void refusingExecutorIsAClosedOne() {
        executor.shutdownNow();
        RacingTimer timer = new RacingTimer(scheduler);

        assertThat(scheduler.arm(timer, scheduler.nanos() + HOUR_NANOS)).isFalse();
        assertThat(timer.fired).hasValue(1);
        assertThat(scheduler.size()).isZero();
    }

    @Test
    @DisplayName("T1 deadlines at the ends of time are waited for or past, never wrapped")
    void deadlinesAtTheEndsOfTimeAreNeverWrapped() throws InterruptedException {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
        ExecutorScheduler old = new ExecutorScheduler(executor, nanos::get);
        RacingTimer past = new RacingTimer(old);
        RacingTimer last = new RacingTimer(old);
        old.arm(past, Long.MIN_VALUE);
        past.await();
        old.arm(last, Long.MAX_VALUE);
        assertThat(last.fired).hasValue(0);

        nanos.set(Long.MAX_VALUE);
        last.await();

        ExecutorScheduler young = new ExecutorScheduler(executor, () -> 0);
        RacingTimer farthest = new RacingTimer(young);
        assertThat(young.arm(farthest, Long.MAX_VALUE)).isTrue();
        assertThat(young.disarm(farthest)).isTrue();
    }
}
