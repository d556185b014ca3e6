package dev.escapement.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.escapement.permit.PermitWaiter.State;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pool on one thread: every call in every state. */
class PermitPoolTest {

    private final List<RecordingWaiter> signalled = new ArrayList<>();

    @Test
    @DisplayName("L3 permits are counted out and back")
    void permitsAreCountedOutAndBack() {
        PermitPool pool = PermitPool.of(2, 5);

        assertThat(pool.tryAcquire()).isTrue();
        assertThat(pool.tryAcquire()).isTrue();
        assertThat(pool.tryAcquire()).isFalse();
        assertThat(pool.held()).isEqualTo(2);
        assertThat(pool.available()).isZero();

        pool.release();

        assertThat(pool.held()).isEqualTo(1);
        assertThat(pool.tryAcquire()).isTrue();
        QueueInspector.inspect(pool);
    }

    @Test
    @DisplayName(
            "L3 a limit that shrinks while permits are out leaves a debt, which is paid before anything is granted")
    void aShrunkLimitIsDebt() {
        PermitPool pool = taken(3, 5);
        RecordingWaiter waiter = enqueued(pool, 1).get(0);

        pool.resize(1, 5);

        assertThat(pool.held()).isEqualTo(3);
        assertThat(pool.available()).isEqualTo(-2);
        pool.release();
        pool.release();
        assertThat(signalled).isEmpty();
        pool.release();
        assertThat(signalled).containsExactly(waiter);
        assertThat(pool.held()).isEqualTo(1);
        QueueInspector.inspect(pool);
    }

    @Test
    @DisplayName("L3 a limit that grows serves as many of those who wait, in their order; a wrong one changes nothing")
    void aGrownLimitServesWhoWaits() {
        PermitPool pool = taken(1, 5);
        List<RecordingWaiter> waiters = enqueued(pool, 3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool.resize(0, 5))
                .withMessage("limit is 0, must be 1 to " + PermitPool.MAX_PERMITS);

        pool.resize(3, 1);

        assertThat(signalled).isEqualTo(waiters.subList(0, 2));
        assertThat(pool.held()).isEqualTo(3);
        assertThat(pool.enqueue(waiter())).isEqualTo(Enqueued.QUEUE_FULL);
        assertThatIllegalStateException().isThrownBy(() -> {
            for (int i = 0; i < 5; i++) {
                pool.release();
            }
        });
        QueueInspector.inspect(pool);
    }

    @Test
    @DisplayName("L2 enqueueing takes a free permit at once and sends no signal")
    void enqueueingTakesAFreePermitAtOnce() {
        PermitPool pool = PermitPool.of(1, 5);
        RecordingWaiter waiter = waiter();

        assertThat(pool.enqueue(waiter)).isEqualTo(Enqueued.GRANTED);

        assertThat(waiter.state()).isEqualTo(State.GRANTED);
        assertThat(pool.held()).isEqualTo(1);
        assertThat(pool.waiting()).isZero();
        assertThat(signalled).isEmpty();
    }

    @Test
    @DisplayName("L2 waiters are served in the order of their coming")
    void waitersAreServedInOrder() {
        PermitPool pool = taken(2, 5);
        List<RecordingWaiter> waiters = enqueued(pool, 5);

        for (int served = 1; served <= 5; served++) {
            pool.release();

            assertThat(signalled).isEqualTo(waiters.subList(0, served));
            assertThat(waiters.get(served - 1).state()).isEqualTo(State.GRANTED);
            assertThat(pool.held()).isEqualTo(2);
            assertThat(QueueInspector.inspect(pool)).isEqualTo(waiters.subList(served, 5));
        }

        pool.release();
        assertThat(pool.available()).isEqualTo(1);
        waiters.forEach(QueueInspector::isUnlinked);
    }

    @Test
    @DisplayName("L2 a newcomer overtakes nobody, not even from within the hand-over")
    void aNewcomerOvertakesNobody() {
        PermitPool pool = taken(1, 3);
        List<Boolean> overtook = new ArrayList<>();
        PermitWaiter first = new PermitWaiter() {
            @Override
            protected void signalled() {
                overtook.add(pool.tryAcquire());
            }
        };
        RecordingWaiter second = waiter();
        pool.enqueue(first);
        pool.enqueue(second);

        assertThat(pool.tryAcquire()).isFalse();
        pool.release();

        assertThat(overtook).containsExactly(false);
        assertThat(pool.tryAcquire()).isFalse();
        pool.release();
        assertThat(second.state()).isEqualTo(State.GRANTED);
    }

    @Test
    @DisplayName("L2 a full queue refuses at once and leaves the waiter as it was")
    void aFullQueueRefuses() {
        PermitPool pool = taken(1, 2);
        enqueued(pool, 2);
        RecordingWaiter third = waiter();

        assertThat(pool.enqueue(third)).isEqualTo(Enqueued.QUEUE_FULL);
        assertThat(third.state()).isEqualTo(State.NEW);
        assertThat(pool.waiting()).isEqualTo(2);

        pool.release();
        assertThat(pool.enqueue(third)).isEqualTo(Enqueued.WAITING);
    }

    @Test
    @DisplayName("L2 a queue of length zero lets nobody wait")
    void aQueueOfLengthZeroLetsNobodyWait() {
        PermitPool pool = PermitPool.of(1, 0);

        assertThat(pool.enqueue(waiter())).isEqualTo(Enqueued.GRANTED);
        assertThat(pool.enqueue(waiter())).isEqualTo(Enqueued.QUEUE_FULL);
    }

    @Test
    @DisplayName("L4 a cancelled waiter owns nothing, and is passed over from any place in the queue")
    void aCancelledWaiterIsPassedOver() {
        for (int leaver = 0; leaver < 3; leaver++) {
            signalled.clear();
            PermitPool pool = taken(1, 3);
            List<RecordingWaiter> waiters = enqueued(pool, 3);
            RecordingWaiter left = waiters.remove(leaver);

            assertThat(pool.cancel(left)).isTrue();

            assertThat(left.state()).isEqualTo(State.NEW);
            QueueInspector.isUnlinked(left);
            assertThat(QueueInspector.inspect(pool)).isEqualTo(waiters);
            pool.release();
            pool.release();
            assertThat(signalled).isEqualTo(waiters);
        }
    }

    @Test
    @DisplayName("L4 whoever loses to a grant owns its permit and passes it on")
    void whoeverLosesToAGrantOwnsItsPermit() {
        PermitPool pool = taken(1, 3);
        List<RecordingWaiter> waiters = enqueued(pool, 2);
        pool.release();

        assertThat(pool.cancel(waiters.get(0))).isFalse();
        assertThat(waiters.get(0).state()).isEqualTo(State.GRANTED);
        assertThat(pool.held()).isEqualTo(1);

        pool.release();
        assertThat(waiters.get(1).state()).isEqualTo(State.GRANTED);
    }

    @Test
    @DisplayName("L4 cancelling one that never waited, or twice, changes nothing")
    void cancellingWhatDoesNotWaitChangesNothing() {
        PermitPool pool = taken(1, 3);
        RecordingWaiter waiter = waiter();

        assertThat(pool.cancel(waiter)).isTrue();
        pool.enqueue(waiter);
        assertThat(pool.cancel(waiter)).isTrue();
        assertThat(pool.cancel(waiter)).isTrue();

        assertThat(QueueInspector.inspect(pool)).isEmpty();
    }

    @Test
    @DisplayName("L2 a waiter can wait again, and not twice at a time")
    void aWaiterCanWaitAgain() {
        PermitPool pool = taken(1, 3);
        RecordingWaiter waiter = waiter();
        pool.enqueue(waiter);

        assertThatIllegalStateException().isThrownBy(() -> pool.enqueue(waiter));
        assertThat(QueueInspector.inspect(pool)).containsExactly(waiter);

        pool.release();
        assertThat(pool.enqueue(waiter)).isEqualTo(Enqueued.WAITING);
        assertThat(QueueInspector.inspect(pool)).containsExactly(waiter);
    }

    @Test
    @DisplayName("L3 a release without a permit out is refused, names the numbers and invents nothing")
    void aReleaseWithoutAPermitOutIsRefused() {
        PermitPool pool = PermitPool.of(3, 4);

        assertThatIllegalStateException()
                .isThrownBy(pool::release)
                .withMessage("a permit was released that nobody holds: limit 3, available 3, waiting 0");
        assertThat(pool.available()).isEqualTo(3);

        pool.close();
        assertThatIllegalStateException().isThrownBy(pool::release).withMessageEndingWith(", closed");
        assertThat(pool.available()).isEqualTo(3);
    }

    @Test
    @DisplayName("L3 debt is paid before anything is granted")
    void debtIsPaidBeforeAnythingIsGranted() {
        PermitPool pool = taken(2, 4);
        pool.addWord(-(1L << 32));
        RecordingWaiter waiter = waiter();

        assertThat(pool.enqueue(waiter)).isEqualTo(Enqueued.WAITING);
        pool.release();
        assertThat(waiter.state()).isEqualTo(State.WAITING);
        assertThat(pool.tryAcquire()).isFalse();

        pool.release();
        assertThat(waiter.state()).isEqualTo(State.GRANTED);
    }

    @Test
    @DisplayName("S1 a closed pool refuses newcomers, ends every wait and takes back what is out")
    void aClosedPoolRefusesAndEndsEveryWait() {
        PermitPool pool = taken(2, 5);
        List<RecordingWaiter> waiters = enqueued(pool, 3);

        assertThat(pool.close()).isTrue();

        assertThat(pool.closed()).isTrue();
        assertThat(signalled).isEqualTo(waiters);
        assertThat(waiters).allSatisfy(waiter -> {
            assertThat(waiter.state()).isEqualTo(State.CLOSED);
            assertThat(pool.cancel(waiter)).isFalse();
            QueueInspector.isUnlinked(waiter);
        });
        assertThat(pool.waiting()).isZero();

        pool.release();
        assertThat(pool.tryAcquire()).isFalse();
        RecordingWaiter late = waiter();
        assertThat(pool.enqueue(late)).isEqualTo(Enqueued.CLOSED);
        assertThat(late.state()).isEqualTo(State.NEW);

        pool.release();
        assertThat(QueueInspector.inspect(pool)).isEmpty();
    }

    @Test
    @DisplayName("S1 closing again says that it was closed")
    void closingAgainSaysThatItWasClosed() {
        PermitPool pool = PermitPool.of(2, 5);

        assertThat(pool.close()).isTrue();

        assertThat(pool.close()).isFalse();
    }

    @Test
    @DisplayName("S1 closing is one instant: a waiter not yet told cannot withdraw any more")
    void closingIsOneInstant() {
        PermitPool pool = taken(1, 3);
        RecordingWaiter second = waiter();
        List<Boolean> withdrawn = new ArrayList<>();
        pool.enqueue(new PermitWaiter() {
            @Override
            protected void signalled() {
                pool.release();
                withdrawn.add(pool.cancel(second));
            }
        });
        pool.enqueue(second);

        pool.close();

        assertThat(withdrawn).containsExactly(false);
        assertThat(second.state()).isEqualTo(State.CLOSED);
        assertThat(signalled).isEmpty();
    }

    static List<Throwable> throwables() {
        return List.of(
                new IllegalStateException("planned"),
                new Error("planned"),
                new StackOverflowError("planned"),
                new OutOfMemoryError("planned"));
    }

    @ParameterizedTest
    @MethodSource("throwables")
    @DisplayName("A5 L3 a signal that throws loses no permit and holds up no later waiter")
    void aSignalThatThrowsLosesNothing(Throwable thrown) {
        PermitPool pool = taken(1, 5);
        PermitWaiter throwing = new ThrowingWaiter(thrown);
        RecordingWaiter next = waiter();
        pool.enqueue(throwing);
        pool.enqueue(next);

        pool.release();
        assertThat(throwing.state()).isEqualTo(State.GRANTED);
        assertThat(pool.held()).isEqualTo(1);
        assertThat(pool.signalFailures()).isEqualTo(1);

        pool.release();
        assertThat(signalled).containsExactly(next);

        RecordingWaiter last = waiter();
        pool.enqueue(throwing);
        pool.enqueue(last);
        pool.close();
        assertThat(last.state()).isEqualTo(State.CLOSED);
        assertThat(pool.signalFailures()).isEqualTo(2);
        pool.release();
        assertThat(pool.held()).isZero();
        assertThat(QueueInspector.inspect(pool)).isEmpty();
    }

    @Test
    @DisplayName("L3 a stack that overflows inside the pool leaves its lock free and its numbers whole")
    void anOverflowInsideThePoolLeavesItWhole() {
        PermitPool pool = taken(1, 4);
        List<SilentWaiter> waiters = List.of(new SilentWaiter(), new SilentWaiter(), new SilentWaiter());

        for (int round = 0; round < 300; round++) {
            for (SilentWaiter waiter : waiters) {
                if (waiter.state() != State.WAITING) {
                    pool.enqueue(waiter);
                }
            }

            overflow(pool, waiters, round % 37);

            if (waiters.stream().allMatch(waiter -> waiter.state() == State.WAITING)) {
                // The release may have ended after its addition: the next who leaves the queue sees to it.
                pool.cancel(waiters.get(round % 3));
            }
            QueueInspector.inspect(pool);
            assertThat(pool.held()).isEqualTo(1);
        }
    }

    /** Uses the pool at every depth until the stack ends; the offset moves the place in the pool where it does. */
    private static void overflow(PermitPool pool, List<SilentWaiter> waiters, int offset) {
        try {
            if (offset > 0) {
                overflow(pool, waiters, offset - 1);
            } else {
                useAtEveryDepth(pool, waiters, Integer.MAX_VALUE);
            }
        } catch (StackOverflowError expected) {
            // What was to be provoked.
        }
    }

    private static void useAtEveryDepth(PermitPool pool, List<SilentWaiter> waiters, int depth) {
        pool.release();
        for (int i = 0; i < waiters.size(); i++) {
            SilentWaiter waiter = waiters.get(i);
            if (waiter.state() != State.GRANTED) {
                pool.cancel(waiter);
            }
            pool.enqueue(waiter);
        }
        if (depth > 0) {
            useAtEveryDepth(pool, waiters, depth - 1);
        }
    }

    @Test
    @DisplayName("L2 100,000 waiters are served one after another without growing the stack")
    void manyWaitersAreServedWithoutGrowingTheStack() {
        int count = 100_000;
        PermitPool pool = taken(1, count);
        Queue<Runnable> executor = new ArrayDeque<>();
        List<Integer> depths = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pool.enqueue(new PermitWaiter() {
                @Override
                protected void signalled() {
                    executor.add(() -> {
                        if (pool.waiting() % 10_000 == 0) {
                            depths.add(new Throwable().getStackTrace().length);
                        }
                        pool.release();
                    });
                }
            });
        }

        pool.release();
        int served = 0;
        for (Runnable task = executor.poll(); task != null; task = executor.poll()) {
            task.run();
            served++;
        }

        assertThat(served).isEqualTo(count);
        assertThat(depths).hasSize(10).containsOnly(depths.get(0));
        assertThat(pool.available()).isEqualTo(1);
    }

    @Test
    @DisplayName("L2 a signal may release at once, if not very deep")
    void aSignalMayReleaseAtOnce() {
        PermitPool pool = taken(1, 100);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int place = i;
            pool.enqueue(new PermitWaiter() {
                @Override
                protected void signalled() {
                    order.add(place);
                    pool.release();
                }
            });
        }

        pool.release();

        assertThat(order).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(pool.available()).isEqualTo(1);
        assertThat(pool.signalFailures()).isZero();
    }

    @Test
    @DisplayName("L2 100,000 waiters leave from the middle, and nothing is searched")
    void manyWaitersLeaveFromTheMiddle() {
        int count = 100_000;
        PermitPool pool = taken(1, count);
        List<RecordingWaiter> waiters = enqueued(pool, count);
        List<RecordingWaiter> staying = new ArrayList<>();

        // A search would take about 2 billion steps here, and the test's patience.
        for (int i = 0; i < count; i++) {
            int fromMiddleOut = (count / 2 + (i % 2 == 0 ? i / 2 : count - 1 - i / 2)) % count;
            if (fromMiddleOut % 1000 == 7) {
                continue;
            }
            assertThat(pool.cancel(waiters.get(fromMiddleOut))).isTrue();
        }
        for (int i = 7; i < count; i += 1000) {
            staying.add(waiters.get(i));
        }

        assertThat(QueueInspector.inspect(pool)).isEqualTo(staying);
    }

    @Test
    @DisplayName("L2 L4 nothing is allocated once warm")
    void nothingIsAllocatedOnceWarm() {
        PermitPool pool = taken(3, 9);
        SilentWaiter[] waiters = {new SilentWaiter(), new SilentWaiter(), new SilentWaiter(), new SilentWaiter()};
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        useThoroughly(pool, waiters, 100_000);

        long before = threads.getThreadAllocatedBytes(thread);
        useThoroughly(pool, waiters, 100_000);
        long allocated = threads.getThreadAllocatedBytes(thread) - before;

        // A few hundred bytes are the measuring itself; one object an operation would be 1.6 million.
        assertThat(allocated).isLessThan(10_000);
    }

    private static void useThoroughly(PermitPool pool, PermitWaiter[] waiters, int rounds) {
        for (int i = 0; i < rounds; i++) {
            pool.release();
            pool.tryAcquire();
            for (PermitWaiter waiter : waiters) {
                pool.enqueue(waiter);
            }
            pool.cancel(waiters[1]);
            pool.release();
            pool.release();
            pool.cancel(waiters[3]);
        }
    }

    @Test
    @DisplayName("P2 limits from 1 to MAX_PERMITS are built, others refused by name, value and range")
    void limitsOutOfRangeAreRefused() {
        assertThat(PermitPool.of(PermitPool.MAX_PERMITS, PermitPool.MAX_WAITING).available())
                .isEqualTo(PermitPool.MAX_PERMITS);
        assertThat(PermitPool.of(1, 0).limit()).isEqualTo(1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> PermitPool.of(0, 5))
                .withMessage("limit is 0, must be 1 to 1073741823");
        assertThatIllegalArgumentException().isThrownBy(() -> PermitPool.of(PermitPool.MAX_PERMITS + 1, 5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PermitPool.of(5, -1))
                .withMessage("maxWaiting is -1, must be 0 to 1073741823");
        assertThatIllegalArgumentException().isThrownBy(() -> PermitPool.of(5, PermitPool.MAX_WAITING + 1));
    }

    private RecordingWaiter waiter() {
        return new RecordingWaiter(signalled);
    }

    private List<RecordingWaiter> enqueued(PermitPool pool, int count) {
        List<RecordingWaiter> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RecordingWaiter waiter = waiter();
            assertThat(pool.enqueue(waiter)).isEqualTo(Enqueued.WAITING);
            waiters.add(waiter);
        }
        return waiters;
    }

    private static PermitPool taken(int limit, int maxWaiting) {
        PermitPool pool = PermitPool.of(limit, maxWaiting);
        for (int i = 0; i < limit; i++) {
            assertThat(pool.tryAcquire()).isTrue();
        }
        return pool;
    }

    /** A waiter whose signal throws. */
    private static final class ThrowingWaiter extends PermitWaiter {
        private final Throwable thrown;

        ThrowingWaiter(Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        protected void signalled() {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }
    }

    /** A waiter whose signal does nothing. */
    private static final class SilentWaiter extends PermitWaiter {
        @Override
        protected void signalled() {}
    }
}
