package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.report.Outcome;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S1: the grace of a closing client ends, whatever its scheduler does. */
class ClosingGraceTest {

    @Test
    @DisplayName("S1 a scheduler that throws anything at the end of the grace has ended it")
    void graceEndsWhateverTheSchedulerThrows() {
        World world = new World();
        world.transport.otherwise().hangAfterWrite();
        world.call(GET);
        CompletableFuture<Void> closed = world.client().close(ms(10));
        world.time
                .callOuts()
                .before(CallOut.EXECUTE, world.time.callOuts().count(CallOut.EXECUTE) + 1)
                .raise(new OutOfMemoryError("planted"));

        world.time.advance(ms(10));

        assertThat(world.report().outcome().kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(closed).isCompleted();
    }

    @Test
    @DisplayName("S1 a grace that cannot be armed is over")
    void graceThatCannotBeArmedIsOver() {
        World world = new World();
        world.transport.otherwise().hangAfterWrite();
        world.call(GET);
        world.time
                .callOuts()
                .before(CallOut.ARM, world.time.callOuts().count(CallOut.ARM) + 1)
                .raise(new StackOverflowError("planted"));

        CompletableFuture<Void> closed = world.client().close(ms(10));
        world.time.runReady();

        assertThat(world.report().outcome().kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(closed).isCompleted();
        world.assertClean();
    }
}
