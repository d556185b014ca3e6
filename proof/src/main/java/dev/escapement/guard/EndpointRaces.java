package dev.escapement.guard;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.transport.Endpoint;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A table with room for one endpoint, as another is wanted: what must not be forgotten is not (G2, G5). */
public final class EndpointRaces {

    private static final Endpoint A = Endpoint.of("http://a.example");
    private static final Endpoint B = Endpoint.of("http://b.example");

    private static final BreakerSettings ONE_PLACE = BreakerSettings.builder()
            .consecutiveFailures(1)
            .countWindow(1)
            .minimumCalls(1)
            .openPeriod(Duration.ofSeconds(1))
            .tableSize(1)
            .build();

    private EndpointRaces() {}

    /** A failure that opens its breaker, as that endpoint is evicted. */
    @JCStressTest
    @Outcome(id = "OPEN, true", expect = ACCEPTABLE, desc = "open, and kept: the other is not guarded")
    @Outcome(id = "CLOSED, false", expect = ACCEPTABLE, desc = "forgotten before: the result judges nothing")
    @State
    public static class OpeningAgainstEviction {

        private final EndpointTable table = EndpointTable.of(ONE_PLACE);
        private final CircuitBreaker breaker = breaker(table.find(A, 0));
        private final int stamp = breaker.tryAdmit(0, 1);

        @Actor
        public void result() {
            breaker.record(stamp, Verdict.FAILURE, 0, 1);
        }

        @Actor
        public void newcomer() {
            table.find(B, 0);
        }

        @Arbiter
        public void left(LZ_Result r) {
            r.r1 = breaker.figures(0).state();
            r.r2 = table.rejects(A, 0);
        }
    }

    /** Somebody opens an endpoint by hand, as it is evicted. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "open, and kept")
    @Outcome(
            id = "false, false",
            expect = ACCEPTABLE,
            desc = "the other was just taking the place: refused, and told so")
    @State
    public static class OpeningByHandAgainstEviction {

        private final EndpointTable table = EndpointTable.of(ONE_PLACE);

        public OpeningByHandAgainstEviction() {
            table.find(A, 0);
        }

        @Actor
        public void operator(ZZ_Result r) {
            r.r1 = table.forceOpen(A, 0);
        }

        @Actor
        public void newcomer() {
            table.find(B, 0);
        }

        @Arbiter
        public void left(ZZ_Result r) {
            r.r2 = table.rejects(A, 0);
        }
    }

    /** Two attempts at an endpoint that is new to both. */
    @JCStressTest
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "one state, in the one place")
    @State
    public static class TwoLookUps {

        private final EndpointTable table =
                EndpointTable.of(BreakerSettings.builder().tableSize(2).build());
        private EndpointState first = EndpointState.outside(A);
        private EndpointState second = EndpointState.outside(A);

        @Actor
        public void first() {
            first = table.find(A, 0);
        }

        @Actor
        public void second() {
            second = table.find(A, 0);
        }

        @Arbiter
        public void left(ZI_Result r) {
            // The other place must still be free.
            boolean guarded = table.find(B, 0).breaker() != null;
            r.r1 = guarded && first == second && table.find(A, 0) == first;
            r.r2 = table.figures().entries() - 1;
        }
    }

    /** Two new endpoints and one place. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "one is known; the other was forgotten for it, or is not guarded")
    @State
    public static class TwoForOnePlace {

        private final EndpointTable table = EndpointTable.of(ONE_PLACE);

        @Actor
        public void first() {
            table.find(A, 0);
        }

        @Actor
        public void second() {
            table.find(B, 0);
        }

        @Arbiter
        public void left(I_Result r) {
            r.r1 = table.figures().entries();
        }
    }

    /** Two attempts start at one endpoint. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both are there")
    @State
    public static class TwoInFlight {

        private final EndpointState state = EndpointState.outside(A);

        @Actor
        public void first() {
            state.attemptStarted();
        }

        @Actor
        public void second() {
            state.attemptStarted();
        }

        @Arbiter
        public void left(I_Result r) {
            r.r1 = state.inFlight();
        }
    }

    private static CircuitBreaker breaker(EndpointState state) {
        CircuitBreaker breaker = state.breaker();
        if (breaker == null) {
            throw new IllegalStateException(state + " is not guarded");
        }
        return breaker;
    }
}
