package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.policy.RetryAfterDates;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R4, T1, V3: the wall clock reads dates in hints, at the decision, and changes nothing else. */
class WallClockTest {

    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    /** Two seconds after noon, in the three forms (RFC 9110 §5.6.7). */
    private static final String TWO_PAST = "Mon, 30 Nov 2026 12:00:02 GMT";

    private World world = new World();
    private Instant wall = NOON;
    private int reads;

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }

    private Instant read() {
        reads++;
        return wall;
    }

    private World reading(Duration overall, UnaryOperator<PolicyBuilder> with) {
        return world.policy(
                        overall,
                        p -> with.apply(p.retryAfterDates(RetryAfterDates.READ).serverDelayCap(ms(30_000))))
                .client(builder -> builder.wallClock(this::read));
    }

    private void answer(String hint) {
        world.transport.on(1).answer(503, "Retry-After", hint);
        world.transport.on(2).answer(200);
        world.call(GET);
        world.time.runUntilIdle();
    }

    // ---- R4: dates in hints

    @ParameterizedTest(name = "R4 origin {0}")
    @DisplayName("R4 a date ahead is a delay of exactly what is left until it, whatever the monotonic clock reads")
    @MethodSource("dev.escapement.call.World#origins")
    void aDateAhead(long origin) {
        world = new World(origin);
        reading(ms(10_000), p -> p);
        wall = NOON.plusMillis(249).plusNanos(999_999);

        answer(TWO_PAST);

        Duration left = ms(1_750).plusNanos(1);
        assertThat(world.sentAt()).containsExactly(ms(0), left);
        assertThat(world.report().retryDelays()).containsExactly(left);
    }

    @ParameterizedTest(name = "R4 {0}")
    @DisplayName("R4 each of the three forms of a date is read")
    @ValueSource(strings = {TWO_PAST, "Monday, 30-Nov-26 12:00:02 GMT", "Mon Nov 30 12:00:02 2026"})
    void eachForm(String date) {
        reading(ms(10_000), p -> p);

        answer(date);

        assertThat(world.report().retryDelays()).containsExactly(ms(2_000));
    }

    @ParameterizedTest(name = "R4 A6 {0} ns from the date")
    @DisplayName("R4 A6 a date that has passed is a delay of zero, and so is the date itself")
    @CsvSource({"-1, 1", "0, 0", "1, 0", "86400000000000, 0"})
    void aDateThatHasPassed(long edge, long delay) {
        reading(ms(10_000), p -> p);
        wall = NOON.plusSeconds(2).plusNanos(edge);

        answer(TWO_PAST);

        assertThat(world.report().retryDelays()).containsExactly(World.ns(delay));
        assertThat(world.sentAt()).containsExactly(ms(0), World.ns(delay));
    }

    @ParameterizedTest(name = "R5 A6 the cap {0} ns from what is left")
    @DisplayName("R5 A6 a date further ahead than the cap: no retry, that reason, the response stands")
    @ValueSource(longs = {-1, 0, 1})
    void aDateOverTheCap(long edge) {
        reading(ms(10_000), p -> p.serverDelayCap(ms(2_000).plusNanos(edge)));

        answer(TWO_PAST);

        assertThat(world.transport.sends()).isEqualTo(edge < 0 ? 1 : 2);
        assertThat(world.report().suppressed().orElse(null)).isEqualTo(edge < 0 ? Suppressed.HINT_OVER_CAP : null);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }

    @ParameterizedTest(name = "R5 R6 A6 {0}: the deadline {1} ns from what is needed")
    @DisplayName("R5 R6 A6 a date after which no attempt fits: no sleep, no attempt, the overall deadline at once")
    @CsvSource({"WHOLE, 0", "WHOLE, 1", "CLIPPED, -1", "CLIPPED, 0"})
    void aDateBeyondTheDeadline(AttemptFit fit, long edge) {
        Duration needed = ms(2_000).plus(fit == AttemptFit.WHOLE ? ms(100) : ms(7));
        reading(needed.plusNanos(edge), p -> p.attemptFit(fit).minimumAttempt(ms(7)));

        answer(TWO_PAST);

        boolean fits = edge >= (fit == AttemptFit.WHOLE ? 1 : 0);
        assertThat(world.transport.sends()).isEqualTo(fits ? 2 : 1);
        if (!fits) {
            assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
            assertThat(world.report().suppressed()).contains(Suppressed.CANNOT_FIT);
            assertThat(world.endedAt()).isEqualTo(ms(0));
            assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        }
    }

    @Test
    @DisplayName("R4 P4 a date beyond any deadline is no overflow of the policy's")
    void aDateBeyondAnyDeadline() {
        world = new World(World.ORIGINS.get(2));
        reading(ms(10_000), p -> p);

        answer("Fri, 31 Dec 9999 23:59:59 GMT");

        assertThat(world.kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
    }

    @ParameterizedTest(name = "R4 {0}")
    @DisplayName("R4 what is no date leaves the computed backoff")
    @ValueSource(
            strings = {"Tue, 30 Nov 2026 12:00:02 GMT", "mon, 30 nov 2026 12:00:02 gmt", "soon", "Mon, 30 Nov 2026"})
    void noDate(String hint) {
        reading(ms(10_000), p -> p);

        answer(hint);

        assertThat(world.report().retryDelays()).containsExactly(ms(10));
    }

    @Test
    @DisplayName("R4 where the policy does not read dates, one is ignored and the clock not asked")
    void datesIgnored() {
        reading(ms(10_000), p -> p.retryAfterDates(RetryAfterDates.IGNORED));

        answer(TWO_PAST);

        assertThat(world.report().retryDelays()).containsExactly(ms(10));
        assertThat(reads).isZero();
    }

    @Test
    @DisplayName("T1 the wall clock is asked once for a date, and never for seconds or without a hint")
    void askedForDatesAlone() {
        reading(ms(10_000), p -> p.maxRetries(3));
        world.transport.on(1).answer(503, "Retry-After", "1");
        world.transport.on(2).answer(503);
        world.transport.on(3).answer(503, "Retry-After", TWO_PAST);
        world.transport.on(4).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(reads).isEqualTo(1);
        assertThat(world.report().retryDelays()).hasSize(3).last().isEqualTo(ms(2_000));
    }

    // ---- A clock that breaks

    @Test
    @DisplayName("A5 G1 a wall clock that throws breaks the call; nothing is reserved, the response is the caller's")
    void aClockThatThrows() {
        IllegalStateException bug = new IllegalStateException("bug");
        world.policy(p ->
                        p.retryAfterDates(RetryAfterDates.READ).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))))
                .client(builder -> builder.wallClock(() -> {
                    throw bug;
                }));
        world.transport.on(1).answer(503, "Retry-After", TWO_PAST);

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Broken(bug));
        assertThat(world.report().attempts()).isEqualTo(1);
        assertThat(world.report().attemptReports().get(0).outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(world.transport.bodies().held()).hasSize(1);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    // ---- V3

    /** Where in a call's life the wall clock jumps, and at which millisecond of the scene below. */
    enum Place {
        QUEUE(100),
        ATTEMPT(250),
        BACKOFF(305),
        HINTED_BACKOFF(400),
        OPEN_BREAKER(1_700);

        final long millis;

        Place(long millis) {
            this.millis = millis;
        }
    }

    /**
     * Queued until 200, an attempt until 300, a backoff, an answer at 310 that asks to come back in 1,000, another failure at
     * 1,310, and a breaker that is open from there until 2,310.
     */
    private List<String> play(Place place, Duration jump) {
        world = new World();
        wall = NOON;
        world.breaker(3, ms(1_000)).permits(1, 1);
        reading(ms(5_000), p -> p.maxRetries(2)).holdPermits();
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).act(attempt -> wall = wall.plusMillis(1_000)).answer(503, "Retry-After", TWO_PAST);
        world.transport.on(3).answer(503);
        world.transport.otherwise().answer(200);
        world.time.after(ms(place.millis), () -> wall = wall.plus(jump));
        if (place.millis < 310) {
            // The server's clock is right; the jump before its answer is undone by then.
            world.time.after(ms(309), () -> wall = wall.minus(jump));
        }
        world.call(GET);
        world.runTo(ms(200));
        world.givePermit();
        world.runTo(ms(2_309));
        world.call(GET);
        world.runTo(ms(2_310));
        world.call(GET);
        world.time.runUntilIdle();
        List<String> seen = new ArrayList<>();
        for (Report report : world.reports) {
            seen.add(report + " " + report.retryDelays() + " at " + world.endedAt(report));
        }
        seen.add("sent at " + world.sentAt());
        seen.add("breaker " + world.breaker().state() + ", rejected "
                + world.breaker().rejected());
        return seen;
    }

    @ParameterizedTest(name = "V3 in {0}")
    @DisplayName("V3 T1 a jump of an hour in queue, attempt, backoff, open breaker changes nothing")
    @EnumSource(Place.class)
    void anHoursJump(Place place) {
        List<String> still = play(place, Duration.ZERO);
        world.assertClean();
        assertThat(still).contains("sent at " + World.allMs(200, 310, 1_310, 2_310));
        assertThat(still).contains("breaker CLOSED, rejected 1");

        assertThat(play(place, Duration.ofHours(1))).isEqualTo(still);
        world.assertClean();
        assertThat(play(place, Duration.ofHours(-1))).isEqualTo(still);
    }
}
