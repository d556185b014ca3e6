package dev.escapement.time;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of arming, moving, disarming and polling, played on a wheel and on a plain set of timers beside it. The
 * whole structure is checked after each step.
 */
class TimerWheelModelTest {

    private static final int HISTORIES = 150;
    private static final int STEPS = 300;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 987_654_321_987_654_321L, (1L << 62) - 1_000_000, Long.MAX_VALUE - (1L << 34)})
    @DisplayName("T6 never early, at the first poll that is not, once each")
    void wheelDoesWhatASetOfTimersDoes(long originNanos) {
        for (long seed = 1; seed <= HISTORIES; seed++) {
            try {
                new History(originNanos, seed).play();
            } catch (AssertionError wrong) {
                throw new AssertionError("origin " + originNanos + ", seed " + seed, wrong);
            }
        }
    }

    private static final class History {

        private final SplittableRandom actions;
        private final SplittableRandom times;
        private final TimerWheel wheel;
        private final List<CountingTimer> idle = new ArrayList<>();
        private final List<CountingTimer> armed = new ArrayList<>();
        private final int most;
        private long nowNanos;

        History(long originNanos, long seed) {
            SplittableRandom root = new SplittableRandom(seed);
            actions = root.split();
            times = root.split();
            wheel = new TimerWheel(originNanos);
            nowNanos = originNanos;
            most = 1 + actions.nextInt(actions.nextBoolean() ? 5 : 500);
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (actions.nextInt(8)) {
                    case 0, 1, 2 -> arm();
                    case 3 -> armManyAtOneInstant();
                    case 4 -> move();
                    case 5 -> disarm();
                    case 6 -> pollOnce();
                    default -> pollUntilDone();
                }
                WheelStructure.check(wheel);
                require(wheel.size() == armed.size(), "size");
            }
        }

        private void arm() {
            if (armed.size() < most) {
                arm(anInstant());
            }
        }

        private void armManyAtOneInstant() {
            long deadlineNanos = anInstant();
            for (int i = actions.nextInt(150); i > 0 && armed.size() < most; i--) {
                arm(deadlineNanos);
            }
        }

        private void arm(long deadlineNanos) {
            CountingTimer timer = idle.isEmpty() ? new CountingTimer() : idle.remove(idle.size() - 1);
            timer.deadlineNanos = deadlineNanos;
            require(wheel.arm(timer, deadlineNanos), "arm");
            armed.add(timer);
        }

        private void move() {
            if (!armed.isEmpty()) {
                CountingTimer timer = armed.get(actions.nextInt(armed.size()));
                timer.deadlineNanos = anInstant();
                require(wheel.arm(timer, timer.deadlineNanos), "move");
            }
        }

        private void disarm() {
            if (!armed.isEmpty()) {
                CountingTimer timer = armed.remove(actions.nextInt(armed.size()));
                require(wheel.disarm(timer), "disarm of an armed timer");
                require(!wheel.disarm(timer), "disarm of a disarmed timer");
                idle.add(timer);
            }
        }

        private void pollOnce() {
            advance();
            poll(new Timer[1 + actions.nextInt(100)]);
        }

        private void pollUntilDone() {
            advance();
            Timer[] due = new Timer[1 + actions.nextInt(100)];
            while (wheel.earliestNanos() <= nowNanos && !(nowNanos == Long.MAX_VALUE && armed.isEmpty())) {
                poll(due);
                WheelStructure.check(wheel);
            }
            for (CountingTimer timer : armed) {
                require(timer.deadlineNanos > nowNanos, "not fired at " + nowNanos + ": " + timer.deadlineNanos);
            }
        }

        private void poll(Timer[] due) {
            int count = wheel.poll(nowNanos, due);
            Set<Timer> fired = new HashSet<>();
            for (int i = 0; i < count; i++) {
                CountingTimer timer = (CountingTimer) due[i];
                require(timer.deadlineNanos <= nowNanos, timer.deadlineNanos + " fired at " + nowNanos);
                require(fired.add(timer), "fired twice");
                idle.add(timer);
            }
            int before = armed.size();
            armed.removeAll(fired);
            require(armed.size() == before - count, "fired without being armed");
        }

        /** The clock moves by anything from nothing to an hour, often to the edge of something. */
        private void advance() {
            long target = switch (actions.nextInt(6)) {
                case 0 -> nowNanos;
                case 1 -> wheel.earliestNanos();
                case 2 ->
                    armed.isEmpty()
                            ? nowNanos
                            : armed.get(actions.nextInt(armed.size())).deadlineNanos + times.nextInt(-1, 2);
                default -> after(aLength());
            };
            // The end of time is left to a test of its own; here it would end the history.
            if (target > nowNanos && target < Long.MAX_VALUE - (1L << 20)) {
                nowNanos = target;
            }
        }

        private long anInstant() {
            return switch (actions.nextInt(12)) {
                case 0 -> nowNanos - times.nextLong(1 + Math.min(nowNanos, 100_000));
                case 1 -> nowNanos;
                case 2 -> Long.MAX_VALUE - times.nextInt(3);
                case 3 -> after(5_000_000);
                default -> after(aLength());
            };
        }

        private long aLength() {
            return (times.nextLong() >>> (22 + times.nextInt(42))) | times.nextInt(2);
        }

        private long after(long lengthNanos) {
            long sum = Deadlines.plus(nowNanos, lengthNanos);
            return sum == Deadlines.OVERFLOW ? Long.MAX_VALUE : sum;
        }

        private static void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(what);
            }
        }
    }
}
