package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static dev.escapement.call.World.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A5: a result that is set inside {@code send}, by a thread that comes to raise its bit only later.
 *
 * <p>Between the two there is no door at which a test could stand, so this one sets the lane's result itself, as that
 * thread does, and raises the bit when it likes.
 */
class UnraisedResultTest {

    private static final VarHandle RESULT = resultOfALane();

    private static VarHandle resultOfALane() {
        try {
            return MethodHandles.privateLookupIn(Lane.class, MethodHandles.lookup())
                    .findVarHandle(Lane.class, "result", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private World world;

    /** A call whose attempt has its response when {@code send} returns, and whose bit is still to come. */
    private CallMachine answeredUnheard(Home home, Duration overall) {
        world = new World(new VirtualTime(11, home)).policy(overall, p -> p.maxRetries(0));
        world.transport
                .on(1)
                .writeAll()
                .beginReply()
                .act(attempt -> settle(attempt, 200))
                .hang();
        return (CallMachine) world.call(GET);
    }

    private void settle(SimulatedAttempt attempt, int status) {
        Response response =
                Response.of(status, Headers.empty(), world.transport.bodies().make("on time"));
        assertThat(RESULT.compareAndSet((Lane) attempt.exchange(), null, response))
                .isTrue();
    }

    private void raise(CallMachine call) {
        world.time.outOfContext(() -> call.raise(Signals.COMPLETED));
        world.time.runReady();
    }

    private void cleanUp() {
        world.transport.attempt(1).clean();
        world.assertClean();
    }

    @ParameterizedTest(name = "A5 home {0}")
    @DisplayName("A5 the call sleeps until the bit comes, and ends with that response then")
    @EnumSource(Home.class)
    void theBitEndsTheCall(Home home) {
        CallMachine call = answeredUnheard(home, ms(1_000));

        world.runTo(ms(40));
        assertThat(world.reports).isEmpty();
        assertThat(world.time.armedTimers()).isOne();
        raise(call);
        // A4: the send was quick, however late its result is heard of.
        assertThat(world.client().figures().slowSends()).isZero();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.endedAt()).isEqualTo(ms(40));
        cleanUp();
    }

    @ParameterizedTest(name = "T5 home {0}")
    @DisplayName("T5 a wake-up before the bit finds the response, and the bit nothing more")
    @EnumSource(Home.class)
    void anyWakeUpFindsIt(Home home) {
        CallMachine call = answeredUnheard(home, ms(1_000));

        world.runTo(ms(40));
        world.time.wakeAll();
        world.time.runReady();
        raise(call);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.endedAt()).isEqualTo(ms(40));
        cleanUp();
    }

    @ParameterizedTest(name = "A2 home {0}")
    @DisplayName("A2 the timer is armed for the attempt's deadline, at which the response has lost")
    @EnumSource(Home.class)
    void theAttemptsDeadlineWakes(Home home) {
        CallMachine call = answeredUnheard(home, ms(1_000));

        world.runTo(ms(100).minus(ns(1)));
        assertThat(world.reports).isEmpty();
        world.runTo(ms(100));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.endedAt()).isEqualTo(ms(100));
        raise(call);

        cleanUp();
    }

    @ParameterizedTest(name = "A2 home {0}")
    @DisplayName("A2 the timer is armed for the overall deadline where that is earlier")
    @EnumSource(Home.class)
    void theOverallDeadlineWakes(Home home) {
        CallMachine call = answeredUnheard(home, ms(60));

        world.runTo(ms(60).minus(ns(1)));
        assertThat(world.reports).isEmpty();
        world.runTo(ms(60));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(60));
        raise(call);

        cleanUp();
    }
}
