package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.CallOut;
import dev.escapement.guard.BreakerState;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * E8: the rows of the cleanup matrix that the guards see: reservation, trial place, place in the table of endpoints. However a
 * call ends, guards keep nothing of it.
 */
class CleanupGuardsTest extends CleanupScene {

    private static final Endpoint SERVER = Endpoint.of(GET.uri());

    // ---- Reservation. BudgetedCallTest has its endings in a backoff and in the queue.

    @Nested
    @DisplayName("E8 reservation")
    class Reservation {

        private void budgeted() {
            withAttemptTimeout(PermitScope.CALL);
            world.policy(
                    ms(1_000), p -> p.attemptTimeout(ms(50)).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))));
            world.transport.on(1).answer(503);
        }

        private void assertUsed() {
            assertThat(world.report().attempts()).isEqualTo(2);
            assertThat(world.client().budgetFigures().reserved()).isEqualTo(1);
        }

        @Test
        @DisplayName("E8 G1 reservation, success: used")
        void success() {
            budgeted();
            world.transport.on(2).answer(200);

            world.call(GET);
            world.time.runUntilIdle();

            assertUsed();
        }

        @Test
        @DisplayName("E8 G1 reservation, attempt timeout: used")
        void attemptTimeout() {
            budgeted();
            world.transport.on(2).hangAfterWrite();

            world.call(GET);
            world.time.runUntilIdle();

            assertUsed();
        }

        @Test
        @DisplayName("E8 G1 reservation, the retry's own send throws: used, since the retry had started")
        void sendThrows() {
            budgeted();
            world.transport.on(2).raise(new IllegalStateException("bug"));

            world.call(GET);
            world.time.runUntilIdle();

            assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
            assertUsed();
        }

        @ParameterizedTest(name = "E8 reservation, {0} while the retry runs: used")
        @DisplayName("E8 G1 reservation, deadline, cancel, close while the retry runs: used")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            world.policy(
                    ms(100), p -> p.attemptTimeout(ms(40)).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))));
            world.transport.on(1).answer(503);
            world.transport.on(2).hangAfterWrite();
            Call call = world.call(GET);
            world.runTo(ms(20));

            end(ending, call);

            assertUsed();
        }

        @Test
        @DisplayName("E8 G1 reservation, the clock throws in the backoff: given back")
        void clockThrows() {
            budgeted();
            world.call(GET);
            assertThat(world.client().budgetFigures().reserved()).isEqualTo(1);

            world.time
                    .callOuts()
                    .before(CallOut.CLOCK_READ, world.time.callOuts().count(CallOut.CLOCK_READ) + 1)
                    .raise(new IllegalStateException("bug"));
            world.time.runUntilIdle();

            assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
            assertThat(world.report().attempts()).isEqualTo(1);
            assertThat(world.client().budgetFigures().reserved()).isZero();
        }
    }

    // ---- Trial place

    /** How a trial can end, and what its breaker is then. */
    enum TrialEnding {
        SUCCESS(BreakerState.CLOSED),
        FAILURE(BreakerState.OPEN),
        ATTEMPT_TIMEOUT(BreakerState.OPEN),
        /** The lease is the call's: over with its deadline, it says nothing. */
        DEADLINE(BreakerState.HALF_OPEN),
        CANCEL(BreakerState.HALF_OPEN),
        CLOSE(BreakerState.HALF_OPEN),
        SEND_THROWS(BreakerState.HALF_OPEN),
        SEND_THROWS_AFTER_ITS_ANSWER(BreakerState.HALF_OPEN),
        SEND_THROWS_ONCE_SENT(BreakerState.HALF_OPEN),
        NO_RESPONSE_REPORTED(BreakerState.HALF_OPEN),
        CLOSED_LOCALLY(BreakerState.HALF_OPEN),
        CLOCK_THROWS_AFTER_THE_SEND(BreakerState.HALF_OPEN),
        ABANDON_THROWS(BreakerState.HALF_OPEN),
        HOME_REFUSES(BreakerState.HALF_OPEN);

        final BreakerState after;

        TrialEnding(BreakerState after) {
            this.after = after;
        }

        AttemptScript script(AttemptScript script) {
            return switch (this) {
                case SUCCESS -> script.answerAfter(ms(10), 200);
                case FAILURE -> script.answerAfter(ms(10), 503);
                case SEND_THROWS -> script.connect().raise(new IllegalStateException("bug"));
                case SEND_THROWS_AFTER_ITS_ANSWER ->
                    script.clean().answer(503).act(attempt -> {
                        throw new IllegalStateException("bug");
                    });
                case NO_RESPONSE_REPORTED ->
                    script.act(attempt -> attempt.exchange().succeed(null));
                case CLOSED_LOCALLY -> script.fail(Kind.CLOSED_LOCALLY);
                case ATTEMPT_TIMEOUT,
                        DEADLINE,
                        CANCEL,
                        CLOSE,
                        SEND_THROWS_ONCE_SENT,
                        CLOCK_THROWS_AFTER_THE_SEND,
                        ABANDON_THROWS,
                        HOME_REFUSES -> script.hangAfterWrite();
            };
        }
    }

    @Nested
    @DisplayName("E8 trial place")
    class TrialPlace {

        private final Duration openPeriod = ms(200);

        /** The first call opens the breaker, and the open period is over. */
        private void opened() {
            world.policy(ms(1_000), p -> p.attemptTimeout(ms(60)).maxRetries(0).cleanupReserve(ms(0)))
                    .breaker(1, openPeriod);
            world.transport.on(1).answer(503);
            world.call(GET);
            world.runTo(openPeriod);
        }

        private Call trial(CallOptions options) {
            Call trial = world.call(GET, options);
            assertThat(world.transport.sends()).isEqualTo(2);
            return trial;
        }

        private void play(TrialEnding ending) {
            switch (ending) {
                case SUCCESS, FAILURE, ATTEMPT_TIMEOUT -> trial(CallOptions.none());
                case DEADLINE -> trial(CallOptions.none().withDeadlineNanos(world.time.now() + ms(60).toNanos()));
                case CANCEL -> trial(CallOptions.none()).cancel();
                case CLOSE -> {
                    trial(CallOptions.none());
                    assertThat(world.client().close(ms(0))).isNotCompletedExceptionally();
                }
                case SEND_THROWS, SEND_THROWS_AFTER_ITS_ANSWER, NO_RESPONSE_REPORTED, CLOSED_LOCALLY ->
                    trial(CallOptions.none());
                case SEND_THROWS_ONCE_SENT -> {
                    world.time.callOuts().after(CallOut.SEND, 2).raise(new IllegalStateException("bug"));
                    trial(CallOptions.none());
                    world.transport.attempt(2).clean();
                }
                case CLOCK_THROWS_AFTER_THE_SEND -> {
                    // One reading at entry, one after the send.
                    world.time
                            .callOuts()
                            .before(CallOut.CLOCK_READ, world.time.callOuts().count(CallOut.CLOCK_READ) + 2)
                            .raise(new IllegalStateException("bug"));
                    trial(CallOptions.none());
                }
                case ABANDON_THROWS -> {
                    world.time.callOuts().before(CallOut.ABANDON, 1).raise(new IllegalStateException("bug"));
                    trial(CallOptions.none()).cancel();
                    world.transport.attempt(2).clean();
                }
                case HOME_REFUSES -> {
                    world.time.refuseTasks();
                    Call trial = trial(CallOptions.none());
                    world.time.outOfContext(() -> ((CallMachine) trial).raiseElsewhere(Signals.WOKEN));
                    world.time.acceptTasks();
                }
            }
            world.time.advance(ms(60));
        }

        @ParameterizedTest(name = "E8 trial place, {0}")
        @DisplayName("E8 G2 trial place: given back however the trial ends, and the next call meets what that says")
        @EnumSource(TrialEnding.class)
        void givenBack(TrialEnding ending) {
            opened();
            ending.script(world.transport.on(2));
            world.transport.otherwise().answer(200);

            play(ending);

            assertThat(world.reports).hasSize(2);
            assertThat(world.breaker().trialsRunning()).isZero();
            assertThat(world.breaker().state()).isEqualTo(ending.after);
            assertThat(held()).isZero();
            if (ending != TrialEnding.CLOSE) {
                world.call(GET);
                assertThat(world.transport.sends()).isEqualTo(ending.after == BreakerState.OPEN ? 2 : 3);
                assertThat(world.breaker().state())
                        .isEqualTo(ending.after == BreakerState.OPEN ? BreakerState.OPEN : BreakerState.CLOSED);
            }
        }

        @Test
        @DisplayName("E8 G2 trial place: while one has it, others are turned away as they enter")
        void onePlace() {
            opened();
            world.transport.on(2).answerAfter(ms(10), 200);
            world.permits(1, 0);
            trial(CallOptions.none());

            world.call(GET);

            assertThat(world.lastReport().outcome())
                    .isEqualTo(new Outcome.Rejected(Outcome.Rejected.Reason.BREAKER_OPEN));
            assertThat(world.breaker().state()).isEqualTo(BreakerState.HALF_OPEN);
        }

        @ParameterizedTest(name = "A6 {0} ns from the end of the lease")
        @DisplayName(
                "E8 G2 A6 trial place: free at the trial's deadline though nobody has looked, and the late look harms nobody")
        @ValueSource(longs = {-1, 0, 1})
        void theLeaseEndsWithTheDeadline(long edge) {
            opened();
            world.transport.on(2).hangAfterWrite();
            world.transport.on(3).hangAfterWrite();
            trial(CallOptions.none().withDeadlineNanos(world.time.now() + ms(60).toNanos()));
            world.stallTo(openPeriod.plusMillis(60).plusNanos(edge));

            world.call(GET);

            assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 2 : 3);
            assertThat(world.breaker().trialsRunning()).isEqualTo(1);
            assertThat(world.breaker().state()).isEqualTo(BreakerState.HALF_OPEN);
            if (edge >= 0) {
                assertThat(world.breaker().stale()).isEqualTo(1);
                world.transport.attempt(3).answerCleanly(200);
                assertThat(world.breaker().state()).isEqualTo(BreakerState.CLOSED);
            }
        }

        @Test
        @DisplayName("E8 G2 trial place: a retry that is a trial gives it back as well")
        void ofARetry() {
            world.policy(ms(1_000), p -> p.attemptTimeout(ms(60)).initialBackoff(openPeriod))
                    .breaker(1, openPeriod);
            world.transport.on(1).answer(503);
            world.transport.on(2).hangAfterWrite();
            Call call = world.call(GET);
            world.runTo(openPeriod);
            assertThat(world.breaker().trialsRunning()).isEqualTo(1);

            call.cancel();

            assertThat(world.breaker().trialsRunning()).isZero();
            assertThat(world.breaker().state()).isEqualTo(BreakerState.HALF_OPEN);
        }
    }

    // ---- Place in the table

    @Nested
    @DisplayName("E8 place in table")
    class PlaceInTable {

        private void picked() {
            world.breaker(100, ms(100))
                    .client(builder -> builder.endpoints((request, ordinal, view) -> Optional.of(SERVER)));
        }

        private int inFlight() {
            return world.client().endpointFigures().get(0).inFlight();
        }

        @Test
        @DisplayName("E8 place in table, success: until clean")
        void success() {
            picked();
            world.transport.on(1).answer(200).pause(ms(10)).clean();

            world.call(GET);

            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            assertThat(inFlight()).isEqualTo(1);
            world.runTo(ms(10));
            assertThat(inFlight()).isZero();
        }

        @Test
        @DisplayName("E8 place in table, attempt timeout: until clean, whatever the call does meanwhile")
        void attemptTimeout() {
            picked();
            withAttemptTimeout(PermitScope.CALL);
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(15));
            world.transport.on(2).answerAfter(ms(20), 200);

            world.call(GET);
            world.runTo(ms(60));
            assertThat(inFlight()).isEqualTo(2);
            world.runTo(ms(65));
            assertThat(inFlight()).isEqualTo(1);
            world.runTo(ms(80));

            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            assertThat(inFlight()).isZero();
        }

        @ParameterizedTest(name = "E8 place in table, {0}: until clean")
        @DisplayName("E8 place in table, deadline, cancel, close: until clean")
        @EnumSource(Ending.class)
        void endedFromOutside(Ending ending) {
            picked();
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(10));

            end(ending, world.call(GET));

            assertThat(inFlight()).isEqualTo(1);
            world.time.advance(ms(10));
            assertThat(inFlight()).isZero();
        }

        @Test
        @DisplayName("E8 place in table, never clean: by force when the reserve is over")
        void byForce() {
            picked();
            world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(RESERVE_MILLIS + 10));

            world.call(GET).cancel();
            world.time.advance(ms(RESERVE_MILLIS).minusNanos(1));
            assertThat(inFlight()).isEqualTo(1);
            world.time.advance(World.ns(1));

            assertThat(inFlight()).isZero();
            world.time.runUntilIdle();
            assertThat(inFlight()).isZero();
        }

        @Test
        @DisplayName("E8 place in table, send throws: left at once")
        void sendThrows() {
            picked();
            world.transport.on(1).connect().raise(new IllegalStateException("bug"));

            world.call(GET);

            assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
            assertThat(inFlight()).isZero();
        }
    }
}
