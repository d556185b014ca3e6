package dev.escapement.permit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.ZLL_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** One permit, and two threads that want it, give it back or give up: one winner, nothing lost, nothing doubled (L3, L4). */
public final class PermitRaces {

    private PermitRaces() {}

    /** Two want the one that is free. */
    @JCStressTest
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the first has it")
    @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the second has it")
    @State
    public static class TwoAcquisitions {

        private final PermitPool pool = PermitPool.of(1, 1);

        @Actor
        public void first(ZZI_Result r) {
            r.r1 = pool.tryAcquire();
        }

        @Actor
        public void second(ZZI_Result r) {
            r.r2 = pool.tryAcquire();
        }

        @Arbiter
        public void left(ZZI_Result r) {
            r.r3 = pool.available();
        }
    }

    /** A release, on its way to the only waiter, meets that one's timeout or cancellation. */
    @JCStressTest
    @Outcome(
            id = "true, NEW, free 1 told 0",
            expect = ACCEPTABLE,
            desc = "it left first: the permit is free, nobody is told")
    @Outcome(id = "false, GRANTED, free 0 told 1", expect = ACCEPTABLE, desc = "it owns the permit, and was told once")
    @State
    public static class GrantAgainstCancellation {

        private final PermitPool pool = held();
        private final Waiter waiter = new Waiter();

        public GrantAgainstCancellation() {
            pool.enqueue(waiter);
        }

        @Actor
        public void holder() {
            pool.release();
        }

        @Actor
        public void owner(ZLL_Result r) {
            r.r1 = pool.cancel(waiter);
        }

        @Arbiter
        public void left(ZLL_Result r) {
            r.r2 = waiter.state();
            r.r3 = "free " + pool.available() + " told " + waiter.signals;
        }
    }

    /** A release meets one who joins the queue. */
    @JCStressTest
    @Outcome(id = "GRANTED, 0, 0", expect = ACCEPTABLE, desc = "it found the permit free")
    @Outcome(id = "GRANTED, 0, 1", expect = ACCEPTABLE, desc = "it waited and was given the permit")
    @State
    public static class ReleaseAgainstJoining {

        private final PermitPool pool = held();
        private final Waiter waiter = new Waiter();

        @Actor
        public void holder() {
            pool.release();
        }

        @Actor
        public void newcomer() {
            pool.enqueue(waiter);
        }

        @Arbiter
        public void left(LII_Result r) {
            r.r1 = waiter.state();
            r.r2 = pool.available();
            r.r3 = waiter.signals;
        }
    }

    /** Two releases, and nobody waits. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both are back")
    @State
    public static class TwoReleases {

        private final PermitPool pool = PermitPool.of(2, 1);

        public TwoReleases() {
            pool.tryAcquire();
            pool.tryAcquire();
        }

        @Actor
        public void holder() {
            pool.release();
        }

        @Actor
        public void otherHolder() {
            pool.release();
        }

        @Arbiter
        public void left(I_Result r) {
            r.r1 = pool.available();
        }
    }

    /** Closing meets a release that is on its way to the only waiter (S1). */
    @JCStressTest
    @Outcome(id = "CLOSED, 1, 1", expect = ACCEPTABLE, desc = "refused: the permit is free")
    @Outcome(id = "GRANTED, 0, 1", expect = ACCEPTABLE, desc = "served before")
    @State
    public static class GrantAgainstClosing {

        private final PermitPool pool = held();
        private final Waiter waiter = new Waiter();

        public GrantAgainstClosing() {
            pool.enqueue(waiter);
        }

        @Actor
        public void holder() {
            pool.release();
        }

        @Actor
        public void closer() {
            pool.close();
        }

        @Arbiter
        public void left(LII_Result r) {
            r.r1 = waiter.state();
            r.r2 = pool.available();
            r.r3 = waiter.signals;
        }
    }

    /** Closing meets one who joins the queue: nobody waits in a closed pool. */
    @JCStressTest
    @Outcome(id = "NEW, 0, 0", expect = ACCEPTABLE, desc = "it came too late and was refused")
    @Outcome(id = "CLOSED, 0, 1", expect = ACCEPTABLE, desc = "it waited, and was told")
    @State
    public static class JoiningAgainstClosing {

        private final PermitPool pool = held();
        private final Waiter waiter = new Waiter();

        @Actor
        public void newcomer() {
            pool.enqueue(waiter);
        }

        @Actor
        public void closer() {
            pool.close();
        }

        @Arbiter
        public void left(LII_Result r) {
            r.r1 = waiter.state();
            r.r2 = pool.waiting();
            r.r3 = waiter.signals;
        }
    }

    private static PermitPool held() {
        PermitPool pool = PermitPool.of(1, 1);
        pool.tryAcquire();
        return pool;
    }

    /** Counts what it is told. */
    private static final class Waiter extends PermitWaiter {

        /** By whoever ends the wait. */
        private int signals;

        @Override
        protected void signalled() {
            signals++;
        }
    }
}
