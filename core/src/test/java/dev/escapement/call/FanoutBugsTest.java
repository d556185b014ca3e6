package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.report.Report;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** W3: a fan-out ends, and keeps nothing, whatever is wrong with the calls in it. */
class FanoutBugsTest {

    @Test
    @DisplayName("W3 a bug whose own message throws is recorded all the same, and the fan-out ends")
    void bugWithoutAMessageDoesNotStopTheFanout() {
        World world = new World();
        world.transport.on(1).raise(new Unspeakable());
        world.transport.otherwise().answer(200);

        CompletableFuture<List<Report>> all = world.client().callAll(Collections.nCopies(3, GET), 2);
        world.time.runUntilIdle();

        assertThat(all).isCompletedExceptionally();
        assertThatThrownBy(all::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(FanoutException.class, broke -> {
                    assertThat(broke.reports()).hasSize(2);
                    broke.reports().forEach(Report::release);
                });
        world.assertClean();
    }

    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    @DisplayName("W3 what a broken call leaves out of the good reports is released")
    void bodyOfABrokenCallIsReleased() {
        World world = new World();
        world.transport.on(1).answer(503);
        world.transport.on(2).raise(new IllegalStateException("planted"));

        CompletableFuture<List<Report>> all = world.client().callAll(List.of(GET), 1);
        world.time.runUntilIdle();

        assertThat(all).isCompletedExceptionally();
        assertThat(world.transport.bodies().held()).isEmpty();
        world.assertClean();
    }
}
