package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerWheelTest {

    private static final long TICK_NANOS = 16_384;

    private final Timer[] due = new Timer[TimerWheel.STEP];

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 16_383, 16_384, 5_000_000_000L, 1L << 62, Long.MAX_VALUE - (1L << 45)})
    @DisplayName("T6 a timer is due at its deadline and not a nanosecond before, near or far")
    void timerIsDueAtItsDeadlineAndNotBefore(long originNanos) {
        for (long afterNanos = 1; afterNanos < 1L << 44; afterNanos = afterNanos * 3 + 1) {
            TimerWheel wheel = new TimerWheel(originNanos);
            CountingTimer timer = new CountingTimer();
            long deadlineNanos = originNanos + afterNanos;
            wheel.arm(timer, deadlineNanos);

            assertThat(pollAll(wheel, deadlineNanos - 1)).isEmpty();
            assertThat(pollAll(wheel, deadlineNanos)).containsExactly(timer);
            assertThat(pollAll(wheel, deadlineNanos)).isEmpty();
        }
    }

    @Test
    @DisplayName("T6 a deadline in the past is due at the next poll, even within a tick already looked at")
    void deadlineInThePastIsDueAtTheNextPoll() {
        TimerWheel wheel = new TimerWheel(70_000);
        CountingTimer past = new CountingTimer();
        CountingTimer soon = new CountingTimer();
        wheel.arm(soon, 70_009);
        pollAll(wheel, 70_003);

        wheel.arm(past, 70_001);
        assertThat(wheel.earliestNanos()).isLessThanOrEqualTo(70_003);
        assertThat(pollAll(wheel, 70_003)).containsExactly(past);
        assertThat(pollAll(wheel, 70_008)).isEmpty();
        assertThat(pollAll(wheel, 70_009)).containsExactly(soon);
    }

    @Test
    @DisplayName("T6 a deadline before the clock's origin is merely past")
    void deadlineBeforeTheOriginIsPast() {
        TimerWheel wheel = new TimerWheel(0);
        CountingTimer timer = new CountingTimer();
        wheel.arm(timer, Long.MIN_VALUE);

        assertThat(pollAll(wheel, 0)).containsExactly(timer);
    }

    @Test
    @DisplayName("T6 the last instant there is can be waited for")
    void lastInstantCanBeWaitedFor() {
        TimerWheel wheel = new TimerWheel(0);
        CountingTimer timer = new CountingTimer();
        wheel.arm(timer, Long.MAX_VALUE);

        assertThat(pollAll(wheel, Long.MAX_VALUE - 1)).isEmpty();
        assertThat(pollAll(wheel, Long.MAX_VALUE)).containsExactly(timer);
    }

    @Test
    @DisplayName("T6 a moved timer is due at its new deadline, earlier or later, and once")
    void movedTimerIsDueAtItsNewDeadlineOnce() {
        TimerWheel wheel = new TimerWheel(0);
        CountingTimer later = new CountingTimer();
        CountingTimer earlier = new CountingTimer();
        wheel.arm(later, 1_000);
        wheel.arm(earlier, 9_000_000_000L);

        wheel.arm(later, 7_000_000_000L);
        wheel.arm(earlier, 2_000);

        assertThat(wheel.size()).isEqualTo(2);
        assertThat(pollAll(wheel, 2_000)).containsExactly(earlier);
        assertThat(pollAll(wheel, 6_999_999_999L)).isEmpty();
        assertThat(pollAll(wheel, 20_000_000_000L)).containsExactly(later);
    }

    @Test
    @DisplayName("T6 disarming says whether the timer can still fire")
    void disarmingSaysWhetherTheTimerCanStillFire() {
        TimerWheel wheel = new TimerWheel(0);
        CountingTimer timer = new CountingTimer();

        assertThat(wheel.disarm(timer)).isFalse();
        wheel.arm(timer, 5);
        assertThat(wheel.disarm(timer)).isTrue();
        assertThat(wheel.disarm(timer)).isFalse();
        assertThat(pollAll(wheel, 100)).isEmpty();

        wheel.arm(timer, 200);
        assertThat(pollAll(wheel, 200)).containsExactly(timer);
        assertThat(wheel.disarm(timer)).isFalse();
    }

    @Test
    @DisplayName("T7 closing fires every armed timer at once, and arming after it")
    void closingFiresEveryArmedTimerAndArmingAfterItFiresAtOnce() {
        TimerWheel wheel = new TimerWheel(3);
        List<CountingTimer> timers = new ArrayList<>();
        for (int i = 0; i < 207; i++) {
            CountingTimer timer = new CountingTimer();
            timers.add(timer);
            wheel.arm(timer, (long) i * i * i * 1_000_003);
        }
        CountingTimer cancelled = timers.remove(100);
        wheel.disarm(cancelled);
        CountingTimer late = new CountingTimer();

        wheel.close();
        wheel.close();
        boolean armed = wheel.arm(late, Long.MAX_VALUE);

        assertThat(armed).isFalse();
        assertThat(late.fired).isOne();
        assertThat(cancelled.fired).isZero();
        assertThat(timers).allMatch(timer -> timer.fired == 1);
        assertThat(wheel.size()).isZero();
        assertThat(wheel.disarm(late)).isFalse();
    }

    @Test
    @DisplayName("T7 a timer that throws keeps no other one from firing")
    void timerThatThrowsKeepsNoOtherFromFiring() throws InterruptedException {
        TimerWheel wheel = new TimerWheel(0);
        CountingTimer before = new CountingTimer();
        CountingTimer after = new CountingTimer();
        Timer broken = new Timer() {
            @Override
            public void fire() {
                throw new AssertionError("broken timer");
            }
        };
        wheel.arm(before, 1);
        wheel.arm(broken, 2);
        wheel.arm(after, 3);
        List<Throwable> reported = new ArrayList<>();

        Thread closer = new Thread(wheel::close);
        closer.setUncaughtExceptionHandler((thread, failure) -> reported.add(failure));
        closer.start();
        closer.join();

        assertThat(before.fired).isOne();
        assertThat(after.fired).isOne();
        assertThat(reported).singleElement().isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("T6 one poll looks at no more than 64 timers, and says that there is more to do")
    void onePollLooksAtNoMoreThanAStep() {
        TimerWheel wheel = new TimerWheel(0);
        long instantNanos = 90_000_000;
        for (int i = 0; i < 1_000; i++) {
            wheel.arm(new CountingTimer(), instantNanos);
        }
        Timer[] large = new Timer[500];

        int polls = 0;
        int count = 0;
        while (wheel.earliestNanos() <= instantNanos) {
            int now = wheel.poll(instantNanos, large);
            assertThat(now).isLessThanOrEqualTo(TimerWheel.STEP);
            count += now;
            polls++;
        }
        assertThat(count).isEqualTo(1_000);
        assertThat(polls).isBetween(1_000 / TimerWheel.STEP, 1_000 / TimerWheel.STEP + 2);
    }

    @Test
    @DisplayName("A crowded slot is spread before its time, 64 timers at a time, while nothing is due")
    void crowdedSlotIsSpreadAhead() {
        TimerWheel wheel = new TimerWheel(0);
        long slotNanos = TICK_NANOS << 6;
        long startNanos = 5 * slotNanos;
        for (int i = 0; i < 1_000; i++) {
            wheel.arm(new CountingTimer(), startNanos + i);
        }
        long aheadNanos = startNanos - slotNanos;

        assertThat(wheel.earliestNanos()).isEqualTo(aheadNanos);
        assertThat(wheel.poll(aheadNanos, due)).isZero();
        assertThat(wheel.earliestNanos()).as("spread in part").isLessThanOrEqualTo(aheadNanos);

        wheel.arm(new CountingTimer(), aheadNanos + 3);
        assertThat(wheel.poll(aheadNanos + 3, due)).as("what is due goes first").isOne();
        assertThat(pollAll(wheel, aheadNanos + 4)).isEmpty();
        assertThat(wheel.earliestNanos()).as("all of it on the first level").isEqualTo(startNanos);
        WheelStructure.check(wheel);
    }

    @Test
    @DisplayName("A lonely timer is polled for once, at its deadline")
    void lonelyTimerIsPolledForAtItsDeadline() {
        TimerWheel wheel = new TimerWheel(0);
        wheel.arm(new CountingTimer(), 30_000_000_001L);

        assertThat(wheel.earliestNanos()).isEqualTo(30_000_000_001L);
        assertThat(wheel.poll(30_000_000_001L, due)).isOne();
        assertThat(wheel.earliestNanos()).isEqualTo(TimerWheel.NEVER);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12_345_678_901L, Long.MAX_VALUE - (1L << 40)})
    @DisplayName("T6 a million timers each fire once, in time, and half of them cancelled never do")
    void millionTimersEachFireOnceInTime(long originNanos) {
        SplittableRandom random = new SplittableRandom(71);
        TimerWheel wheel = new TimerWheel(originNanos);
        int size = 1_000_003;
        CountingTimer[] timers = new CountingTimer[size];
        for (int i = 0; i < size; i++) {
            timers[i] = new CountingTimer();
            timers[i].deadlineNanos = originNanos + random.nextLong(30_000_000_000L);
            wheel.arm(timers[i], timers[i].deadlineNanos);
        }
        for (int i = 0; i < size; i += 2) {
            assertThat(wheel.disarm(timers[i])).isTrue();
        }

        long nowNanos = originNanos;
        int fired = 0;
        while (wheel.size() > 0) {
            nowNanos = Math.max(nowNanos, wheel.earliestNanos()) + random.nextLong(300_000);
            while (wheel.earliestNanos() <= nowNanos) {
                int count = wheel.poll(nowNanos, due);
                for (int i = 0; i < count; i++) {
                    CountingTimer timer = (CountingTimer) due[i];
                    timer.fire();
                    if (timer.deadlineNanos > nowNanos) {
                        throw new AssertionError(timer.deadlineNanos + " was fired at " + nowNanos);
                    }
                }
                fired += count;
            }
        }

        assertThat(fired).isEqualTo(size / 2);
        for (int i = 0; i < size; i++) {
            if (timers[i].fired != i % 2) {
                throw new AssertionError("timer " + i + " fired " + timers[i].fired + " times");
            }
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
        throw (T) failure;
    }

    /** Polls as an owner does, until there is nothing left to do at this instant. */
    private List<Timer> pollAll(TimerWheel wheel, long nowNanos) {
        List<Timer> all = new ArrayList<>();
        while (wheel.earliestNanos() <= nowNanos) {
            int count = wheel.poll(nowNanos, due);
            all.addAll(Arrays.asList(due).subList(0, count));
            if (nowNanos == Long.MAX_VALUE && wheel.size() == 0) {
                break;
            }
        }
        return all;
    }
}
