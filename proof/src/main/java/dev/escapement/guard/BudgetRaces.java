package dev.escapement.guard;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.policy.BudgetSettings;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A budget in which each call affords one retry, where two threads meet: nothing is granted twice or lost (G1). */
public final class BudgetRaces {

    private static final BudgetSettings SETTINGS = BudgetSettings.of(1, 0, Duration.ofSeconds(1));

    /** The first instant of the second bucket. */
    private static final long NEXT = 100_000_000;

    private BudgetRaces() {}

    private static RetryBudget paidForOne() {
        RetryBudget budget = RetryBudget.of(SETTINGS, 0, 2);
        budget.deposit(0);
        return budget;
    }

    /** Two retries, of which one is affordable. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first is")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second is")
    @State
    public static class TwoForOne {

        private final RetryBudget budget = paidForOne();

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = budget.tryReserve(0);
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = budget.tryReserve(0);
        }
    }

    /** A retry asks as the only call pays in. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "paid before it asked")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "it asked too early; the next one is granted")
    @State
    public static class DepositAgainstAsking {

        private final RetryBudget budget = RetryBudget.of(SETTINGS, 0, 2);

        @Actor
        public void call() {
            budget.deposit(0);
        }

        @Actor
        public void retry(ZZ_Result r) {
            r.r1 = budget.tryReserve(0);
        }

        @Arbiter
        public void next(ZZ_Result r) {
            r.r2 = budget.tryReserve(0);
        }
    }

    /** Of two affordable retries one is given back, as the other is asked for. */
    @JCStressTest
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "granted, and the one that is back is affordable")
    @State
    public static class GivingBackAgainstAsking {

        private final RetryBudget budget = paidForOne();

        public GivingBackAgainstAsking() {
            budget.deposit(0);
            budget.tryReserve(0);
        }

        @Actor
        public void holder() {
            budget.giveBack(0);
        }

        @Actor
        public void retry(ZI_Result r) {
            r.r1 = budget.tryReserve(0);
        }

        @Arbiter
        public void affordable(ZI_Result r) {
            r.r2 = (int) budget.figures(0).available();
        }
    }

    /** Two deposits by two threads. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both count")
    @State
    public static class TwoDeposits {

        private final RetryBudget budget = RetryBudget.of(SETTINGS, 0, 1);

        @Actor
        public void first() {
            budget.deposit(0);
        }

        @Actor
        public void second() {
            budget.deposit(0);
        }

        @Arbiter
        public void calls(I_Result r) {
            r.r1 = (int) budget.figures(0).deposits();
        }
    }

    /** A retry of the bucket that ends and one of the next, of which one is affordable (A6). */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the older is, and is written down with its bucket")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the newer is")
    @State
    public static class TwoAtAnEdge {

        private final RetryBudget budget = paidForOne();

        @Actor
        public void older(ZZ_Result r) {
            r.r1 = budget.tryReserve(0);
        }

        @Actor
        public void newer(ZZ_Result r) {
            r.r2 = budget.tryReserve(NEXT);
        }
    }

    /** A deposit in the bucket that ends, and one that ends it (A6). */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both count, in whichever bucket")
    @State
    public static class DepositsAtAnEdge {

        private final RetryBudget budget = RetryBudget.of(SETTINGS, 0, 1);

        @Actor
        public void older() {
            budget.deposit(0);
        }

        @Actor
        public void newer() {
            budget.deposit(NEXT);
        }

        @Arbiter
        public void calls(I_Result r) {
            r.r1 = (int) budget.figures(NEXT).deposits();
        }
    }
}
