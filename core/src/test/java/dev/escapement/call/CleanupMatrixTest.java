package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * E8: the rows of the cleanup matrix of {@code CallMachine} that are the engine's own: permit, place in the queue, timer. A row
 * is a class here and a cell a test; {@link CleanupTransportTest} has the other rows.
 */
class CleanupMatrixTest extends CleanupScene {

    /** One permit for the call, or one for the attempt: but for the retries it outlives, they end alike. */
    @Nested
    @DisplayName("E8 permit")
    class Permit {

        @ParameterizedTest(name = "E8 permit ({0}), success: when clean")
        @DisplayName("E8 permit, success: returned when the attempt is clean")
        @EnumSource(PermitScope.class)
        void success(PermitScope scope) {
            withPermitFor(scope);
            world.transport.on(1).answer(200).pause(ms(10)).clean();

            world.call(GET);

            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            assertThat(held()).isEqualTo(1);
            world.runTo(ms(10));
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("E8 permit (CALL), attempt timeout: kept for the retry, clean or not")
        void attemptTimeoutOfTheCall() {
            withAttemptTimeout(PermitScope.CALL).permits(1, 0);
            world.transport.on(1).hangAfterWrite();
            world.transport.on(2).answerAfter(ms(10), 200);

            world.call(GET);
            world.runTo(ms(55));
            assertThat(held()).isEqualTo(1);
            world.time.runUntilIdle();

            assertThat(world.transport.sends()).isEqualTo(2);
        }

        @Test
        @DisplayName("E8 permit (ATTEMPT), attempt timeout: returned when that attempt is clean")
        void attemptTimeoutOfTheAttempt() {
            withAttemptTimeout(PermitScope.ATTEMPT).permits(1, 1);
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(5));
            world.transport.on(2).answerAfter(ms(10), 200);

            world.call(GET);
            world.runTo(ms(54));
            assertThat(held()).isEqualTo(1);
            world.runTo(ms(55));

            assertThat(held()).isZero();
        }

        @ParameterizedTest(name = "E8 permit, {0}: when clean")
        @DisplayName("E8 permit, deadline, cancel, close: returned when the abandoned attempt is clean")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(10));

            end(ending, world.call(GET));

            assertThat(held()).isEqualTo(1);
            world.time.advance(ms(10));
            assertThat(held()).isZero();
        }

        @ParameterizedTest(name = "E8 permit ({0}), send throws: at once")
        @DisplayName("E8 permit, send throws: returned at once")
        @EnumSource(PermitScope.class)
        void sendThrows(PermitScope scope) {
            withPermitFor(scope);
            world.transport.on(1).raise(new IllegalStateException("bug"));

            world.call(GET);

            assertThat(held()).isZero();
        }
    }

    @Nested
    @DisplayName("E8 place in the queue")
    class PlaceInTheQueue {

        @ParameterizedTest(name = "E8 place in the queue, {0}: withdrawn in the same look")
        @DisplayName("E8 place in the queue, deadline, cancel, close: withdrawn in the same look")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            world.permits(1, 1).holdPermits();
            Call call = world.call(GET);
            assertThat(world.client().figures().waiting()).isEqualTo(1);

            end(ending, call);

            assertThat(world.client().figures().waiting()).isZero();
            assertThat(world.client().figures().asleep()).isZero();
            world.givePermit();
        }
    }

    @Nested
    @DisplayName("E8 timer")
    class TimerOfTheCall {

        @Test
        @DisplayName("E8 timer, success: disarmed when clean")
        void success() {
            world.transport.on(1).answerAfter(ms(5), 200);

            world.call(GET);
            assertThat(world.time.armedTimers()).isEqualTo(1);
            world.runTo(ms(5));

            assertThat(world.time.armedTimers()).isZero();
        }

        @Test
        @DisplayName("E8 timer, attempt timeout: re-armed for what comes next")
        void attemptTimeout() {
            withAttemptTimeout(PermitScope.CALL);
            world.transport.on(1).hangAfterWrite();
            world.transport.on(2).answer(200);

            world.call(GET);
            world.runTo(ms(50));

            assertThat(world.time.armedTimers()).isEqualTo(1);
            world.runTo(ms(60));
            assertThat(world.time.armedTimers()).isZero();
        }

        @ParameterizedTest(name = "E8 timer, {0}: disarmed when clean")
        @DisplayName("E8 timer, deadline, cancel, close: bounds the cleanup, and is disarmed when clean")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(RESERVE_MILLIS - 1));

            end(ending, world.call(GET));

            assertThat(world.time.armedTimers()).isEqualTo(1);
            world.time.advance(ms(RESERVE_MILLIS - 1));
            assertThat(world.time.armedTimers()).isZero();
            assertThat(world.client().figures().forcedCleanups()).isZero();
        }

        @Test
        @DisplayName("E8 timer, send throws: disarmed")
        void sendThrows() {
            world.permits(1, 1).holdPermits();
            world.transport.on(1).raise(new IllegalStateException("bug"));
            world.call(GET);
            assertThat(world.time.armedTimers()).isEqualTo(1);

            world.givePermit();

            assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
            assertThat(world.time.armedTimers()).isZero();
        }
    }
}
