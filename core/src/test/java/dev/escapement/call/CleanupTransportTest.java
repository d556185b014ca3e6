package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.transport.ConnectionFate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** E8: the rows of the cleanup matrix of {@code CallMachine} that come from the transport: connection and response. */
class CleanupTransportTest extends CleanupScene {

    @Nested
    @DisplayName("E8 connection")
    class Connection {

        private SimulatedAttempt attempt() {
            return world.transport.attempt(1);
        }

        @Test
        @DisplayName("E8 connection, success: the transport's own rule, and never abandoned")
        void success() {
            world.transport.on(1).answerAfter(ms(5), 200);

            world.call(GET);
            world.time.runUntilIdle();

            assertThat(attempt().abandonedAt()).isEmpty();
            assertThat(attempt().fate()).contains(ConnectionFate.REUSED);
        }

        @Test
        @DisplayName("E8 connection, attempt timeout: abandoned at once")
        void attemptTimeout() {
            withAttemptTimeout(PermitScope.CALL);
            world.transport.on(1).hangAfterWrite();
            world.transport.on(2).answer(200);

            world.call(GET);
            world.time.runUntilIdle();

            assertThat(attempt().abandonedAt()).contains(ms(50));
            assertThat(attempt().fate()).contains(ConnectionFate.POISONED);
        }

        @ParameterizedTest(name = "E8 connection, {0}: abandoned")
        @DisplayName("E8 connection, deadline, cancel, close: abandoned at once")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            world.transport.on(1).hangAfterWrite();

            end(ending, world.call(GET));

            assertThat(attempt().abandonedAt()).contains(world.time.elapsed());
        }

        @Test
        @DisplayName("E8 connection, send throws: the transport's own, and not abandoned")
        void sendThrows() {
            world.transport.on(1).connect().raise(new IllegalStateException("bug"));

            world.call(GET);

            assertThat(attempt().abandonedAt()).isEmpty();
        }
    }

    @Nested
    @DisplayName("E8 response")
    class Answer {

        private int bodies() {
            return world.transport.bodies().held().size();
        }

        @Test
        @DisplayName("E8 response, success: delivered, and the caller's to release")
        void success() {
            world.transport.on(1).answer(200);

            world.call(GET);

            assertThat(bodies()).isEqualTo(1);
            world.report().release();
            assertThat(bodies()).isZero();
        }

        @ParameterizedTest(name = "E8 response, late at {0}: released in the same look")
        @DisplayName("E8 response, seen too late at deadline, cancel, close: released in the same look")
        @EnumSource(Ending.class)
        void lateAtTheEnd(Ending ending) {
            world.transport.on(1).hangAfterWrite();
            Call call = world.call(GET);

            world.atOneLook(() -> {
                world.transport.attempt(1).answerCleanly(200);
                switch (ending) {
                    case DEADLINE -> world.stallTo(ms(100));
                    case CANCEL -> call.cancel();
                    case CLOSE -> ((CallMachine) call).raiseElsewhere(Signals.CLOSED);
                }
            });

            assertThat(world.kind()).isNotEqualTo(Outcome.Kind.RESPONSE);
            assertThat(bodies()).isZero();
            assertThat(world.client().figures().lateResults()).isEqualTo(1);
        }

        @Test
        @DisplayName("E8 response, seen too late at the attempt's timeout: released in the same look")
        void lateAtTheAttemptTimeout() {
            withAttemptTimeout(PermitScope.CALL);
            world.transport.otherwise().hangAfterWrite();
            world.call(GET);

            world.atOneLook(() -> {
                world.transport.attempt(1).answerCleanly(200);
                world.stallTo(ms(50));
            });

            assertThat(bodies()).isZero();
            assertThat(world.client().figures().lateResults()).isEqualTo(1);
        }

        @Test
        @DisplayName("E8 response, send throws after it: released in the same look")
        void sendThrows() {
            world.transport.on(1).clean().answer(200).act(attempt -> {
                throw new IllegalStateException("bug");
            });

            world.call(GET);

            assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
            assertThat(bodies()).isZero();
        }
    }
}
