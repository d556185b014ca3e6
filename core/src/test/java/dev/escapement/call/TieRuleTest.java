package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.policy.AttemptFit;
import dev.escapement.report.Outcome;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A2, A3, A6: of all that is true at one look, the first of one list counts; what came first, and how late the look is, do not. */
class TieRuleTest {

    /** What can be true at a look, in the order in which it counts. */
    private enum Thing {
        OVERALL_DEADLINE,
        CANCELLATION,
        ATTEMPT_TIMEOUT,
        QUEUE_WAIT,
        COMPLETION,
        GRANT,
        BACKOFF_DUE;

        boolean comesByTime() {
            return this == OVERALL_DEADLINE || this == ATTEMPT_TIMEOUT || this == QUEUE_WAIT || this == BACKOFF_DUE;
        }
    }

    /** Where a call stands, and what can meet it there. */
    private enum Scene {
        IN_FLIGHT,
        WAITING,
        BACKOFF;

        Set<Thing> things() {
            return switch (this) {
                case IN_FLIGHT ->
                    EnumSet.of(Thing.OVERALL_DEADLINE, Thing.CANCELLATION, Thing.ATTEMPT_TIMEOUT, Thing.COMPLETION);
                case WAITING -> EnumSet.of(Thing.OVERALL_DEADLINE, Thing.CANCELLATION, Thing.QUEUE_WAIT, Thing.GRANT);
                case BACKOFF -> EnumSet.of(Thing.OVERALL_DEADLINE, Thing.CANCELLATION, Thing.BACKOFF_DUE);
            };
        }
    }

    /** The instant at which everything that comes by time is due, counted from the clock's origin. */
    private static final Duration DUE = ms(100);

    private static final Duration LONG = ms(700);

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (Scene scene : Scene.values()) {
            for (Thing first : scene.things()) {
                scene.things().stream()
                        .filter(second -> second.compareTo(first) > 0)
                        .forEach(second -> pairs.add(Arguments.of(scene, first, second)));
            }
        }
        return pairs.stream();
    }

    @ParameterizedTest(name = "A2 A3 A6 {0}: {1} before {2}")
    @DisplayName("A2 A3 A6 of two things true at one look the one earlier in the list counts")
    @MethodSource("pairs")
    void theEarlierInTheListCounts(Scene scene, Thing first, Thing second) {
        for (long origin : World.ORIGINS) {
            for (Home home : Home.values()) {
                for (long edge = -1; edge <= 1; edge++) {
                    oneLook(scene, first, second, new World(new VirtualTime(origin, home)), edge);
                    oneLook(scene, second, first, new World(new VirtualTime(origin, home)), edge);
                }
            }
        }
    }

    private static void oneLook(Scene scene, Thing sooner, Thing later, World world, long edge) {
        Set<Thing> pair = EnumSet.of(sooner, later);
        Call call = stand(world, scene, pair);

        world.atOneLook(() -> {
            world.stallTo(DUE.plusNanos(edge));
            happen(sooner, world, call);
            happen(later, world, call);
        });

        pair.removeIf(thing -> !isDue(thing, pair, edge));
        String what = scene + ", " + sooner + " then " + later + ", " + edge + " ns";
        if (pair.isEmpty()) {
            assertThat(world.reports).as(what).isEmpty();
        } else {
            assertCounted(pair.iterator().next(), scene, world, what);
        }
    }

    /** Brings a call into the scene, with everything of the pair that comes by time due at {@link #DUE}. */
    private static Call stand(World world, Scene scene, Set<Thing> pair) {
        boolean deadline = pair.contains(Thing.OVERALL_DEADLINE);
        // R6 plans no backoff that is due at the deadline; one due a nanosecond before it can still be looked at then.
        world.policy(
                deadline ? DUE : ms(1_000),
                p -> p.attemptTimeout(pair.contains(Thing.ATTEMPT_TIMEOUT) ? DUE : LONG)
                        .maxRetries(scene == Scene.BACKOFF ? 1 : 0)
                        .initialBackoff(deadline ? DUE.minusNanos(1) : DUE)
                        .maxQueueWait(pair.contains(Thing.QUEUE_WAIT) ? DUE : LONG)
                        .attemptFit(AttemptFit.CLIPPED)
                        .minimumAttempt(ms(0)));
        world.permits(1, 10);
        world.transport.otherwise().hangAfterWrite();
        switch (scene) {
            case IN_FLIGHT -> {}
            case WAITING -> world.holdPermits();
            case BACKOFF -> world.transport.on(1).fail(TransportFailure.Kind.REFUSED);
        }
        Call call = world.call(GET);
        assertThat(world.transport.sends()).as("stands in " + scene).isEqualTo(scene == Scene.WAITING ? 0 : 1);
        assertThat(world.client().figures().asleep()).isEqualTo(1);
        return call;
    }

    private static void happen(Thing thing, World world, Call call) {
        switch (thing) {
            case CANCELLATION -> call.cancel();
            case COMPLETION -> world.transport.attempt(1).answerCleanly(200);
            case GRANT -> world.client().permits().release();
            case OVERALL_DEADLINE, ATTEMPT_TIMEOUT, QUEUE_WAIT, BACKOFF_DUE -> {}
        }
    }

    private static boolean isDue(Thing thing, Set<Thing> pair, long edge) {
        boolean dueEarlier = thing == Thing.BACKOFF_DUE && pair.contains(Thing.OVERALL_DEADLINE);
        return !thing.comesByTime() || edge >= 0 || dueEarlier;
    }

    private static void assertCounted(Thing winner, Scene scene, World world, String what) {
        int sends = scene == Scene.WAITING ? 0 : 1;
        if (winner == Thing.GRANT || winner == Thing.BACKOFF_DUE) {
            assertThat(world.reports).as(what).isEmpty();
            assertThat(world.transport.sends()).as(what).isEqualTo(sends + 1);
            return;
        }
        Outcome.Kind expected = switch (winner) {
            case OVERALL_DEADLINE -> Outcome.Kind.OVERALL_DEADLINE;
            case CANCELLATION -> Outcome.Kind.CANCELLED;
            case ATTEMPT_TIMEOUT -> Outcome.Kind.ATTEMPT_TIMEOUT;
            case QUEUE_WAIT -> Outcome.Kind.REJECTED;
            case COMPLETION -> Outcome.Kind.RESPONSE;
            case GRANT, BACKOFF_DUE -> throw new AssertionError(winner);
        };
        assertThat(world.kind()).as(what).isEqualTo(expected);
        assertThat(world.transport.sends()).as(what).isEqualTo(sends);
    }

    // ---- VECTORS

    @ParameterizedTest(name = "A2 origin {0}, completion {1} ns from the deadline")
    @DisplayName("A2 a completion before the overall deadline wins, at it or after it has lost")
    @MethodSource("dev.escapement.call.World#edges")
    void completionAtTheDeadlineIsOverallDeadline(long origin, long edge) {
        World world = new World(origin).policy(p -> p.attemptTimeout(ms(2_000)));
        world.transport.on(1).answerAfter(ms(1_000).plusNanos(edge), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(1_000).plusNanos(Math.min(edge, 0)));
        world.assertClean();
    }

    @ParameterizedTest(name = "A2 origin {0}, completion {1} ns from the attempt's deadline")
    @DisplayName("A2 a completion before the attempt's deadline wins, at it or after it has lost")
    @MethodSource("dev.escapement.call.World#edges")
    void completionAtTheAttemptDeadlineIsAttemptTimeout(long origin, long edge) {
        World world = new World(origin).policy(p -> p.maxRetries(0));
        world.transport.on(1).answerAfter(ms(100).plusNanos(edge), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.endedAt()).isEqualTo(ms(100).plusNanos(Math.min(edge, 0)));
        world.assertClean();
    }

    @ParameterizedTest(name = "A2 origin {0}, looked at {1} ns from the deadline")
    @DisplayName("A2 a result that arrived in time but was looked at late is late: counted, and its body released")
    @MethodSource("dev.escapement.call.World#edges")
    void aResultLookedAtLateIsLate(long origin, long edge) {
        World world = new World(new VirtualTime(origin, Home.LOOP)).policy(p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();
        world.call(GET);
        world.runTo(ms(90));

        world.transport.attempt(1).answerCleanly(200);
        world.stallTo(ms(100).plusNanos(edge));
        world.time.runReady();

        assertThat(world.kind()).isEqualTo(edge < 0 ? Outcome.Kind.RESPONSE : Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.client().figures().lateResults()).isEqualTo(edge < 0 ? 0 : 1);
        world.assertClean();
    }

    @Test
    @DisplayName("A2 where attempt and overall deadline are one instant the overall deadline counts")
    void oneInstantForBothDeadlinesIsOverallDeadline() {
        World world = new World().policy(ms(100), p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(world.endedAt()).isEqualTo(ms(100));
        world.assertClean();
    }

    @Test
    @DisplayName("A2 a reply after 300 with an attempt timeout of 100 is an attempt timeout at 100")
    void aSlowReplyIsAnAttemptTimeout() {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).answerAfter(ms(300), 200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
        assertThat(world.endedAt()).isEqualTo(ms(100));
        world.assertClean();
    }
}
