package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.guard.BreakerState;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.http.Request;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.EndpointView;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where attempts go (G2, L5): to the URI's origin, or where a picker says that knows what the client and the call know. */
class EndpointCallTest {

    private static final Endpoint A = Endpoint.of("http://a.test");
    private static final Endpoint B = Endpoint.of("http://b.test:8080");
    private static final Endpoint C = Endpoint.of("https://c.test");
    private static final Endpoint D = Endpoint.of("http://d.test");

    private static final Duration OPEN_PERIOD = ms(100);

    private final World world = new World();

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        assertThat(world.client().endpointFigures()).allSatisfy(figures -> {
            assertThat(figures.inFlight()).as("at %s", figures.endpoint()).isZero();
            assertThat(figures.breaker().trialsRunning()).isZero();
        });
        world.assertClean();
    }

    private void picking(EndpointPicker picker) {
        world.client(builder -> builder.endpoints(picker));
    }

    private List<Endpoint> wentTo() {
        return world.transport.attempts().stream()
                .map(SimulatedAttempt::endpoint)
                .toList();
    }

    private EndpointFigures figures(Endpoint endpoint) {
        return world.client().endpointFigures().stream()
                .filter(figures -> figures.endpoint().equals(endpoint))
                .findFirst()
                .orElseThrow();
    }

    private void assertLastRefused() {
        assertThat(world.lastReport().outcome()).isEqualTo(new Outcome.Rejected(Outcome.Rejected.Reason.BREAKER_OPEN));
        assertThat(world.lastReport().attempts()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    /** The first of those that its view admits; whatever it says, where it is stubborn. Remembers what it was asked. */
    private static final class Scripted implements EndpointPicker {

        private final List<Integer> ordinals = new ArrayList<>();
        private List<Endpoint> endpoints;
        private boolean stubborn;
        private Runnable meanwhile = () -> {};

        Scripted(Endpoint... endpoints) {
            this.endpoints = List.of(endpoints);
        }

        @Override
        public Optional<Endpoint> pick(Request request, int ordinal, EndpointView view) {
            ordinals.add(ordinal);
            Optional<Endpoint> picked = endpoints.stream()
                    .filter(endpoint -> stubborn || view.admits(endpoint))
                    .findFirst();
            Runnable then = meanwhile;
            meanwhile = () -> {};
            then.run();
            return picked;
        }
    }

    /**
     * Each of these has failed and had its trial, and has used up what its ramp grants at first: it admits by its looks, and
     * refuses when asked (G4).
     */
    private void ramping(Scripted picker, Endpoint... endpoints) {
        List<Endpoint> all = picker.endpoints;
        for (Endpoint endpoint : endpoints) {
            picker.endpoints = List.of(endpoint);
            int next = world.transport.sends() + 1;
            world.transport.on(next).answer(503);
            world.call(GET);
        }
        world.time.advance(OPEN_PERIOD);
        for (Endpoint endpoint : endpoints) {
            picker.endpoints = List.of(endpoint);
            int next = world.transport.sends() + 1;
            world.transport.on(next).answer(200);
            world.transport.on(next + 1).answer(200);
            world.call(GET);
            world.call(GET);
            assertThat(figures(endpoint).breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(figures(endpoint).breaker().admissionPercent()).isEqualTo(10);
        }
        picker.endpoints = all;
        picker.ordinals.clear();
    }

    private World withBreakers() {
        return world.policy(p -> p.maxRetries(0)).breaker(1, OPEN_PERIOD);
    }

    // ---- Without a picker

    @ParameterizedTest(name = "breakers {0}")
    @DisplayName("The endpoint is the origin of the URI unless a picker says otherwise, with breakers or without")
    @ValueSource(booleans = {true, false})
    void theOriginIsTheDefault(boolean breakers) {
        if (breakers) {
            withBreakers();
        }
        world.transport.otherwise().answer(200);

        world.call(Request.get("http://server.test:8081/alpha"));
        world.call(Request.get("https://Server.test/beta"));

        assertThat(wentTo())
                .containsExactly(Endpoint.of("http://server.test:8081"), Endpoint.of("https://server.test"));
        assertThat(world.client().endpointFigures()).hasSize(breakers ? 2 : 0);
    }

    // ---- With one

    @Test
    @DisplayName("A retry goes elsewhere, and to an endpoint whose breaker does not care that another one's has opened")
    void aRetryGoesElsewhere() {
        picking(EndpointPicker.roundRobin(List.of(A, B)));
        world.breaker(1, OPEN_PERIOD);
        world.transport.at(A).answer(503);
        world.transport.at(B).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(wentTo()).containsExactly(A, B);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(world.report().suppressed()).isEmpty();
        assertThat(figures(A).breaker().state()).isEqualTo(BreakerState.OPEN);
        assertThat(figures(B).breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(world.transport.attempt(2).request().uri()).isEqualTo(GET.uri());
    }

    @Test
    @DisplayName("A picker is told the attempt's ordinal, where this call has been, and who is still there")
    void whatAPickerKnows() {
        List<String> seen = new ArrayList<>();
        List<Endpoint> all = List.of(A, B, C);
        picking((request, ordinal, view) -> {
            StringBuilder known = new StringBuilder("" + ordinal);
            for (Endpoint endpoint : all) {
                known.append(' ').append(view.tried(endpoint) ? "tried" : "new").append(view.inFlight(endpoint));
            }
            seen.add(known.toString());
            return Optional.of(all.get(ordinal - 1));
        });
        world.policy(p -> p.maxRetries(2));
        world.transport.at(A).hangAfterWrite().cleanAfterAbandonment(ms(500));
        world.transport.at(B).answer(503);
        world.transport.at(C).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(wentTo()).containsExactly(A, B, C);
        assertThat(seen).containsExactly("1 new0 new0 new0", "2 tried1 new0 new0", "3 tried1 tried0 new0");
    }

    @Test
    @DisplayName("What one call has tried another has not")
    void triedIsTheCallsOwn() {
        List<Boolean> tried = new ArrayList<>();
        picking((request, ordinal, view) -> {
            tried.add(view.tried(A));
            return Optional.of(A);
        });
        world.policy(p -> p.maxRetries(0));
        world.transport.otherwise().answer(503);

        world.call(GET);
        world.call(GET);

        assertThat(tried).containsExactly(false, false);
    }

    @ParameterizedTest(name = "L5 permit for each {0}")
    @DisplayName("L5 a picker is asked once an attempt has its permit, not while it waits for one")
    @EnumSource(PermitScope.class)
    void askedAfterTheGrant(PermitScope scope) {
        Scripted picker = new Scripted(A);
        picking(picker);
        world.policy(p -> p.maxRetries(0).permitScope(scope)).permits(1, 1).holdPermits();
        world.transport.otherwise().answer(200);

        world.call(GET);
        assertThat(picker.ordinals).isEmpty();
        world.givePermit();

        assertThat(picker.ordinals).containsExactly(1);
    }

    @Test
    @DisplayName("G2 an endpoint whose breaker is open is passed over, until its period is over")
    void anOpenBreakerIsPassedOver() {
        withBreakers();
        picking(EndpointPicker.roundRobin(List.of(A, B)));
        world.transport.on(1).answer(503);
        world.transport.otherwise().answer(200);
        for (int i = 0; i < 5; i++) {
            world.call(GET);
        }
        assertThat(wentTo()).containsExactly(A, B, B, B, B);
        assertThat(figures(A).breaker().rejected()).isZero();

        world.runTo(OPEN_PERIOD);
        world.call(GET);
        world.call(GET);

        assertThat(wentTo().subList(5, 7)).containsOnlyOnce(A);
        assertThat(figures(A).breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("G2 L5 with a picker nobody asks the breaker of the URI's own origin, at entry or for a retry")
    void theOriginIsOneOfMany() {
        world.breaker(1, OPEN_PERIOD);
        picking(EndpointPicker.roundRobin(List.of(A, B)));
        world.client().forceOpenBreaker(Endpoint.of(GET.uri()));
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(wentTo()).containsExactly(A, B);
        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }

    @Test
    @DisplayName("G2 where every breaker is open a call is rejected, and holds nothing")
    void allOpen() {
        withBreakers();
        picking(EndpointPicker.roundRobin(List.of(A, B)));
        world.transport.otherwise().answer(503);
        world.call(GET);
        world.call(GET);

        world.call(GET);

        assertLastRefused();
        assertThat(wentTo()).containsExactly(A, B);
    }

    @ParameterizedTest(name = "L1 permit for each {0}")
    @DisplayName(
            "R7 R9 G1 where every breaker is open by the time a retry is due, it is suppressed, and its reservation goes back")
    @EnumSource(PermitScope.class)
    void allOpenForARetry(PermitScope scope) {
        world.policy(p -> p.permitScope(scope).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))))
                .breaker(1, OPEN_PERIOD);
        picking(EndpointPicker.roundRobin(List.of(A)));
        world.transport.at(A).answer(503);

        world.call(GET);
        assertThat(world.client().budgetFigures().reserved()).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(world.report().suppressed()).contains(Suppressed.BREAKER_OPEN);
        assertThat(((Outcome.Response) world.report().outcome()).response().status())
                .isEqualTo(503);
        assertThat(world.transport.bodies().held()).hasSize(1);
        assertThat(world.report().retryDelays()).containsExactly(ms(10));
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @Test
    @DisplayName("G2 a picker that has nowhere to go rejects a call, in a client without breakers too")
    void nowhereToGo() {
        picking((request, ordinal, view) -> Optional.empty());

        world.call(GET);

        assertLastRefused();
        assertThat(world.transport.sends()).isZero();
    }

    // ---- Refused after all

    @Test
    @DisplayName("G4 an endpoint whose ramp refuses is not admitted by the next view, and the picker asked again")
    void refusedByTheRamp() {
        withBreakers();
        Scripted picker = new Scripted(A, B);
        picking(picker);
        ramping(picker, A);
        int sends = world.transport.sends();
        world.transport.at(B).answer(200);

        world.call(GET);

        assertThat(picker.ordinals).containsExactly(1, 1);
        assertThat(wentTo().subList(sends, sends + 1)).containsExactly(B);
        assertThat(figures(A).breaker().rejected()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} refuse")
    @DisplayName("G2 a picker is asked three times for one attempt, and no more")
    @ValueSource(ints = {2, 3})
    void askedThreeTimes(int refusing) {
        withBreakers();
        Scripted picker = new Scripted(A, B, C, D);
        picking(picker);
        ramping(picker, picker.endpoints.subList(0, refusing).toArray(Endpoint[]::new));
        int sends = world.transport.sends();
        world.transport.otherwise().answer(200);

        world.call(GET);

        assertThat(picker.ordinals).containsExactly(1, 1, 1);
        if (refusing == 3) {
            assertLastRefused();
            assertThat(world.transport.sends()).isEqualTo(sends);
        } else {
            assertThat(wentTo().get(sends)).isEqualTo(C);
        }
    }

    @Test
    @DisplayName("G2 a trial place that another call takes during the pick is taken, and the picker asked again")
    void aTrialPlaceTakenMeanwhile() {
        withBreakers();
        Scripted picker = new Scripted(A, B);
        picking(picker);
        world.transport.on(1).answer(503);
        world.call(GET);
        world.runTo(OPEN_PERIOD);
        world.transport.on(2).hangAfterWrite();
        world.transport.on(3).answer(200);
        picker.ordinals.clear();
        picker.meanwhile = () -> world.call(GET);

        world.call(GET);

        assertThat(wentTo()).containsExactly(A, A, B);
        assertThat(picker.ordinals).containsExactly(1, 1, 1);
        assertThat(figures(A).breaker().trialsRunning()).isEqualTo(1);
        world.transport.attempt(2).answerCleanly(200);
    }

    @Test
    @DisplayName("G4 a picker that does not heed its view gets no more out of a ramp than one that does")
    void aStubbornPickerDoesNotHurryTheRamp() {
        withBreakers();
        Scripted picker = new Scripted(A);
        picking(picker);
        ramping(picker, A);
        int sends = world.transport.sends();
        picker.stubborn = true;
        world.transport.otherwise().answer(200);

        for (int i = 0; i < 20; i++) {
            world.call(GET);
        }

        // 10 % of 20.
        assertThat(world.transport.sends()).isEqualTo(sends + 2);
        assertThat(figures(A).breaker().rejected()).isEqualTo(18);
    }

    // ---- Pickers that break

    @Test
    @DisplayName("A5 a picker that throws breaks the call, and nothing is held of it")
    void aPickerThatThrows() {
        withBreakers();
        IllegalStateException bug = new IllegalStateException("bug");
        picking((request, ordinal, view) -> {
            throw bug;
        });

        world.call(GET);

        assertThat(world.report().outcome()).isEqualTo(new Outcome.Broken(bug));
        assertThat(world.report().attempts()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @ParameterizedTest(name = "L1 permit for each {0}")
    @DisplayName(
            "A5 E8 G1 one that throws for a retry likewise: reservation and permit go back, the last response is the caller's")
    @EnumSource(PermitScope.class)
    void aPickerThatThrowsForARetry(PermitScope scope) {
        world.policy(p -> p.permitScope(scope).budget(BudgetSettings.of(1, 0, Duration.ofSeconds(10))))
                .breaker(10, OPEN_PERIOD);
        picking((request, ordinal, view) -> {
            if (ordinal == 2) {
                throw new StackOverflowError();
            }
            return Optional.of(A);
        });
        world.transport.at(A).answer(503);

        world.call(GET);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.BROKEN);
        assertThat(world.report().attempts()).isEqualTo(1);
        assertThat(world.report().lastRealResult()).map(Outcome::kind).contains(Outcome.Kind.RESPONSE);
        assertThat(world.client().budgetFigures().reserved()).isZero();
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    @Test
    @DisplayName("A5 E8 one that throws when it is asked again likewise")
    void aPickerThatThrowsWhenAskedAgain() {
        withBreakers();
        Scripted picker = new Scripted(A, B);
        int[] left = {Integer.MAX_VALUE};
        picking((request, ordinal, view) -> {
            if (left[0]-- == 0) {
                throw new IllegalStateException("bug");
            }
            return picker.pick(request, ordinal, view);
        });
        ramping(picker, A);
        left[0] = 1;

        world.call(GET);

        assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.BROKEN);
        assertThat(world.client().figures().permitsHeld()).isZero();
    }

    // ---- Load

    @ParameterizedTest(name = "seed {0}")
    @DisplayName(
            "Least-loaded avoids an endpoint that still holds an attempt, answered or not, as long as it is not clean")
    @ValueSource(longs = {1, 2, 3, 42})
    void leastLoadedAvoidsTheLoaded(long seed) {
        picking(EndpointPicker.leastLoaded(List.of(A, B), seed));
        world.policy(p -> p.cleanupReserve(ms(400)).maxRetries(0)).breaker(100, OPEN_PERIOD);
        world.transport.at(A).answer(200).pause(ms(50)).clean();
        world.transport.at(B).answer(200);

        for (int i = 0; i < 40; i++) {
            world.call(GET);
        }

        assertThat(Collections.frequency(wentTo(), A)).isEqualTo(1);
        assertThat(figures(A).inFlight()).isEqualTo(1);
        world.runTo(ms(50));
        assertThat(figures(A).inFlight()).isZero();
        for (int i = 0; i < 40; i++) {
            world.call(GET);
        }
        assertThat(Collections.frequency(wentTo(), A)).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "What is in flight is counted in a client without breakers, and what failed to connect is not for long")
    void countedWithoutBreakers() {
        List<Integer> seen = new ArrayList<>();
        picking((request, ordinal, view) -> {
            seen.add(view.inFlight(A));
            return Optional.of(A);
        });
        world.policy(p -> p.maxRetries(0));
        world.transport.on(1).hangAfterWrite();
        world.transport.on(2).fail(Kind.REFUSED);
        world.transport.on(3).raise(new IllegalStateException("bug"));
        world.transport.otherwise().answer(200);

        Call first = world.call(GET);
        for (int i = 0; i < 3; i++) {
            world.call(GET);
        }
        first.cancel();
        world.call(GET);

        assertThat(seen).containsExactly(0, 1, 1, 1, 0);
    }
}
