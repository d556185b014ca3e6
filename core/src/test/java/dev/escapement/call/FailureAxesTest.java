package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Failure;
import dev.escapement.report.Outcome;
import dev.escapement.report.ReportDetail;
import dev.escapement.transport.TransportFailure.Kind;
import dev.escapement.transport.TransportFailure.Permanence;
import dev.escapement.transport.TransportFailure.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** E2, E4: each attempt's failure on its four axes, and what attempts and calls may have done on the other side. */
class FailureAxesTest {

    private static World world(ReportDetail detail, UnaryOperator<PolicyBuilder> with) {
        return new World().policy(p -> with.apply(p.maxRetries(0).reportDetail(detail)));
    }

    private static AttemptReport last(World world) {
        List<AttemptReport> attempts = world.report().attemptReports();
        return attempts.get(attempts.size() - 1);
    }

    /** However it is kept: by the report itself, by a record, or by one with detail. */
    private static Optional<Failure> failureOf(
            ReportDetail detail, Request request, UnaryOperator<AttemptScript> script) {
        World world = world(detail, p -> p);
        AttemptScript unused = script.apply(world.transport.on(1));
        world.call(request);
        world.time.runUntilIdle();
        world.assertClean();
        assertThat(last(world).failure().map(Failure::effect))
                .isIn(Optional.empty(), Optional.of(last(world).effect()));
        return last(world).failure();
    }

    // ---- Permanence, scope, effect

    static Stream<Arguments> statuses() {
        return Stream.of(
                        "400 PERMANENT ABSENT ATTEMPT",
                        "401 PERMANENT ABSENT ATTEMPT",
                        "404 PERMANENT ABSENT ATTEMPT",
                        "408 TRANSIENT POSSIBLE ATTEMPT",
                        "409 PERMANENT ABSENT ATTEMPT",
                        "429 TRANSIENT POSSIBLE ENDPOINT",
                        "499 PERMANENT ABSENT ATTEMPT",
                        "500 TRANSIENT POSSIBLE ENDPOINT",
                        "501 PERMANENT POSSIBLE ENDPOINT",
                        "502 TRANSIENT POSSIBLE DEPENDENCY",
                        "503 TRANSIENT POSSIBLE ENDPOINT",
                        "504 TRANSIENT POSSIBLE DEPENDENCY",
                        "505 PERMANENT POSSIBLE ENDPOINT")
                .map(row -> row.split(" "))
                .flatMap(row -> Arrays.stream(ReportDetail.values())
                        .map(detail -> Arguments.of(detail, Integer.valueOf(row[0]), row[1], row[2], row[3])));
    }

    @ParameterizedTest(name = "E2 {0}, status {1}: {2}, effect {3}, {4}")
    @DisplayName(
            "E2 a failed answer: permanent unless it is retried, and of the dependency where a gateway speaks of one")
    @MethodSource("statuses")
    void aFailedAnswer(ReportDetail detail, int status, Permanence permanence, Effect effect, Scope scope) {
        assertThat(failureOf(detail, POST, script -> script.answer(status)))
                .contains(new Failure(permanence, effect, scope, true));
        assertThat(failureOf(detail, GET, script -> script.answer(status)))
                .contains(new Failure(permanence, Effect.ABSENT, scope, true));
    }

    static Stream<Arguments> kinds() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> Arrays.stream(ReportDetail.values()).map(detail -> Arguments.of(detail, kind)));
    }

    @ParameterizedTest(name = "E2 E9 {0}, {1}")
    @DisplayName(
            "E2 E9 a transport failure: permanence and scope are its kind's, the effect follows from what was written")
    @MethodSource("kinds")
    void aTransportFailure(ReportDetail detail, Kind kind) {
        assertThat(failureOf(detail, POST, script -> script.connect().fail(kind)))
                .contains(new Failure(kind.permanence(), Effect.ABSENT, kind.scope(), true));
        assertThat(failureOf(detail, POST, script -> script.write(3).fail(kind)))
                .contains(new Failure(kind.permanence(), Effect.POSSIBLE, kind.scope(), true));
        assertThat(failureOf(detail, POST, script -> script.writeUnknown().fail(kind)))
                .contains(new Failure(kind.permanence(), Effect.POSSIBLE, kind.scope(), true));
        assertThat(failureOf(detail, GET, script -> script.writeAll().fail(kind)))
                .contains(new Failure(kind.permanence(), Effect.ABSENT, kind.scope(), true));
    }

    @ParameterizedTest(name = "E2 {0}")
    @DisplayName("E2 an attempt timeout: transient, of the attempt alone, its effect by what was written")
    @MethodSource("details")
    void anAttemptTimeout(ReportDetail detail) {
        assertThat(failureOf(detail, POST, script -> script.connect().hang()))
                .contains(new Failure(Permanence.TRANSIENT, Effect.ABSENT, Scope.ATTEMPT, true));
        assertThat(failureOf(detail, POST, AttemptScript::hangAfterWrite))
                .contains(new Failure(Permanence.TRANSIENT, Effect.POSSIBLE, Scope.ATTEMPT, true));
        assertThat(failureOf(detail, GET, AttemptScript::hangAfterWrite))
                .contains(new Failure(Permanence.TRANSIENT, Effect.ABSENT, Scope.ATTEMPT, true));
    }

    static Stream<Arguments> details() {
        return Arrays.stream(ReportDetail.values()).map(Arguments::of);
    }

    @ParameterizedTest(name = "E2 {0}")
    @DisplayName(
            "E2 an answer below 400 is no failure, unless the policy retries it; nor is an attempt that was cut short")
    @MethodSource("details")
    void noFailure(ReportDetail detail) {
        assertThat(failureOf(detail, POST, script -> script.answer(200))).isEmpty();
        assertThat(failureOf(detail, POST, script -> script.answer(399))).isEmpty();

        World retrying = world(detail, p -> p.retryableStatuses(Set.of(202)));
        retrying.transport.on(1).answer(202);
        retrying.call(POST);
        assertThat(last(retrying).failure())
                .contains(new Failure(Permanence.TRANSIENT, Effect.KNOWN, Scope.ATTEMPT, true));
        retrying.assertClean();

        World cut = world(detail, p -> p);
        cut.transport.on(1).hangAfterWrite();
        cut.call(POST).cancel();
        assertThat(last(cut).failure()).isEmpty();
        assertThat(last(cut).effect()).isEqualTo(Effect.POSSIBLE);
        cut.assertClean();
    }

    // ---- Whether another would fit

    @ParameterizedTest(name = "E2 A6 {0}, {1} ns from the last instant that fits")
    @DisplayName("E2 R6 A6 WHOLE: another fits while more than a whole attempt is left, whatever was decided")
    @CsvSource({
        "BASIC, -1, true",
        "BASIC, 0, false",
        "BASIC, 1, false",
        "FULL, -1, true",
        "FULL, 0, false",
        "FULL, 1, false"
    })
    void anotherWholeOneFits(ReportDetail detail, long edge, boolean fits) {
        World world = world(detail, p -> p.attemptTimeout(ms(100)));
        world.permits(1, 1).holdPermits();
        world.transport.on(1).answer(503);
        world.call(GET);

        world.runTo(ms(900).plusNanos(edge));
        world.givePermit();

        assertThat(last(world).failure().orElseThrow().anotherFits()).isEqualTo(fits);
        world.assertClean();
    }

    @ParameterizedTest(name = "E2 A6 {0}, {1} ns from the last instant that fits")
    @DisplayName("E2 R6 A6 CLIPPED: another fits while the minimum is left after the reserve, equality included")
    @CsvSource({
        "BASIC, -1, true",
        "BASIC, 0, true",
        "BASIC, 1, false",
        "FULL, -1, true",
        "FULL, 0, true",
        "FULL, 1, false"
    })
    void anotherClippedOneFits(ReportDetail detail, long edge, boolean fits) {
        World world = world(
                detail,
                p -> p.attemptFit(AttemptFit.CLIPPED).minimumAttempt(ms(7)).cleanupReserve(ms(30)));
        world.permits(1, 1).holdPermits();
        world.transport.on(1).answer(503);
        world.call(GET);

        world.runTo(ms(1_000 - 30 - 7).plusNanos(edge));
        world.givePermit();

        assertThat(last(world).failure().orElseThrow().anotherFits()).isEqualTo(fits);
        world.assertClean();
    }

    // ---- The whole call

    /** What the attempts of a keyed POST meet, and what is then true of each and of the call. */
    @ParameterizedTest(name = "E2 {0}: attempts {1}, call {2}")
    @DisplayName(
            "E2 E4 a call's effect: known if it ended with an answer that confirms it, else possible if any attempt's is")
    @CsvSource({
        "200, KNOWN, KNOWN",
        "404, ABSENT, ABSENT",
        "503, POSSIBLE, POSSIBLE",
        "501, POSSIBLE, POSSIBLE",
        "503 200, POSSIBLE KNOWN, KNOWN",
        "503 404, POSSIBLE ABSENT, POSSIBLE",
        "refused 200, ABSENT KNOWN, KNOWN",
        "refused 404, ABSENT ABSENT, ABSENT",
        "refused refused, ABSENT ABSENT, ABSENT",
        "refused 503, ABSENT POSSIBLE, POSSIBLE",
        "hang 200, POSSIBLE KNOWN, KNOWN",
        "hang 409, POSSIBLE ABSENT, POSSIBLE",
        "hang refused, POSSIBLE ABSENT, POSSIBLE",
        "hang hang refused, POSSIBLE POSSIBLE ABSENT, POSSIBLE",
        "reset 204, POSSIBLE KNOWN, KNOWN",
        "202 refused refused, KNOWN ABSENT ABSENT, KNOWN",
        "202 404, KNOWN ABSENT, KNOWN",
        "202 503 503, KNOWN POSSIBLE POSSIBLE, POSSIBLE",
    })
    void theWholeCall(String met, String ofAttempts, Effect ofCall) {
        World world = new World()
                .policy(p -> p.maxRetries(
                                (int) met.chars().filter(c -> c == ' ').count())
                        .retryableStatuses(Set.of(202, 503)));
        int ordinal = 0;
        for (String what : Arrays.stream(met.split(" ")).toList()) {
            AttemptScript script = world.transport.on(++ordinal);
            AttemptScript unused = switch (what) {
                case "refused" -> script.fail(Kind.REFUSED);
                case "reset" -> script.writeAll().fail(Kind.RESET);
                case "hang" -> script.hangAfterWrite();
                default -> script.answer(Integer.parseInt(what));
            };
        }

        world.call(POST, CallOptions.none().withIdempotencyKey("req-7"));
        world.time.runUntilIdle();

        assertThat(world.report().attemptReports())
                .extracting(AttemptReport::effect)
                .containsExactlyElementsOf(Arrays.stream(ofAttempts.split(" "))
                        .map(Effect::valueOf)
                        .toList());
        assertThat(world.report().effect()).isEqualTo(ofCall);
        assertThat(world.report().ambiguous()).isEqualTo(ofCall == Effect.POSSIBLE);
        world.assertClean();
    }

    @ParameterizedTest(name = "E2 {0} {1}: {2}")
    @DisplayName("E2 a safe method has no effect, whatever it meets; an idempotent one has")
    @CsvSource({
        "GET, 200, ABSENT",
        "GET, 503, ABSENT",
        "HEAD, 503, ABSENT",
        "OPTIONS, 503, ABSENT",
        "TRACE, 503, ABSENT",
        "PUT, 200, KNOWN",
        "PUT, 503, POSSIBLE",
        "DELETE, 404, ABSENT",
        "PATCH, 503, POSSIBLE",
    })
    void byMethod(String method, int status, Effect effect) {
        World world = new World().policy(p -> p.maxRetries(0));
        world.transport.on(1).answer(status);

        world.call(Request.of(Method.of(method.toUpperCase(Locale.ROOT)), "http://server.test/alpha"));

        assertThat(world.report().effect()).isEqualTo(effect);
        world.assertClean();
    }

    @Test
    @DisplayName("E2 a status that the policy knows to prove no effect has none")
    void aStatusThatProvesNoEffect() {
        World world = new World().policy(p -> p.maxRetries(0).effectFreeStatuses(Set.of(503)));
        world.transport.on(1).answer(503);

        world.call(POST);

        assertThat(world.report().effect()).isEqualTo(Effect.ABSENT);
        world.assertClean();
    }

    @Test
    @DisplayName("E2 a call that was never let in had no effect")
    void rejected() {
        World world = new World().permits(1, 0).holdPermits();

        world.call(POST);

        assertThat(world.kind()).isEqualTo(Outcome.Kind.REJECTED);
        assertThat(world.report().effect()).isEqualTo(Effect.ABSENT);
        world.givePermit();
        world.assertClean();
    }

    @Test
    @DisplayName("E2 E4 what was in doubt stays so, however the call then ends")
    void inDoubtWhateverTheEnd() {
        World world = new World();
        world.transport.on(1).writeAll().fail(Kind.RESET);
        Call call = world.call(POST, CallOptions.none().withIdempotencyKey("req-7"));

        call.cancel();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.report().effect()).isEqualTo(Effect.POSSIBLE);
        world.assertClean();
    }
}
