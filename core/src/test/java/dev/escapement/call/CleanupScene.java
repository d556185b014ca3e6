package dev.escapement.call;

import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import org.junit.jupiter.api.AfterEach;

/** What the cells of the cleanup matrix share (E8): a call, its endings, and a world in which nothing is held after each. */
abstract class CleanupScene {

    /** How a call can end without a result of its own; all of it is one column of the matrix. */
    enum Ending {
        DEADLINE,
        CANCEL,
        CLOSE
    }

    static final long RESERVE_MILLIS = 50;

    /** Ends at 100 at the latest, by its deadline; attempts alone would have 500. */
    final World world = new World()
            .policy(
                    ms(100),
                    p -> p.attemptTimeout(ms(500))
                            .attemptFit(AttemptFit.CLIPPED)
                            .cleanupReserve(ms(RESERVE_MILLIS)));

    /** An attempt of 50, then a retry. */
    World withAttemptTimeout(PermitScope scope) {
        return world.policy(
                ms(1_000),
                p -> p.attemptTimeout(ms(50))
                        .attemptFit(AttemptFit.CLIPPED)
                        .permitScope(scope)
                        .cleanupReserve(ms(RESERVE_MILLIS)));
    }

    World withPermitFor(PermitScope scope) {
        return world.policy(
                ms(100), p -> p.attemptTimeout(ms(500)).permitScope(scope).cleanupReserve(ms(RESERVE_MILLIS)));
    }

    int held() {
        return world.client().figures().permitsHeld();
    }

    /** Ends the one call, whose deadline is seen late: punctually its attempt ends a reserve before. */
    void end(Ending ending, Call call) {
        switch (ending) {
            case DEADLINE -> {
                world.stallTo(ms(100));
                world.time.runReady();
            }
            case CANCEL -> call.cancel();
            case CLOSE -> {
                assertThat(world.client().close(ms(0))).isNotCompletedExceptionally();
                world.time.runReady();
            }
        }
        assertThat(world.report().outcome().kind())
                .isIn(Outcome.Kind.OVERALL_DEADLINE, Outcome.Kind.CANCELLED, Outcome.Kind.REJECTED);
    }

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }
}
