package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.report.Outcome;
import dev.escapement.transport.TransportFailure.Kind;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** T5: a timer is only a wake-up. Spurious, double and late ones change no outcome. */
class WakeUpTest {

    /** A call that waits until 30, is reset at 50, times out at 170, and is answered at 230: each kind of timer matters once. */
    private static World play(Home home, Consumer<World> disturbance) {
        World world = new World(new VirtualTime(7, home))
                .policy(p -> p.maxRetries(2).initialBackoff(ms(20)).cleanupReserve(ms(50)))
                .permits(1, 1)
                .holdPermits();
        world.transport.on(1).failAfter(ms(20), Kind.RESET);
        world.transport.on(2).hangAfterWrite().cleanAfterAbandonment(ms(20));
        world.transport.on(3).answerAfter(ms(20), 200).cleanAfterAbandonment(ms(20));
        world.time.after(ms(30), () -> world.client().permits().release());
        world.call(GET);
        disturbance.accept(world);
        world.time.runUntilIdle();
        return world;
    }

    private static List<Object> seen(World world) {
        world.assertClean();
        return List.of(
                world.kind(),
                world.endedAt(),
                world.sentAt(),
                world.report().retryDelays(),
                world.client().figures().forcedCleanups());
    }

    @ParameterizedTest(name = "T5 home {0}")
    @DisplayName("T5 without a disturbance the scene ends at 230 after attempts at 30, 70 and 210")
    @EnumSource(Home.class)
    void undisturbed(Home home) {
        World world = play(home, w -> {});

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.sentAt()).isEqualTo(allMs(30, 70, 210));
        assertThat(world.endedAt()).isEqualTo(ms(230));
        world.assertClean();
    }

    @ParameterizedTest(name = "T5 home {0}")
    @DisplayName("T5 waking every timer at every millisecond changes nothing")
    @EnumSource(Home.class)
    void spuriousWakeUpsChangeNothing(Home home) {
        List<Object> undisturbed = seen(play(home, w -> {}));

        World world = play(home, w -> {
            for (int i = 0; i < 300; i++) {
                w.time.advance(ms(1));
                w.time.wakeAll();
            }
        });

        assertThat(seen(world)).isEqualTo(undisturbed);
    }

    @ParameterizedTest(name = "T5 home {0}")
    @DisplayName("T5 waking every timer twice changes nothing")
    @EnumSource(Home.class)
    void doubleWakeUpsChangeNothing(Home home) {
        List<Object> undisturbed = seen(play(home, w -> {}));

        World world = play(home, w -> w.time.wakeTwice());

        assertThat(seen(world)).isEqualTo(undisturbed);
    }

    @Test
    @DisplayName("T5 a late wake-up finds what a punctual one would have found, and counts from when it looked")
    void lateWakeUpsChangeNoOutcome() {
        World world = play(Home.ANYWHERE, w -> {
            w.runTo(ms(169));
            w.time.stall(ms(8));
            w.time.runReady();
            w.time.stall(ms(47));
        });

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.sentAt()).isEqualTo(allMs(30, 70, 224));
        assertThat(world.report().retryDelays()).isEqualTo(allMs(20, 40));
        world.assertClean();
    }

    @Test
    @DisplayName("T5 a timer that stays armed for an instant now past is moved, and a call never sleeps without one")
    void aCallThatSleepsIsArmed() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();
        world.call(GET);

        for (int i = 0; i < 100; i++) {
            assertThat(world.time.armedTimers()).isEqualTo(1);
            world.time.wakeAll();
            world.time.advance(ms(1));
        }

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.time.armedTimers()).isZero();
        world.assertClean();
    }
}
