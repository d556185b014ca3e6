package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.report.Report;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W3: a call that breaks, an input or a sink that throws; the rest runs, and one error tells of all. */
class FanoutFailureTest {

    private static FanoutException failure(CompletableFuture<?> all) {
        assertThat(all).isCompletedExceptionally();
        try {
            all.join();
            throw new AssertionError("completed");
        } catch (CompletionException e) {
            return (FanoutException) e.getCause();
        } catch (FanoutException e) {
            return e;
        }
    }

    @Test
    @DisplayName(
            "W3 a call that breaks is recorded, the rest still runs, and one error carries the good reports in order")
    void aBrokenCallStopsNothing() {
        World world = new World();
        NumberedCalls.answer(world.transport.otherwise().writeAll().pause(ms(1)));
        world.transport.on(2).raise(new IllegalStateException("zulu"));
        world.transport.on(4).raise(new IllegalStateException("alpha"));

        CompletableFuture<List<Report>> all = world.client().callAll(NumberedCalls.requests(7), 2);
        assertThat(all).isNotDone();
        world.time.runUntilIdle();

        FanoutException failure = failure(all);
        assertThat(world.transport.sends()).isEqualTo(7);
        assertThat(failure.messages()).hasSize(2).isSorted();
        assertThat(failure.messages().get(0)).contains("call 1").contains("zulu");
        assertThat(failure.messages().get(1)).contains("call 3").contains("alpha");
        assertThat(failure).hasMessageStartingWith("2 broke");
        assertThat(failure.reports()).extracting(NumberedCalls::number).containsExactly(0, 2, 4, 5, 6);
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @Test
    @DisplayName("W3 messages are bounded; what is beyond is counted")
    void messagesAreBounded() {
        World world = new World();
        world.transport.otherwise().raise(new IllegalStateException("bug"));

        FanoutException failure = failure(world.client().callAll(NumberedCalls.requests(150), 2));

        assertThat(failure.messages()).hasSize(FanoutException.MAX_MESSAGES).isSorted();
        assertThat(failure).hasMessageStartingWith("150 broke");
        world.assertClean();
    }

    @ParameterizedTest(name = "W3 hasNext: {0}, else next")
    @DisplayName("W3 an input that throws ends there; what was started is drained first")
    @ValueSource(booleans = {true, false})
    void aThrowingInputDrainsWhatWasStarted(boolean inHasNext) {
        World world = new World();
        world.transport.otherwise().answerAfter(ms(5), 404);
        Iterator<PlannedCall> input = new Iterator<>() {
            private int pulled;

            @Override
            public boolean hasNext() {
                if (inHasNext && pulled == 2) {
                    throw new IllegalStateException("torn");
                }
                return true;
            }

            @Override
            public PlannedCall next() {
                if (pulled == 2) {
                    throw new IllegalStateException("torn");
                }
                return new PlannedCall(NumberedCalls.request(pulled++), CallOptions.none());
            }
        };
        List<Long> handed = new ArrayList<>();

        CompletableFuture<Void> all = world.client().callAll(input, 5, (index, report) -> {
            handed.add(index);
            report.release();
        });
        world.time.runReady();
        assertThat(all).isNotDone();
        world.time.runUntilIdle();

        assertThat(failure(all).messages())
                .singleElement()
                .asString()
                .contains("input at 2")
                .contains("torn");
        assertThat(handed).containsExactly(0L, 1L);
        world.assertClean();
    }

    @Test
    @DisplayName("W3 a sink that throws is recorded, and every input is called and handed over all the same")
    void aThrowingSinkStopsNothing() {
        World world = new World();
        world.transport.otherwise().answer(404);
        List<Long> handed = new ArrayList<>();

        CompletableFuture<Void> all = world.client().callAll(new NumberedCalls(9), 2, (index, report) -> {
            handed.add(index);
            report.release();
            if (index == 4) {
                throw new StackOverflowError();
            }
        });

        assertThat(failure(all).messages()).singleElement().asString().contains("sink at 4");
        assertThat(handed).hasSize(9);
        world.assertClean();
    }

    @Test
    @DisplayName("W3 a call that cannot even be made is recorded as broken, and leaves no gap")
    void anImpossibleCallIsRecorded() {
        World world = new World();
        world.transport.otherwise().answer(404);
        CallOptions keyed = CallOptions.none().withIdempotencyKey("k");
        List<PlannedCall> calls = new ArrayList<>(Collections.nCopies(5, new PlannedCall(GET, keyed)));
        calls.set(1, new PlannedCall(GET.with("Idempotency-Key", "\"other\""), keyed));
        calls.set(3, null);
        List<Long> handed = new ArrayList<>();

        CompletableFuture<Void> all = world.client().callAll(calls.iterator(), 2, (index, report) -> {
            handed.add(index);
            report.release();
        });

        assertThat(failure(all).messages()).hasSize(2);
        assertThat(handed).containsExactly(0L, 2L, 4L);
        world.assertClean();
    }
}
