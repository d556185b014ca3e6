package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How due timers get from the timer thread to an executor, step by step on one thread: none is lost, none fired twice, one drainer at a time. */
class HandOffTest {

    private static final long NOW = 5_000_000_000L;

    private final List<Integer> fired = new ArrayList<>();
    private final Deque<Runnable> submitted = new ArrayDeque<>();
    private final HandOff handOff = new HandOff(submitted::add, new Thread(() -> {}, "nobody"));

    private final class Numbered extends Timer {
        private final int number;
        private final Runnable action;

        Numbered(int number, Runnable action) {
            this.number = number;
            this.action = action;
        }

        @Override
        public void fire() {
            fired.add(number);
            action.run();
        }
    }

    private void offer(HandOff to, int first, int count, long nowNanos) {
        Timer[] due = new Timer[count + 1];
        for (int i = 0; i < count; i++) {
            due[i] = new Numbered(first + i, () -> {});
        }
        to.offer(due, count, nowNanos);
        assertThat(due).containsOnlyNulls();
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    @DisplayName("T6 what is queued beyond the ring's size is fired, each once and in order")
    void grows() {
        // The head stands in the middle, so that what grows is wrapped around.
        offer(handOff, 0, 200, NOW);
        submitted.remove().run();
        for (int first = 200; first < 1_400; first += 60) {
            offer(handOff, first, 60, NOW);
        }
        submitted.remove().run();

        assertThat(fired).isEqualTo(upTo(1_400));
        assertThat(submitted).isEmpty();
    }

    @Test
    @DisplayName("T6 a ring that is just full is not grown for nothing, and loses nothing")
    void justFull() {
        offer(handOff, 0, 256, NOW);
        offer(handOff, 256, 256, NOW);
        offer(handOff, 512, 1, NOW);
        submitted.remove().run();

        assertThat(fired).isEqualTo(upTo(513));
    }

    @Test
    @DisplayName("one drainer is submitted at a time, and the next once it has ended")
    void oneDrainer() {
        offer(handOff, 0, 1, NOW);
        offer(handOff, 1, 1, NOW);
        assertThat(submitted).hasSize(1);

        submitted.remove().run();
        assertThat(fired).isEqualTo(upTo(2));
        offer(handOff, 2, 1, NOW);
        assertThat(submitted).hasSize(1);
        submitted.remove().run();
    }

    @Test
    @DisplayName("while a drainer runs no other is submitted: it takes what comes meanwhile")
    void runningDrainer() {
        Timer[] due = {new Numbered(0, () -> offer(handOff, 1, 2, NOW))};
        handOff.offer(due, 1, NOW);

        submitted.remove().run();

        assertThat(fired).isEqualTo(upTo(3));
        assertThat(submitted).isEmpty();
    }

    @Test
    @DisplayName("a queue that stood still for the patience gets another drainer: at −1 none, at 0 one, and no third")
    void stuck() {
        List<Long> askAgain = new ArrayList<>();
        Timer[] due = {
            new Numbered(0, () -> {
                offer(handOff, 1, 1, NOW);
                askAgain.add(handOff.attend(NOW + HandOff.PATIENCE_NANOS - 1));
                assertThat(submitted).isEmpty();
                handOff.attend(NOW + HandOff.PATIENCE_NANOS);
                assertThat(submitted).hasSize(1);
                handOff.attend(NOW + 9 * HandOff.PATIENCE_NANOS);
                assertThat(submitted).hasSize(1);
            })
        };
        handOff.offer(due, 1, NOW);
        submitted.remove().run();

        assertThat(fired).isEqualTo(upTo(2));
        assertThat(askAgain).containsExactly(NOW + 2 * HandOff.PATIENCE_NANOS - 1);
        submitted.remove().run();
        assertThat(handOff.attend(NOW)).isEqualTo(TimerWheel.NEVER);
    }

    @Test
    @DisplayName("a queue that moves is not stuck, however long it is")
    void moving() {
        Timer[] due = {
            new Numbered(0, () -> {
                offer(handOff, 2, 1, NOW);
                // The first was taken since the queue was seen: the patience starts here.
                handOff.attend(NOW + 3 * HandOff.PATIENCE_NANOS);
            }),
            new Numbered(1, () -> {
                handOff.attend(NOW + 4 * HandOff.PATIENCE_NANOS);
                assertThat(submitted).isEmpty();
            })
        };
        handOff.offer(due, 2, NOW);
        submitted.remove().run();

        assertThat(fired).isEqualTo(List.of(0, 1, 2));
        assertThat(submitted).isEmpty();
    }

    @Test
    @DisplayName("S1 an executor that refuses loses nothing: what is queued is fired at once")
    void refused() {
        HandOff refusing = new HandOff(
                task -> {
                    throw new RejectedExecutionException("closed");
                },
                new Thread(() -> {}, "nobody"));

        offer(refusing, 0, 300, NOW);
        offer(refusing, 300, 1, NOW);

        assertThat(fired).isEqualTo(upTo(301));
        assertThat(refusing.attend(NOW)).isEqualTo(TimerWheel.NEVER);
    }

    @Test
    @DisplayName("an executor that runs its task on the timer thread is told apart, for as long as it does")
    void inPlace() {
        HandOff here = new HandOff(Runnable::run, Thread.currentThread());
        List<Boolean> seen = new ArrayList<>();
        Timer[] due = {new Numbered(0, () -> seen.add(here.isInPlace()))};

        here.offer(due, 1, NOW);

        assertThat(seen).containsExactly(true);
        assertThat(here.isInPlace()).isFalse();
        assertThat(handOff.isInPlace()).isFalse();
    }
}
