package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.CallOut;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Outcome.Rejected.Reason;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S1: a client that closes refuses, waits, ends the rest, and says when nothing is held any more. */
class CloseTest {

    private static final Outcome REFUSED = new Outcome.Rejected(Reason.SHUTTING_DOWN);

    private final World world = new World().policy(ms(10_000), p -> p.attemptTimeout(ms(5_000)));

    private CompletableFuture<Void> close(long graceMillis) {
        CompletableFuture<Void> closed = world.client().close(ms(graceMillis));
        world.time.runReady();
        return closed;
    }

    @ParameterizedTest(name = "S1 grace {0}")
    @DisplayName("S1 an idle client is closed at once, and arms nothing")
    @ValueSource(longs = {0, 100})
    void anIdleClientClosesAtOnce(long grace) {
        assertThat(close(grace)).isCompleted();
        world.assertClean();
    }

    @Test
    @DisplayName("S1 a new call is rejected, typed, and nothing is sent")
    void aNewCallIsRejected() {
        assertThat(close(100)).isCompleted();

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(REFUSED);
        assertThat(world.report().attempts()).isZero();
        assertThat(world.report().suppressed()).isEmpty();
        world.assertClean();
    }

    @Test
    @DisplayName("S1 L2 a new call that would not wait for a permit is rejected for the same reason")
    void aNewCallThatDoesNotWaitIsRejected() {
        world.client().update(World.plain(p -> p.maxQueueWait(ms(0))));
        assertThat(close(100)).isCompleted();

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(REFUSED);
        world.assertClean();
    }

    @Test
    @DisplayName("S1 queued calls are rejected when the close begins, whatever the grace")
    void queuedCallsAreRejected() {
        world.permits(1, 10).holdPermits();
        world.call(GET);
        world.call(GET);

        CompletableFuture<Void> closed = close(1_000);

        assertThat(world.reports).extracting(Report::outcome).containsExactly(REFUSED, REFUSED);
        assertThat(world.reports)
                .allSatisfy(report -> assertThat(report.suppressed()).isEmpty());
        assertThat(closed).isNotDone();
        world.givePermit();
        assertThat(closed).isCompleted();
        world.assertClean();
    }

    @ParameterizedTest(name = "S1 origin {0}, answered {1} ns from the end of the grace")
    @DisplayName("S1 a running call may end within the grace, and is cancelled after it")
    @MethodSource("dev.escapement.call.World#edges")
    void runningCallsMayEndWithinTheGrace(long origin, long edge) {
        World world = new World(origin).policy(ms(10_000), p -> p.attemptTimeout(ms(5_000)));
        world.transport.on(1).answerAfter(ms(200).plusNanos(edge), 200);
        world.call(GET);
        world.runTo(ms(100));

        // A grace that ends just after an answer at its last instant was looked at: two looks, the answer's first.
        CompletableFuture<Void> closed = world.client().close(ms(100));
        world.time.runUntilIdle();

        assertThat(closed).isCompleted();
        if (edge <= 0) {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        } else {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
            assertThat(world.report().suppressed()).contains(Suppressed.SHUTTING_DOWN);
            assertThat(world.endedAt()).isEqualTo(ms(200));
        }
        world.assertClean();
    }

    @Test
    @DisplayName("S1 E8 the close is complete when every call is clean, not before")
    void theCloseIsCompleteWhenEveryCallIsClean() {
        world.client().update(World.plain(p -> p.attemptTimeout(ms(900)).cleanupReserve(ms(50))));
        world.transport.on(1).hangAfterWrite().cleanAfterAbandonment(ms(30));
        world.transport.on(2).hangAfterWrite().cleanAfterAbandonment(ms(20));
        world.call(GET);
        world.call(GET);

        CompletableFuture<Void> closed = close(100);
        world.runTo(ms(130).minusNanos(1));
        assertThat(world.reports).hasSize(2);
        assertThat(closed).isNotDone();
        world.time.runUntilIdle();

        assertThat(closed).isCompleted();
        assertThat(world.time.elapsed()).isEqualTo(ms(130));
        world.assertClean();
    }

    @Test
    @DisplayName(
            "S1 when the close is complete every report has been delivered, also where a call closes its own client")
    void everyReportComesBeforeTheCloseIsComplete() {
        world.transport.on(1).answer(200);
        List<String> order = new ArrayList<>();
        List<CompletableFuture<Void>> closings = new ArrayList<>();
        world.time
                .callOuts()
                .before(CallOut.SEND, 1)
                .run(() -> closings.add(world.client().close(ms(100)).thenRun(() -> order.add("closed"))));

        world.client().call(GET, CallOptions.none(), report -> {
            order.add("reported");
            report.release();
        });

        assertThat(order).containsExactly("reported", "closed");
        world.assertClean();
    }

    // ---- Twice

    @Test
    @DisplayName(
            "S1 a second close with a shorter grace brings the end forward, one with a longer grace does not put it off")
    void theShortestGraceCounts() {
        world.transport.on(1).hangAfterWrite();
        world.call(GET);

        CompletableFuture<Void> first = close(300);
        CompletableFuture<Void> second = close(100);
        CompletableFuture<Void> third = close(1_000);
        world.time.runUntilIdle();

        assertThat(world.endedAt()).isEqualTo(ms(100));
        assertThat(world.time.elapsed()).isEqualTo(ms(100));
        assertThat(List.of(first, second, third))
                .allSatisfy(closed -> assertThat(closed).isCompleted());
        world.assertClean();
    }

    @Test
    @DisplayName("S1 closing a closed client is complete at once")
    void closingTwiceIsComplete() {
        assertThat(close(0)).isCompleted();
        assertThat(close(0)).isCompleted();
        assertThat(close(1_000)).isCompleted();
        world.assertClean();
    }

    @Test
    @DisplayName("S1 what one caller does to its future of the close is not seen by another")
    void futuresOfTheCloseAreSeparate() {
        world.transport.on(1).answerAfter(ms(5), 200);
        world.call(GET);

        CompletableFuture<Void> first = close(100);
        CompletableFuture<Void> second = close(100);
        assertThat(first.completeExceptionally(new IllegalStateException())).isTrue();
        world.time.runUntilIdle();

        assertThat(second).isCompleted();
        world.assertClean();
    }

    @Test
    @DisplayName(
            "S1 a negative grace is refused and closes nothing; one that no clock holds is waited out by the calls alone")
    void gracesAreChecked() {
        assertThatThrownBy(() -> world.client().close(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        world.transport.on(1).hangAfterWrite();
        world.call(GET);

        CompletableFuture<Void> closed = world.client().close(Duration.ofSeconds(Long.MAX_VALUE));
        world.time.runUntilIdle();

        assertThat(world.endedAt()).isEqualTo(ms(5_000));
        assertThat(closed).isCompleted();
        world.assertClean();
    }

    // ---- Where a call stands when its client closes

    @Test
    @DisplayName("S1 L1 a call that holds its permit may retry within the grace")
    void aRunningCallMayRetryWithinTheGrace() {
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);
        world.call(GET);

        CompletableFuture<Void> closed = close(100);
        world.time.runUntilIdle();

        assertThat(world.sentAt()).isEqualTo(allMs(0, 10));
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(closed).isCompleted();
        world.assertClean();
    }

    @Test
    @DisplayName("S1 R7 a retry that needs a permit of a closing client is not made: the last result stands")
    void aRetryWithoutAPermitKeepsTheLastResult() {
        world.client().update(World.plain(p -> p.permitScope(PermitScope.ATTEMPT)));
        world.transport.on(1).answer(503);
        world.call(GET);

        CompletableFuture<Void> closed = close(100);
        assertThat(closed).isNotDone();
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().suppressed()).contains(Suppressed.SHUTTING_DOWN);
        assertThat(closed).isCompleted();
        world.assertClean();
    }

    @Test
    @DisplayName("S1 a call in backoff when the grace is over is cancelled there, with its last result at hand")
    void aCallInBackoffIsCancelled() {
        world.transport.on(1).answer(503);
        world.call(GET);

        CompletableFuture<Void> closed = close(0);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.report().suppressed()).contains(Suppressed.SHUTTING_DOWN);
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(closed).isCompleted();
        world.assertClean();
    }
}
