package dev.escapement.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.Policy;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.TransportFailure;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZLZ_Result;
import org.openjdk.jcstress.infra.results.ZL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A lane between its transport and its machine, on a thread each (E1, A5, E8). */
public final class LaneRaces {

    private static final VirtualTime HOME = new VirtualTime();
    private static final Client CLIENT = Client.builder((request, exchange) -> Attempt.OVER, Schedulers.of(HOME))
            .policy(Policy.standard())
            .build();
    private static final Terms TERMS = new OperationClass(Policy.standard(), 0).terms();
    private static final Request GET = Request.get("http://a.example/");
    private static final Response OK = Response.of(200);
    private static final TransportFailure RESET = TransportFailure.of(TransportFailure.Kind.RESET, "simulated");

    private LaneRaces() {}

    /** A call that nobody started: its word stays taken, so that signals stay where they can be seen. */
    private static CallMachine unstarted() {
        return new CallMachine(CLIENT, HOME, TERMS, GET, CallOptions.none(), report -> {}, 0);
    }

    private static Lane lane() {
        return new Lane(unstarted(), 1, null);
    }

    /** The first byte against abandonment. */
    @JCStressTest
    @Outcome(id = "true, UNKNOWN, true", expect = ACCEPTABLE, desc = "the byte may leave, and the report says so")
    @Outcome(id = "false, NOT_STARTED, false", expect = ACCEPTABLE, desc = "it never leaves, and the report says so")
    @State
    public static class FirstByteAgainstAbandonment {

        private final Lane lane = lane();

        public FirstByteAgainstAbandonment() {
            lane.connected(true);
        }

        @Actor
        public void transport(ZLZ_Result r) {
            r.r1 = lane.tryWrite();
        }

        @Actor
        public void machine(ZLZ_Result r) {
            lane.abandon();
            r.r2 = lane.progress();
        }

        @Arbiter
        public void after(ZLZ_Result r) {
            // Shut for good; what was open while it lasted is seen by what was answered.
            r.r3 = lane.tryWrite() || r.r1;
        }
    }

    /** The first byte on a connection that replaces a stale one, against abandonment (R10). */
    @JCStressTest
    @Outcome(id = "true, UNKNOWN", expect = ACCEPTABLE, desc = "the byte may leave on the new connection")
    @Outcome(id = "false, NOT_STARTED", expect = ACCEPTABLE, desc = "given up between the two: neither took a byte")
    @Outcome(id = "false, UNKNOWN", expect = ACCEPTABLE, desc = "given up while the old one might have taken it")
    @State
    public static class ReplacementAgainstAbandonment {

        private final Lane lane = lane();

        public ReplacementAgainstAbandonment() {
            lane.connected(true);
            lane.tryWrite();
        }

        @Actor
        public void transport(ZL_Result r) {
            lane.connected(false);
            r.r1 = lane.tryWrite();
        }

        @Actor
        public void machine(ZL_Result r) {
            lane.abandon();
            r.r2 = lane.progress();
        }
    }

    /** A response against abandonment. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the machine got the response, to dispose of")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the transport still owns it")
    @State
    public static class ResultAgainstAbandonment {

        private final Lane lane = lane();

        @Actor
        public void transport(ZZ_Result r) {
            r.r1 = lane.succeed(OK);
        }

        @Actor
        public void machine(ZZ_Result r) {
            r.r2 = lane.abandon() == null;
        }
    }

    /** Two results of one attempt. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the response is the result")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the failure is")
    @State
    public static class TwoResults {

        private final Lane lane = lane();

        @Actor
        public void reader(ZZ_Result r) {
            r.r1 = lane.succeed(OK);
        }

        @Actor
        public void writer(ZZ_Result r) {
            r.r2 = lane.fail(RESET);
        }
    }

    /** The transport lets go as the machine gives up: each stores one word and looks at the other's. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the machine sees at once that it is clean")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "it is told")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
    @State
    public static class CleanAgainstAbandonment {

        private final CallMachine call = unstarted();
        private final Lane lane = new Lane(call, 1, null);

        @Actor
        public void transport() {
            lane.clean(ConnectionFate.REUSED, 0);
        }

        @Actor
        public void machine(ZZ_Result r) {
            lane.abandon();
            r.r1 = lane.isClean();
        }

        @Arbiter
        public void told(ZZ_Result r) {
            r.r2 = (call.take() & Signals.CLEANED) != 0;
        }
    }
}
