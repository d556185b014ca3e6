package dev.escapement.call;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The word of a call, in every order of a few signals, hand-overs and tasks: no signal is lost, no two threads own it at once, and
 * it goes idle (A5).
 */
class SignalsLincheckTest {

    @Test
    @DisplayName("A5 no signal is lost and nobody owns the word beside another, in every interleaving of a few")
    void noSignalIsLost() {
        modelChecking().check(OneWord.class);
    }

    @Test
    @DisplayName("A5 no signal is lost and nobody owns the word beside another, on real threads")
    void noSignalIsLostOnRealThreads() {
        new StressOptions()
                .iterations(5)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(4)
                .actorsAfter(0)
                .check(OneWord.class);
    }

    @Test
    @DisplayName("The checker sees it where the owner leaves without another look")
    void checkerSeesALeavingOwner() {
        assertThatThrownBy(() -> modelChecking().check(Leaving.class)).isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    @DisplayName("The checker sees it where a thrower runs what it handed over without claiming it")
    void checkerSeesTwoOwners() {
        assertThatThrownBy(() -> modelChecking().check(Greedy.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions modelChecking() {
        return new ModelCheckingOptions()
                .iterations(12)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(0);
    }

    /** A word, whoever raises bits in it, and a home that runs its tasks some time. */
    public static class OneWord {

        private static final class Word extends Signals {
            @Override
            public void fire() {}
        }

        final Signals word = new Word();
        private final AtomicInteger raised = new AtomicInteger();
        private final AtomicInteger owners = new AtomicInteger();
        private final AtomicInteger tasks = new AtomicInteger();

        /** The owner's: what it has taken. Plain, as the machine's fields are. */
        private int seen;

        public OneWord() {
            word.goIdle();
        }

        @Operation
        public void raise(@Param(gen = IntGen.class, conf = "1:3") int bit) {
            if (set(bit)) {
                drive();
            }
        }

        @Operation
        public void raiseAndHandOver(@Param(gen = IntGen.class, conf = "1:3") int bit) {
            if (set(bit)) {
                word.offer();
                tasks.incrementAndGet();
            }
        }

        /** The home throws, though it has queued the task. */
        @Operation
        public void raiseAndHandOverToThrower(@Param(gen = IntGen.class, conf = "1:3") int bit) {
            if (set(bit)) {
                word.offer();
                tasks.incrementAndGet();
                afterThrow();
            }
        }

        @Operation
        public void runTask() {
            if (tasks.get() > 0 && tasks.getAndDecrement() > 0 && word.claim()) {
                drive();
            }
        }

        @Validate
        public void nothingIsLost() {
            for (int i = tasks.get(); i >= 0; i--) {
                if (word.claim()) {
                    drive();
                }
            }
            if (!word.set(0) || !word.goIdle()) {
                throw new IllegalStateException("the word never went idle");
            }
            if (seen != raised.get()) {
                throw new IllegalStateException("raised " + raised + ", seen " + seen);
            }
        }

        private boolean set(int bit) {
            raised.getAndUpdate(bits -> bits | 1 << bit);
            return word.set(1 << bit);
        }

        void afterThrow() {
            if (word.claim()) {
                drive();
            }
        }

        final void drive() {
            if (owners.incrementAndGet() != 1) {
                throw new IllegalStateException("two owners");
            }
            boolean done;
            do {
                seen |= word.take();
                owners.decrementAndGet();
                done = leave();
                if (!done) {
                    owners.incrementAndGet();
                }
            } while (!done);
        }

        boolean leave() {
            return word.goIdle();
        }
    }

    /** As it would be if the owner took a failed way out for one. */
    public static class Leaving extends OneWord {
        @Override
        boolean leave() {
            word.goIdle();
            return true;
        }
    }

    /** As it would be if a throw meant that the task will not run. */
    public static class Greedy extends OneWord {
        @Override
        void afterThrow() {
            drive();
        }
    }
}
