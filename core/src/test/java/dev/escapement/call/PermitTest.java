package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.allMs;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Request;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Outcome.Rejected.Reason;
import dev.escapement.report.Suppressed;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** L1, L2, L4, A6: who may go, who waits, and whom a grant finds. */
class PermitTest {

    private static final Request BETA = Request.get("http://server.test/beta");

    private static World scoped(PermitScope scope) {
        return new World().policy(p -> p.permitScope(scope)).permits(1, 10);
    }

    private static List<String> sentPaths(World world) {
        return world.transport.attempts().stream()
                .map(attempt -> attempt.request().uri().getPath())
                .toList();
    }

    // ---- L1: what a permit covers

    @Test
    @DisplayName(
            "L1 limit 1, backoff 10: a permit for the call lets a second one send nothing until the first has reported")
    void aCallPermitCoversTheBackoff() {
        World world = scoped(PermitScope.CALL);
        world.transport.on(1).answerAfter(ms(5), 503);
        world.transport.on(2).answerAfter(ms(5), 200);
        world.transport.on(3).answer(200);

        world.call(GET);
        world.call(BETA);
        world.runTo(ms(20).minusNanos(1));
        assertThat(world.reports).isEmpty();
        assertThat(sentPaths(world)).containsExactly("/alpha", "/alpha");
        world.time.runUntilIdle();

        assertThat(sentPaths(world)).containsExactly("/alpha", "/alpha", "/beta");
        assertThat(world.sentAt()).isEqualTo(allMs(0, 15, 20));
        world.assertClean();
    }

    @Test
    @DisplayName("L1 a permit for each attempt is free in the backoff, where a second call may send")
    void anAttemptPermitIsFreeInTheBackoff() {
        World world = scoped(PermitScope.ATTEMPT);
        world.transport.on(1).answerAfter(ms(5), 503);
        world.transport.on(2).answerAfter(ms(5), 200);
        world.transport.on(3).answer(200);

        world.call(GET);
        world.call(BETA);
        assertThat(world.client().figures().permitsHeld()).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(sentPaths(world)).containsExactly("/alpha", "/beta", "/alpha");
        assertThat(world.sentAt()).isEqualTo(allMs(0, 5, 15));
        world.assertClean();
    }

    @Test
    @DisplayName("L1 a retry that needs a permit of its own waits for it behind those who came before")
    void aRetryQueuesForItsOwnPermit() {
        World world = scoped(PermitScope.ATTEMPT);
        world.transport.on(1).answer(503);
        world.transport.on(2).answerAfter(ms(50), 200);
        world.transport.otherwise().answer(200);

        world.call(GET);
        world.call(BETA);
        world.call(BETA);
        world.runTo(ms(49));
        assertThat(world.client().figures().waiting()).isEqualTo(2);
        world.time.runUntilIdle();

        assertThat(sentPaths(world)).containsExactly("/alpha", "/beta", "/beta", "/alpha");
        assertThat(world.sentAt()).isEqualTo(allMs(0, 0, 50, 50));
        world.assertClean();
    }

    @ParameterizedTest(name = "L1 R7 {0} places in the queue")
    @DisplayName("L1 R7 a retry that gets no permit keeps the last result, whole")
    @ValueSource(ints = {0, 1})
    void aRetryWithoutAPermitKeepsTheLastResult(int places) {
        World world = new World()
                .policy(p -> p.permitScope(PermitScope.ATTEMPT).maxQueueWait(ms(20)))
                .permits(1, places);
        world.transport.on(1).answer(503);
        world.transport.on(2).hangAfterWrite();

        world.call(GET);
        Call holder = world.call(BETA);
        world.runTo(ms(30));

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.endedAt()).isEqualTo(ms(places == 0 ? 10 : 30));
        assertThat(world.report().suppressed()).contains(Suppressed.NO_PERMIT);
        assertThat(world.report().retryDelays()).isEqualTo(allMs(10));
        assertThat(world.transport.bodies().held()).hasSize(1);
        holder.cancel();
        world.assertClean();
    }

    // ---- L2: the queue

    @ParameterizedTest(name = "L2 home {0}")
    @DisplayName("L2 those who wait are served in the order in which they came")
    @EnumSource(VirtualTime.Home.class)
    void waitingIsFirstComeFirstServed(VirtualTime.Home home) {
        World world = new World(new VirtualTime(0, home)).permits(1, 10).holdPermits();
        world.transport.otherwise().answerAfter(ms(1), 200);
        List<Integer> order = List.of(0, 1, 2, 3, 4);

        order.forEach(i -> world.call(Request.get("http://server.test/" + i)));
        assertThat(world.transport.sends()).isZero();
        world.givePermit();
        world.time.runUntilIdle();

        assertThat(sentPaths(world)).isEqualTo(order.stream().map(i -> "/" + i).toList());
        world.assertClean();
    }

    @Test
    @DisplayName("L2 a newcomer never overtakes one who waits, not even one whose grant was not looked at yet")
    void aNewcomerDoesNotOvertake() {
        World world = new World(new VirtualTime(0, VirtualTime.Home.LOOP))
                .permits(1, 10)
                .holdPermits();
        world.transport.otherwise().answerAfter(ms(1), 200);
        world.call(GET);

        world.client().permits().release();
        world.call(BETA);
        world.time.runUntilIdle();

        assertThat(sentPaths(world)).containsExactly("/alpha", "/beta");
        world.assertClean();
    }

    @Test
    @DisplayName("L2 a full queue rejects at once, typed, without an attempt")
    void aFullQueueRejectsAtOnce() {
        World world = new World().permits(1, 2).holdPermits();
        world.transport.otherwise().answer(200);
        world.call(GET);
        world.call(GET);

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Rejected(Reason.QUEUE_FULL));
        assertThat(world.report().attempts()).isZero();
        assertThat(world.report().suppressed()).isEmpty();
        world.givePermit();
        assertThat(world.reports).hasSize(3);
        world.assertClean();
    }

    @ParameterizedTest(name = "L2 A6 origin {0}, granted {1} ns from the end of the wait")
    @DisplayName("L2 A6 a grant before the queue wait is over starts the call, one at its end goes back")
    @MethodSource("dev.escapement.call.World#edges")
    void theQueueWaitIsOverAtItsEnd(long origin, long edge) {
        World world = new World(origin)
                .policy(p -> p.maxQueueWait(ms(50)))
                .permits(1, 10)
                .holdPermits();
        world.transport.otherwise().answer(200);
        world.time.after(ms(50).plusNanos(edge), () -> world.client().permits().release());

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 1 : 0);
        assertThat(world.report().outcome())
                .isEqualTo(edge < 0 ? world.report().outcome() : new Outcome.Rejected(Reason.QUEUE_WAIT));
        assertThat(world.endedAt()).isEqualTo(ms(50).plusNanos(Math.min(edge, 0)));
        world.assertClean();
    }

    @Test
    @DisplayName("L2 a queue wait of 0 takes a free permit and waits for none")
    void aQueueWaitOfZeroDoesNotWait() {
        World world = new World().policy(p -> p.maxQueueWait(ms(0))).permits(1, 10);
        world.transport.otherwise().hangAfterWrite();

        world.call(GET);
        world.client().call(BETA, CallOptions.none(), world.reports::add);

        assertThat(sentPaths(world)).containsExactly("/alpha");
        assertThat(world.report().outcome()).isEqualTo(new Outcome.Rejected(Reason.QUEUE_WAIT));
        world.time.runUntilIdle();
        world.assertClean();
    }

    // ---- L4: endings of a wait

    /** How a wait can end without a start. */
    private enum Ending {
        DEADLINE,
        QUEUE_WAIT,
        CANCELLATION
    }

    /** A world whose calls wait for a permit, and give up at 50 where they end by time. */
    private static World waiting(Ending ending) {
        World world = new World()
                .policy(
                        ending == Ending.DEADLINE ? ms(50) : ms(1_000),
                        p -> p.maxQueueWait(ending == Ending.QUEUE_WAIT ? ms(50) : ms(500)))
                .permits(1, 10)
                .holdPermits();
        world.transport.otherwise().answer(200);
        return world;
    }

    @ParameterizedTest(name = "L4 {0}")
    @DisplayName("L4 a wait that ends otherwise leaves the queue, and its call never starts")
    @EnumSource(Ending.class)
    void aWaitThatEndsOtherwiseNeverStarts(Ending ending) {
        World world = waiting(ending);
        Call call = world.call(GET);
        assertThat(world.client().figures().waiting()).isEqualTo(1);

        world.runTo(ms(50));
        if (ending == Ending.CANCELLATION) {
            call.cancel();
        }

        assertThat(world.endedAt()).isEqualTo(ms(50));
        assertThat(world.client().figures().waiting()).isZero();
        world.givePermit();
        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @ParameterizedTest(name = "L3 L4 {0}")
    @DisplayName("L3 L4 a grant that lost is handed to the next in the queue, at once and once")
    @EnumSource(Ending.class)
    void aLostGrantServesTheNext(Ending ending) {
        World world = waiting(ending);
        Call first = world.call(GET);
        world.client().update(World.plain(p -> p));
        world.call(BETA);

        world.atOneLook(() -> {
            world.client().permits().release();
            if (ending == Ending.CANCELLATION) {
                first.cancel();
            } else {
                world.stallTo(ms(50));
            }
        });

        assertThat(sentPaths(world)).containsExactly("/beta");
        assertThat(world.reports)
                .extracting(report -> report.outcome().kind())
                .containsExactly(
                        switch (ending) {
                            case DEADLINE -> Outcome.Kind.OVERALL_DEADLINE;
                            case QUEUE_WAIT -> Outcome.Kind.REJECTED;
                            case CANCELLATION -> Outcome.Kind.CANCELLED;
                        },
                        Outcome.Kind.RESPONSE);
        world.assertClean();
    }
}
