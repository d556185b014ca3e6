package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.CallOuts;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.report.Outcome;
import dev.escapement.report.Outcome.Rejected.Reason;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S1, T7: a call that meets a closed client or a closed executor, at whatever place, ends itself and frees everything. */
class ClosedHomeTest {

    /** A call that is reset, waits, and then hangs until its deadline: it sleeps in backoff and in flight. */
    private static World world(Home home) {
        World world = new World(new VirtualTime(3, home)).policy(p -> p.attemptTimeout(ms(500)));
        world.transport.on(1).failAfter(ms(5), Kind.RESET);
        world.transport.on(2).hangAfterWrite();
        world.client();
        world.time.callOuts().recordTrace();
        return world;
    }

    private static void play(World world) {
        world.entered(GET).start();
        world.time.runUntilIdle();
    }

    /** Does something at each call-out of the scene, each time in a world of its own, and checks what is left of it. */
    private static void atEachCallOut(Home home, Consumer<World> deed, Consumer<World> check) {
        World undisturbed = world(home);
        play(undisturbed);
        assertThat(undisturbed.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        List<CallOuts.Step> trace = undisturbed.time.callOuts().trace();
        for (CallOuts.Step step : trace) {
            for (boolean before : new boolean[] {true, false}) {
                World world = world(home);
                CallOuts callOuts = world.time.callOuts();
                (before ? callOuts.before(step) : callOuts.after(step)).run(() -> deed.accept(world));
                try {
                    play(world);
                    check.accept(world);
                } catch (AssertionError | RuntimeException failed) {
                    throw new AssertionError((before ? "before " : "after ") + step + " on " + home, failed);
                }
            }
        }
    }

    private static void assertEndedAndFree(World world) {
        assertThat(world.kind())
                .isIn(Set.of(Outcome.Kind.REJECTED, Outcome.Kind.CANCELLED, Outcome.Kind.ATTEMPT_TIMEOUT));
        ClientFigures figures = world.client().figures();
        assertThat(figures.permitsHeld() + figures.waiting() + figures.asleep()).isZero();
        assertThat(world.transport.bodies().held()).isEmpty();
        world.transport.assertClean();
        assertThat(world.time.uncaught()).isEmpty();
    }

    @ParameterizedTest(name = "S1 home {0}")
    @DisplayName("S1 a client that closes while its call goes to sleep, or at any other place, still ends it")
    @EnumSource(Home.class)
    void closingTheClientAtEachCallOut(Home home) {
        List<CompletableFuture<Void>> closings = new ArrayList<>();
        List<Duration> closedAt = new ArrayList<>();

        atEachCallOut(
                home,
                world -> {
                    closedAt.add(world.time.elapsed());
                    closings.add(world.client().close(ms(0)));
                },
                world -> {
                    assertEndedAndFree(world);
                    assertThat(world.endedAt()).isEqualTo(closedAt.get(closedAt.size() - 1));
                    assertThat(closings.get(closings.size() - 1)).isCompleted();
                    world.assertClean();
                });
    }

    @ParameterizedTest(name = "S1 T7 home {0}")
    @DisplayName(
            "S1 T7 a scheduler that closes at any place wakes nobody any more: the call ends itself and frees everything")
    @EnumSource(Home.class)
    void closingTheSchedulerAtEachCallOut(Home home) {
        atEachCallOut(home, world -> world.time.close(), ClosedHomeTest::assertEndedAndFree);
    }

    @ParameterizedTest(name = "S1 home {0}")
    @DisplayName("S1 an executor that refuses tasks from any place on: the call ends itself and frees everything")
    @EnumSource(Home.class)
    void refusingTasksFromEachCallOut(Home home) {
        atEachCallOut(home, world -> world.time.refuseTasks(), ClosedHomeTest::assertEndedAndFree);
    }

    @Test
    @DisplayName("S1 a call that finds its scheduler closed when it goes to sleep is cancelled: shutting down")
    void aClosedSchedulerCancelsTheCall() {
        World world = world(Home.ANYWHERE);
        world.time.close();

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.report().suppressed()).contains(Suppressed.SHUTTING_DOWN);
        assertThat(world.time.callOuts().count(CallOut.ARM)).isEqualTo(1);
        assertEndedAndFree(world);
    }

    @Test
    @DisplayName("S1 T2 where nothing can be waited for, what is not clean is let go by force at once, reserve or not")
    void nothingIsWaitedForOnAClosedScheduler() {
        World world = new World().policy(p -> p.cleanupReserve(ms(50)));
        world.transport.on(1).hangAfterWrite().ignoreAbandonment();
        world.time.close();

        world.call(GET);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.client().figures().permitsHeld()).isZero();
        assertThat(world.client().figures().asleep()).isZero();
        assertThat(world.client().figures().forcedCleanups()).isEqualTo(1);
    }

    @Test
    @DisplayName("S1 a call whose executor refuses it at the start is rejected: shutting down, without an attempt")
    void aRefusingExecutorRejectsTheCall() {
        World world = world(Home.LOOP);
        world.time.refuseTasks();

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Rejected(Reason.SHUTTING_DOWN));
        assertThat(world.report().suppressed()).isEmpty();
        assertThat(world.transport.sends()).isZero();
        assertEndedAndFree(world);
    }

    @Test
    @DisplayName("S1 L4 a waiter that is granted a permit and finds its executor closed gives it back to the next")
    void aGrantThatMeetsARefusalServesTheNext() {
        World world = new World(new VirtualTime(3, Home.LOOP)).permits(1, 10).holdPermits();
        world.transport.otherwise().answer(200);
        world.call(GET);
        world.call(GET);

        world.time.refuseTasks();
        world.client().permits().release();

        assertThat(world.reports).extracting(report -> report.outcome().kind()).containsOnly(Outcome.Kind.REJECTED);
        assertThat(world.client().figures().permitsHeld()).isZero();
        assertThat(world.client().figures().waiting()).isZero();
    }

    @Test
    @DisplayName("S1 a grace on a scheduler that is closed is over at once")
    void aGraceOnAClosedSchedulerIsOver() {
        World world = new World(new VirtualTime(3, Home.LOOP));
        world.transport.on(1).hangAfterWrite();
        world.call(GET);
        world.time.refuseTasks();

        CompletableFuture<Void> closed = world.client().close(ms(500));

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.time.elapsed()).isEqualTo(ms(0));
        assertThat(closed).isCompleted();
        assertEndedAndFree(world);
    }
}
