package dev.escapement.call;

import static dev.escapement.call.World.ms;
import static dev.escapement.fixtures.SimulatedTransport.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.CallOuts;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Method;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.transport.TransportFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A5: any Throwable out of any call-out, before or after it took effect: the call ends with one report, its word goes
 * idle, nothing is kept. And any signal at any call-out: one outcome, the contract's.
 *
 * <p>Each scene is played once to see which call-outs it makes, then anew for every one of them.
 */
class CallOutFailureTest {

    /** Virtual milliseconds after which every scene has settled, whatever was planted. */
    private static final int LONGEST_SCENE = 3_000;

    /** Calls, transport and time in some constellation. */
    private enum Scene {
        COMPLETES_INLINE {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.initialBackoff(ms(0)).maxRetries(2);
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1"), 1).answer(503);
                stage.transport.on(path("/1"), 2).fail(TransportFailure.Kind.REFUSED);
                stage.transport.on(path("/1"), 3).answer(200);
                stage.transport
                        .on(path("/2"))
                        .connectReused()
                        .writeNothing()
                        .connect()
                        .answer(200);
                stage.call();
                stage.call();
            }
        },
        RETRIES {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.jitter(Jitter.FULL).maxRetries(2);
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1"), 1).answerAfter(ms(5), 503).fromOutside();
                stage.transport.on(path("/1"), 2).write(17).pause(ms(2)).fail(TransportFailure.Kind.RESET);
                stage.transport.on(path("/1"), 3).answerAfter(ms(5), 200).fromOutside();
                stage.call();
            }
        },
        TIMES_OUT {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.cleanupReserve(ms(8));
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1"), 1).hangAfterWrite().cleanAfterAbandonment(ms(3));
                stage.transport.on(path("/1"), 2).answerAfter(ms(5), 200);
                stage.transport.on(path("/2")).answerAfter(ms(130), 200).ignoreAbandonment();
                stage.call();
                stage.call();
            }
        },
        ENDS_AT_DEADLINE_BY_FORCE {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.attemptFit(AttemptFit.CLIPPED).cleanupReserve(ms(850));
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1"), 1).answerAfter(ms(7), 503);
                stage.transport.on(path("/1"), 2).hangAfterWrite().ignoreAbandonment();
                stage.transport.on(path("/2")).answerAfter(ms(160), 200).ignoreAbandonment();
                stage.call();
                stage.call();
            }
        },
        QUEUES {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.maxQueueWait(ms(30));
            }

            @Override
            int concurrency() {
                return 1;
            }

            @Override
            void play(Stage stage) {
                stage.transport.otherwise().answerAfter(ms(20), 200);
                for (int i = 0; i < 4; i++) {
                    stage.call();
                }
            }
        },
        DEADLINE_FROM_PERMIT {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.deadlineOrigin(DeadlineOrigin.PERMIT);
            }

            @Override
            int concurrency() {
                return 1;
            }

            @Override
            void play(Stage stage) {
                stage.transport.otherwise().answerAfter(ms(20), 200);
                stage.call();
                stage.call();
                stage.call(Method.POST, CallOptions.none().withDeadlineNanos(stage.time.instant(ms(30))));
            }
        },
        IS_CANCELLED {
            @Override
            int concurrency() {
                return 2;
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1")).hangAfterWrite();
                stage.transport.on(path("/2"), 1).answer(503);
                Stage.Watched inFlight = stage.call();
                Stage.Watched inBackoff = stage.call();
                Stage.Watched queued = stage.call();
                stage.time.after(ms(5), queued::cancel);
                stage.time.after(ms(6), inBackoff::cancel);
                stage.time.after(ms(7), inFlight::cancel);
            }
        },
        IS_CLOSED {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.cleanupReserve(ms(8));
            }

            @Override
            int concurrency() {
                return 1;
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1")).hangAfterWrite().cleanAfterAbandonment(ms(3));
                stage.call();
                stage.call();
                stage.time.after(ms(5), () -> stage.close(ms(10)));
                stage.time.after(ms(6), stage::call);
                stage.time.after(ms(16), () -> stage.close(ms(0)));
            }
        },
        HAS_PERMITS_PER_ATTEMPT {
            @Override
            PolicyBuilder with(PolicyBuilder policy) {
                return policy.permitScope(PermitScope.ATTEMPT).maxRetries(2).cleanupReserve(ms(8));
            }

            @Override
            int concurrency() {
                return 1;
            }

            @Override
            void play(Stage stage) {
                stage.transport.on(path("/1"), 1).answer(503).pause(ms(4)).clean();
                stage.transport.on(path("/1"), 2).hangAfterWrite().cleanAfterAbandonment(ms(40));
                stage.transport.otherwise().answerAfter(ms(20), 200);
                stage.call();
                stage.call();
            }
        };

        abstract void play(Stage stage);

        PolicyBuilder with(PolicyBuilder policy) {
            return policy;
        }

        int concurrency() {
            return 3;
        }
    }

    static List<Arguments> everyScene() {
        List<Arguments> all = new ArrayList<>();
        for (VirtualTime.Home home : VirtualTime.Home.values()) {
            for (Scene scene : Scene.values()) {
                all.add(Arguments.of(home, scene));
            }
        }
        return all;
    }

    private static Stage stage(VirtualTime.Home home, Scene scene) {
        VirtualTime time = new VirtualTime(1_000_000, home);
        Stage stage = new Stage(time, World.plain(scene::with), scene.concurrency(), 2, 7);
        stage.transport.otherwise().answer(200);
        return stage;
    }

    /** The call-outs that the scene makes when nothing is planted. */
    private static List<CallOuts.Step> rehearse(VirtualTime.Home home, Scene scene) {
        Stage stage = stage(home, scene);
        stage.time.callOuts().recordTrace();
        scene.play(stage);
        settle(stage);
        stage.checkEndings();
        stage.calls.forEach(stage::check);
        assertThat(stage.time.armedTimers()).isZero();
        return stage.time.callOuts().trace();
    }

    /** Runs until every call has ended and nothing is held; what was planted may come out of an event on the way. */
    private static void settle(Stage stage) {
        for (int passed = 0;
                passed == 0 || !stage.isSettled() || stage.time.elapsed().compareTo(ms(20)) < 0;
                passed++) {
            if (passed > LONGEST_SCENE) {
                throw new AssertionError("not settled: " + stage.client.figures() + ", "
                        + stage.calls.stream()
                                .map(call -> call.path + " " + call.reports)
                                .toList());
            }
            try {
                stage.time.advance(ms(1));
            } catch (Planted | PlantedError planted) {
                // Out of an event of the fixture's, into the test: as into a transport's own thread.
            } catch (StackOverflowError | OutOfMemoryError planted) {
                assertThat(planted).hasMessage("planted");
            }
        }
    }

    private static final class Planted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class PlantedError extends Error {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyScene")
    @DisplayName("A5 whatever a call-out throws, the call ends once, its word goes idle and nothing is kept")
    void anyThrowableFromAnyCallOut(VirtualTime.Home home, Scene scene) {
        List<Supplier<Throwable>> throwables = List.of(
                Planted::new,
                PlantedError::new,
                () -> new StackOverflowError("planted"),
                () -> new OutOfMemoryError("planted"));

        List<String> failures = new ArrayList<>();
        for (CallOuts.Step step : rehearse(home, scene)) {
            for (Supplier<Throwable> throwable : throwables) {
                for (boolean before : new boolean[] {true, false}) {
                    Throwable planted = throwable.get();
                    try {
                        playWith(home, scene, step, before, planted);
                    } catch (Throwable failure) {
                        failures.add((before ? "before " : "after ") + step + " "
                                + planted.getClass().getSimpleName() + ": " + failure);
                    }
                }
            }
        }

        assertThat(failures).isEmpty();
    }

    private static void playWith(
            VirtualTime.Home home, Scene scene, CallOuts.Step step, boolean before, Throwable planted) {
        Stage stage = stage(home, scene);
        (before ? stage.time.callOuts().before(step) : stage.time.callOuts().after(step)).raise(planted);
        try {
            scene.play(stage);
        } catch (Planted | PlantedError | StackOverflowError | OutOfMemoryError out) {
            // Out of a fixture's call-out into the scene.
            assertThat(out).isSameAs(planted);
        }
        settle(stage);

        stage.checkEndings();
        for (Stage.Watched call : stage.calls) {
            // Only a call that could not even read the clock was not let in.
            assertThat(call.thrown).isIn(null, step.place() == CallOut.CLOCK_READ ? planted : null);
            if (!call.reports.isEmpty()) {
                stage.check(call);
            }
        }
        // A timer may be left where the home did not disarm it, or took no work: it wakes nobody.
        boolean mayLeaveTimer = step.place() == CallOut.EXECUTE || (step.place() == CallOut.DISARM && before);
        assertThat(stage.time.armedTimers()).isLessThanOrEqualTo(mayLeaveTimer ? 1 : 0);

        stage.calls.forEach(call -> call.reports.forEach(report -> report.release()));
        stage.time.runUntilIdle();
        boolean mayLeaveBody = step.place() == CallOut.RELEASE && before;
        assertThat(stage.transport.bodies().held()).hasSizeLessThanOrEqualTo(mayLeaveBody ? 1 : 0);
        assertThat(stage.time.armedTimers() + stage.time.queuedTasks()).isZero();
        assertThat(stage.isSettled()).isTrue();
    }

    /** What another thread, or bad luck, may do at a call-out. */
    private enum Event {
        CANCEL(stage -> stage.calls.get(0).cancel()),
        CANCEL_ALL(stage -> List.copyOf(stage.calls).forEach(Stage.Watched::cancel)),
        CLOSE_AT_ONCE(stage -> stage.close(ms(0))),
        CLOSE_WITH_GRACE(stage -> stage.close(ms(3))),
        CALL(Stage::call),
        COMPLETE_ALL(stage -> stage.transport.attempts().forEach(attempt -> attempt.answerCleanly(200))),
        FAIL_ALL(stage ->
                stage.transport.attempts().forEach(attempt -> attempt.failCleanly(TransportFailure.Kind.RESET))),
        CLEAN_ALL(stage -> stage.transport.attempts().forEach(attempt -> attempt.clean())),
        WAKE_ALL(stage -> stage.time.wakeAll()),
        STALL_A_NANOSECOND(stage -> stage.stall(World.ns(1))),
        STALL_PAST_THE_ATTEMPT(stage -> stage.stall(ms(100))),
        STALL_PAST_THE_CALL(stage -> stage.stall(ms(1_000))),
        REFUSE_TASKS(stage -> {
            stage.homeless = true;
            stage.time.refuseTasks();
        }),
        CLOSE_THE_SCHEDULER(stage -> {
            stage.homeless = true;
            stage.time.close();
        });

        @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
        private final Consumer<Stage> act;

        Event(Consumer<Stage> act) {
            this.act = act;
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyScene")
    @DisplayName("A2, A5, T5 whatever happens inside a call-out, each call has one outcome, the contract's")
    void anyEventAtAnyCallOut(VirtualTime.Home home, Scene scene) {
        List<String> failures = new ArrayList<>();
        for (CallOuts.Step step : rehearse(home, scene)) {
            for (Event event : Event.values()) {
                for (boolean before : new boolean[] {true, false}) {
                    try {
                        playWith(home, scene, step, before, event);
                    } catch (Throwable failure) {
                        failures.add(event + (before ? " before " : " after ") + step + ": " + failure);
                    }
                }
            }
        }

        assertThat(failures).isEmpty();
    }

    private static void playWith(VirtualTime.Home home, Scene scene, CallOuts.Step step, boolean before, Event event) {
        Stage stage = stage(home, scene);
        boolean[] happened = new boolean[1];
        (before ? stage.time.callOuts().before(step) : stage.time.callOuts().after(step)).run(() -> {
            if (!happened[0]) {
                happened[0] = true;
                stage.time.outOfContext(() -> event.act.accept(stage));
            }
        });
        scene.play(stage);
        settle(stage);

        stage.checkEndings();
        stage.calls.forEach(stage::check);
        if (!stage.homeless) {
            assertThat(stage.time.armedTimers()).isZero();
        }

        stage.calls.forEach(call -> call.reports.forEach(report -> report.release()));
        stage.time.runUntilIdle();
        assertThat(stage.transport.bodies().held()).isEmpty();
        stage.time.assertNothingLeft();
        assertThat(stage.isSettled()).isTrue();
    }
}
