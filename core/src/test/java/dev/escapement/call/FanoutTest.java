package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W1, W2: many calls, few at a time, and in order. */
class FanoutTest {

    private static List<Integer> numbers(int size) {
        return IntStream.range(0, size).boxed().toList();
    }

    @ParameterizedTest(name = "W1 W2 window {0}, home {1}")
    @DisplayName(
            "W1 W2 never more calls alive than the window has, all of it used, and results in the order of the input")
    @CsvSource({"1, ANYWHERE", "3, ANYWHERE", "3, LOOP", "7, WHEEL", "50, ANYWHERE", "64, LOOP"})
    void noMoreAliveThanTheWindow(int window, VirtualTime.Home home) {
        World world = new World(new VirtualTime(0, home)).permits(1_000, 0);
        Random latencies = new Random(window);
        for (int i = 0; i < 50; i++) {
            NumberedCalls.answer(world.transport.on(i + 1).writeAll().pause(ms(1 + latencies.nextInt(9))));
        }
        int[] peak = new int[1];
        world.time
                .callOuts()
                .afterEach(CallOut.SEND)
                .run(() -> peak[0] = Math.max(peak[0], world.client().figures().permitsHeld()));

        CompletableFuture<List<Report>> all = world.client().callAll(NumberedCalls.requests(50), window);
        world.time.runUntilIdle();

        assertThat(all).isCompleted();
        assertThat(all.join()).extracting(NumberedCalls::number).isEqualTo(numbers(50));
        assertThat(peak[0]).isEqualTo(Math.min(window, 50));
        world.assertClean();
    }

    @Test
    @DisplayName("W1 the next input is pulled only when a call ends")
    void inputIsPulledWhenACallEnds() {
        World world = new World();
        world.transport.otherwise().hangAfterWrite();
        NumberedCalls input = new NumberedCalls(9);

        CompletableFuture<Void> all = world.client().callAll(input, 3, (index, report) -> {});
        world.time.runReady();
        assertThat(input.pulled()).isEqualTo(3);
        world.transport.attempt(2).answerCleanly(200);
        assertThat(input.pulled()).isEqualTo(4);
        assertThat(all).isNotDone();
        world.time.runUntilIdle();

        assertThat(all).isCompleted();
        world.transport.bodies().held().forEach(body -> body.release());
        world.assertClean();
    }

    @ParameterizedTest(name = "W1 window {0}")
    @DisplayName("W1 behind a slow first call no more than four windows run or wait for their turn")
    @ValueSource(ints = {1, 3, 8})
    void aSlowFirstCallHoldsBackTheRest(int window) {
        World world = new World().permits(100, 0);
        NumberedCalls.answer(world.transport.on(1).writeAll().pause(ms(90)));
        NumberedCalls.answer(world.transport.otherwise());
        NumberedCalls input = new NumberedCalls(100);
        List<Integer> emitted = new ArrayList<>();

        CompletableFuture<Void> all =
                world.client().callAll(input, window, (index, report) -> emitted.add(NumberedCalls.number(report)));
        world.runTo(ms(89));
        assertThat(emitted).isEmpty();
        assertThat(input.pulled()).isEqualTo(window == 1 ? 1 : 4 * window);
        world.time.runUntilIdle();

        assertThat(all).isCompleted();
        assertThat(emitted).isEqualTo(numbers(100));
        world.assertClean();
    }

    @Test
    @DisplayName("W1 an empty input is an empty result, and nothing is started")
    void anEmptyInputStartsNothing() {
        World world = new World();

        assertThat(world.client().callAll(List.of(), 3)).isCompletedWithValue(List.of());
        assertThat(world.client().callAll(Collections.emptyIterator(), 3, (index, report) -> {
                    throw new AssertionError("nothing to hand over");
                }))
                .isCompleted();

        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @ParameterizedTest(name = "W1 window {0}")
    @DisplayName("W1 a window is 1 to its maximum")
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, Client.MAX_WINDOW + 1})
    void aWindowOutOfRangeIsRefused(int window) {
        World world = new World();

        assertThatThrownBy(() -> world.client().callAll(List.of(GET), window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("window = " + window);

        assertThat(world.transport.sends()).isZero();
        assertThat(world.client().callAll(List.of(), Client.MAX_WINDOW)).isCompletedWithValue(List.of());
    }

    @Test
    @DisplayName("W2 the sink is handed each index once, in order, one at a time")
    void theSinkIsHandedOneAtATime() {
        World world = new World();
        world.transport.on(1).writeAll().pause(ms(9)).answer(404);
        world.transport.otherwise().answerAfter(ms(1), 404);
        List<Long> indices = new ArrayList<>();
        int[] inside = new int[1];

        CompletableFuture<Void> all = world.client().callAll(new NumberedCalls(20), 4, (index, report) -> {
            assertThat(inside[0]++).isZero();
            indices.add(index);
            report.release();
            world.time.runReady();
            inside[0]--;
        });
        world.time.runUntilIdle();

        assertThat(all).isCompleted();
        assertThat(indices)
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> (long) i).toList());
        world.assertClean();
    }

    @ParameterizedTest(name = "W1 home {0}")
    @DisplayName("W1 100,000 instant refusals stand on one stack")
    @EnumSource(VirtualTime.Home.class)
    void aHundredThousandRefusalsStandOnOneStack(VirtualTime.Home home) {
        World world = new World(new VirtualTime(0, home)).permits(1, 0).holdPermits();
        List<Integer> depths = new ArrayList<>();

        CompletableFuture<Void> all = world.client().callAll(new NumberedCalls(100_000), 4, (index, report) -> {
            assertThat(report.outcome().kind()).isEqualTo(Outcome.Kind.REJECTED);
            if (index % 10_000 == 5_000) {
                depths.add(Thread.currentThread().getStackTrace().length);
            }
        });
        world.time.runReady();

        assertThat(all).isCompleted();
        assertThat(depths).hasSize(10).containsOnly(depths.get(0));
        world.givePermit();
        world.assertClean();
    }
}
