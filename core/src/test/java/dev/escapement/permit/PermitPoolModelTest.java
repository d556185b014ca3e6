package dev.escapement.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.permit.PermitWaiter.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on the pool and on a naive model of it; after each step the two are compared whole. */
class PermitPoolModelTest {

    private static final int STEPS = 3_000;
    private static final int ROUNDS = 40;
    private static final int WAITERS = 11;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 20_261, 4_821, 77_003})
    @DisplayName("L2 L3 L4 S1 the pool does what the model does")
    void doesWhatTheModelDoes(long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(seed * 1_000 + round);
            new Run(random.nextInt(1, 6), random.nextInt(0, 9), random).run("seed " + seed + ", round " + round);
        }
    }

    /** One pool and its model, from new to closed. */
    private static final class Run {

        private final PermitPool pool;
        private final NaivePermits model;
        private final SplittableRandom random;
        private final List<RecordingWaiter> signalled = new ArrayList<>();
        private final List<RecordingWaiter> waiters = new ArrayList<>();

        Run(int limit, int maxWaiting, SplittableRandom random) {
            this.pool = PermitPool.of(limit, maxWaiting);
            this.model = new NaivePermits(limit, maxWaiting);
            this.random = random;
            for (int i = 0; i < WAITERS; i++) {
                waiters.add(new RecordingWaiter(signalled));
            }
        }

        void run(String where) {
            for (int step = 0; step < STEPS; step++) {
                step();
                compare(where + ", step " + step);
            }
        }

        private void step() {
            int which = random.nextInt(WAITERS);
            RecordingWaiter waiter = waiters.get(which);
            signalled.clear();
            List<RecordingWaiter> expected = new ArrayList<>();
            switch (random.nextInt(11)) {
                case 0, 1 -> assertThat(pool.tryAcquire()).isEqualTo(model.tryAcquire());
                case 2, 3, 4 -> {
                    if (!model.queue.contains(which)) {
                        assertThat(pool.enqueue(waiter)).isEqualTo(model.enqueue(which));
                    }
                }
                case 5, 6 -> {
                    if (model.queue.contains(which)) {
                        assertThat(pool.cancel(waiter)).isEqualTo(model.cancel(which));
                        assertThat(waiter.state()).isEqualTo(State.NEW);
                    }
                }
                case 7, 8 -> {
                    if (model.held > 0) {
                        model.queue.stream()
                                .limit(model.held <= model.limit ? 1 : 0)
                                .map(waiters::get)
                                .forEach(expected::add);
                        pool.release();
                        model.release();
                    }
                }
                case 9 -> {
                    int limit = random.nextInt(1, 6);
                    int maxWaiting = random.nextInt(0, 9);
                    if (!model.closed) {
                        model.queue.stream()
                                .limit(Math.max(0, limit - model.held))
                                .map(waiters::get)
                                .forEach(expected::add);
                    }
                    pool.resize(limit, maxWaiting);
                    model.resize(limit, maxWaiting);
                }
                default -> {
                    if (random.nextInt(STEPS / 10) == 0) {
                        model.queue.stream().map(waiters::get).forEach(expected::add);
                        assertThat(pool.close()).isEqualTo(!model.closed);
                        model.close();
                    }
                }
            }
            assertThat(signalled).isEqualTo(expected);
            for (RecordingWaiter told : signalled) {
                boolean granted = model.granted.contains(waiters.indexOf(told));
                assertThat(told.state()).isEqualTo(granted ? State.GRANTED : State.CLOSED);
            }
        }

        private void compare(String where) {
            List<PermitWaiter> expected = new ArrayList<>();
            model.queue.forEach(which -> expected.add(waiters.get(which)));
            assertThat(QueueInspector.inspect(pool)).as(where).isEqualTo(expected);
            assertThat(pool.held()).as(where).isEqualTo(model.held);
            assertThat(pool.closed()).as(where).isEqualTo(model.closed);
            for (RecordingWaiter waiter : waiters) {
                if (waiter.state() != State.WAITING) {
                    QueueInspector.isUnlinked(waiter);
                }
            }
        }
    }
}
