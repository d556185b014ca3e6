package dev.escapement.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.netty.SharedLimit.Entry;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZLI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The limit that loops share, and two of them: nobody waits beside what is free, nothing is taken twice (L2, L4, E7). */
public final class SharedLimitRaces {

    private SharedLimitRaces() {}

    /** A connection comes to lie idle on one loop while a lane of another begins to wait. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the pool sees the waiter")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the waiter sees what lies idle")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both see")
    @State
    public static class IdleAgainstWaiting {

        private final SharedLimit<Party, String> limit = taken();
        private final IdleCount idle = new IdleCount();
        private final Party party = Party.at("there");

        @Actor
        public void pool(ZZ_Result r) {
            idle.publish(1);
            r.r1 = limit.waiting() > 0;
        }

        @Actor
        public void newcomer(ZZ_Result r) {
            limit.enter(party, 0);
            r.r2 = idle.get() > 0;
        }
    }

    /** A loop takes the only waiter, to serve it, while that one is abandoned at home. */
    @JCStressTest
    @Outcome(id = "true, nobody, 0", expect = ACCEPTABLE, desc = "it left first")
    @Outcome(id = "false, here, 0", expect = ACCEPTABLE, desc = "it moved, and its owner knows where")
    @State
    public static class TakingAgainstLeaving {

        private final SharedLimit<Party, String> limit = taken();
        private final Party party = Party.at("there");

        public TakingAgainstLeaving() {
            limit.enter(party, 0);
        }

        @Actor
        public void server(ZLI_Result r) {
            Party got = limit.take("here");
            if (got == null) {
                r.r2 = "nobody";
            }
        }

        @Actor
        public void owner(ZLI_Result r) {
            r.r1 = limit.leave(party);
            if (!r.r1) {
                // Where the owner sends what it wanted done.
                r.r2 = party.place();
            }
        }

        @Arbiter
        public void left(ZLI_Result r) {
            r.r3 = limit.waiting();
        }
    }

    /** Two loops have something idle, and one waits. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first serves")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second serves")
    @State
    public static class TwoTakings {

        private final SharedLimit<Party, String> limit = taken();

        public TwoTakings() {
            limit.enter(Party.at("there"), 0);
        }

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = limit.take("one") != null;
        }

        @Actor
        public void two(ZZ_Result r) {
            r.r2 = limit.take("two") != null;
        }
    }

    /** The only place comes free while a lane of another loop begins to wait: it is taken for that one, once. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "who frees it finds the waiter")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the waiter finds it free")
    @State
    public static class PlaceAgainstWaiting {

        private final SharedLimit<Party, String> limit = taken();
        private final Party party = Party.at("there");

        @Actor
        public void closing(ZZI_Result r) {
            r.r1 = limit.freed() != null;
        }

        @Actor
        public void newcomer(ZZI_Result r) {
            limit.enter(party, 0);
            r.r2 = limit.reserve() != null;
        }

        @Arbiter
        public void left(ZZI_Result r) {
            r.r3 = limit.open();
        }
    }

    /** Two loops begin to wait, and there is one place. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first connects")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the second connects")
    @State
    public static class TwoForOnePlace {

        private final SharedLimit<Party, String> limit = new SharedLimit<>(1, 2);

        public TwoForOnePlace() {
            limit.enter(Party.at("one"), 0);
            limit.enter(Party.at("two"), 0);
        }

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = limit.reserve() != null;
        }

        @Actor
        public void two(ZZI_Result r) {
            r.r2 = limit.reserve() != null;
        }

        @Arbiter
        public void left(ZZI_Result r) {
            r.r3 = limit.open();
        }
    }

    /** The transport closes while a lane begins to wait: nobody waits at a closed limit (S1). */
    @JCStressTest
    @Outcome(id = "true, true, 0", expect = ACCEPTABLE, desc = "it waited, and was found")
    @Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "it came too late")
    @State
    public static class ClosingAgainstWaiting {

        private final SharedLimit<Party, String> limit = taken();
        private final Party party = Party.at("there");

        @Actor
        public void newcomer(ZZI_Result r) {
            r.r1 = limit.enter(party, 0) == Entry.QUEUED;
        }

        @Actor
        public void closer(ZZI_Result r) {
            limit.close();
            r.r2 = limit.take("here") != null;
        }

        @Arbiter
        public void left(ZZI_Result r) {
            r.r3 = limit.waiting();
        }
    }

    /** A limit of one, whose place is taken. */
    private static SharedLimit<Party, String> taken() {
        SharedLimit<Party, String> limit = new SharedLimit<>(1, 2);
        limit.enter(Party.at("before"), 0);
        limit.reserve();
        limit.cameUp();
        limit.take("before");
        return limit;
    }

    private static final class Party extends Waiter<Party, String> {

        static Party at(String place) {
            Party party = new Party();
            party.stand(place);
            return party;
        }
    }
}
