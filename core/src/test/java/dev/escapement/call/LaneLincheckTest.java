package dev.escapement.call;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Response;
import dev.escapement.policy.Policy;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.LaneKind;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A lane between its transport and its machine, in every order of a few steps of each: the first byte against abandonment
 * (E1), result against abandonment (A5), clean against both (E8).
 */
class LaneLincheckTest {

    @Test
    @DisplayName("E1 what was abandoned with nothing written lets nothing leave, in every interleaving of a few steps")
    void firstByteAgainstAbandonment() {
        modelChecking().check(FirstByte.class);
    }

    @Test
    @DisplayName("E1 what was abandoned with nothing written lets nothing leave, on real threads")
    void firstByteAgainstAbandonmentOnRealThreads() {
        stress().check(FirstByte.class);
    }

    @Test
    @DisplayName("E1 E5 nor does its report say when it could have left, in every interleaving of a few steps")
    void stampedFirstByteAgainstAbandonment() {
        modelChecking().check(StampedFirstByte.class);
    }

    @Test
    @DisplayName("The checker sees it where progress is read before the gate is shut")
    void checkerSeesHastyProgress() {
        assertThatThrownBy(() -> modelChecking().check(HastyProgress.class)).isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    @DisplayName("A5 of two results and an abandonment one wins, in every interleaving")
    void resultAgainstAbandonment() {
        modelChecking().check(OneWinner.class);
    }

    @Test
    @DisplayName("A5 of two results and an abandonment one wins, on real threads")
    void resultAgainstAbandonmentOnRealThreads() {
        stress().check(OneWinner.class);
    }

    @Test
    @DisplayName("E8 the machine misses no clean, in every interleaving of a few steps")
    void cleanAgainstSettling() {
        modelChecking().check(NoMissedClean.class);
    }

    @Test
    @DisplayName("E8 the machine misses no clean, on real threads")
    void cleanAgainstSettlingOnRealThreads() {
        stress().check(NoMissedClean.class);
    }

    @Test
    @DisplayName("The checker sees it where the machine looks before it takes the bits")
    void checkerSeesALookBeforeTheTake() {
        assertThatThrownBy(() -> modelChecking().check(LookBeforeTake.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static Options<?, ?> modelChecking() {
        return new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(0);
    }

    private static Options<?, ?> stress() {
        return new StressOptions()
                .iterations(4)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(4)
                .actorsAfter(0);
    }

    private static final Scheduler HOME = new StandingStill();
    private static final Client CLIENT = Client.builder((request, exchange) -> Attempt.OVER, Schedulers.of(HOME))
            .policy(Policy.standard())
            .build();

    /** A call that nobody started: its word stays taken, so that signals stay where they can be seen. */
    private static CallMachine unstarted() {
        return new CallMachine(
                CLIENT,
                HOME,
                new OperationClass(Policy.standard(), 0).terms(),
                World.GET,
                CallOptions.none(),
                report -> {},
                0);
    }

    /** One thread of the transport's that connects and writes, and the machine that gives up. */
    public static class FirstByte {

        final Lane lane;

        /** The transport's: it may let bytes leave on the present connection. */
        private boolean mayWrite;

        /** The machine's. */
        private boolean gaveUp;

        /** What the machine reports, once it has given up. */
        private volatile Progress reported;

        public FirstByte() {
            this(new Lane(unstarted(), 1, null));
        }

        FirstByte(Lane lane) {
            this.lane = lane;
            lane.connected(true);
        }

        @Operation(nonParallelGroup = "transport")
        public void write() {
            boolean unwritten = reported == Progress.NOT_STARTED;
            if (lane.tryWrite()) {
                mayWrite = true;
                if (unwritten) {
                    throw new IllegalStateException("leaves, though reported as not started");
                }
            }
        }

        /** The first connection had accepted nothing (R10). */
        @Operation(nonParallelGroup = "transport")
        public void replace() {
            mayWrite = false;
            lane.connected(false);
        }

        @Operation(nonParallelGroup = "machine")
        public void giveUp() {
            if (!gaveUp) {
                gaveUp = true;
                reported = abandonAndRead();
            }
        }

        @Validate
        public void nothingLeavesUnreported() {
            if (reported == Progress.NOT_STARTED && (mayWrite || lane.tryWrite())) {
                throw new IllegalStateException("left or leaves, though reported as not started");
            }
            if (gaveUp && !mayWrite && lane.tryWrite()) {
                throw new IllegalStateException("a first byte leaves after abandonment");
            }
        }

        Progress abandonAndRead() {
            lane.abandon();
            return lane.progress();
        }
    }

    /** As it would be if the machine took its report from before the end. */
    public static class HastyProgress extends FirstByte {
        @Override
        Progress abandonAndRead() {
            Progress hasty = lane.progress();
            lane.abandon();
            return hasty;
        }
    }

    /** The same for a lane that stamps each step: what is told as not started was never allowed to start. */
    public static class StampedFirstByte extends FirstByte {

        public StampedFirstByte() {
            super(new DetailedLane(unstarted(), 1, null, true, 0, 0));
        }

        @Override
        Progress abandonAndRead() {
            Progress progress = super.abandonAndRead();
            AttemptDetail detail = ((DetailedLane) lane).detail(LaneKind.FIRST, 0, 1);
            if (progress == Progress.NOT_STARTED && detail.sending().isPresent()) {
                throw new IllegalStateException("not started, and yet it could leave: " + detail);
            }
            return progress;
        }
    }

    /** Two threads of the transport's that both have a result, and the machine. Compared with some order of their steps. */
    public static class OneWinner {

        private final Response response = Response.of(200);
        private final TransportFailure failure = TransportFailure.of(TransportFailure.Kind.RESET, "simulated");
        private final Lane lane = new Lane(unstarted(), 1, null);

        @Operation
        public boolean succeed() {
            return lane.succeed(response);
        }

        @Operation
        public boolean fail() {
            return lane.fail(failure);
        }

        @Operation(nonParallelGroup = "machine")
        public String abandon() {
            Object before = lane.abandon();
            return before == null ? "won" : before == response ? "response" : before == failure ? "failure" : "again";
        }

        @Operation
        public boolean abandoned() {
            return lane.abandoned();
        }
    }

    /** The transport reports its result and that it is clean, the machine looks whenever it is signalled. */
    public static class NoMissedClean {

        final CallMachine call = unstarted();
        final Lane lane = new Lane(call, 1, null);

        // The transport's.
        private boolean ended;
        private boolean clean;

        /** The machine's: it has seen the lane settled and clean. */
        boolean swept;

        @Operation(nonParallelGroup = "transport")
        public void end() {
            if (!ended) {
                ended = true;
                lane.succeed(Response.of(200));
            }
        }

        @Operation(nonParallelGroup = "transport")
        public void clean() {
            if (!clean) {
                clean = true;
                lane.clean(ConnectionFate.REUSED, 0);
            }
        }

        @Operation(nonParallelGroup = "machine")
        public void giveUp() {
            lane.abandon();
            swept |= lane.isClean();
        }

        @Operation(nonParallelGroup = "machine")
        public void look() {
            takeAndJudge();
        }

        void takeAndJudge() {
            call.take();
            swept |= isOver();
        }

        @Validate
        public void noCleanIsMissed() {
            if (isOver() && !swept && !call.isSignalled()) {
                throw new IllegalStateException("clean, and nobody will look");
            }
        }

        final boolean isOver() {
            return lane.result() != null && lane.isClean();
        }
    }

    /** As it would be if the machine took the bits last. */
    public static class LookBeforeTake extends NoMissedClean {
        @Override
        void takeAndJudge() {
            swept |= isOver();
            call.take();
        }
    }
}
