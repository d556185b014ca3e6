package dev.escapement.benchmarks;

import dev.escapement.guard.RetryBudget;
import dev.escapement.policy.BudgetSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a call cost its retry budget: a deposit while all is well, a deposit and a question when it fails?
 *
 * <p>The floor is a pair of atomic additions on a word of its own cache line; the peer is a bucket of tokens behind a lock, as
 * other libraries have it, which knows no window and forgets nothing. Every thread has its own clock, 200 ns further for each
 * call, so that a bucket of a second is entered every five million. Granted and refused are counted. Left out: reading the
 * clock, and everything between a call's start and its failure, which is when threads would meet less than they do here.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar BudgetBenchmark -t 1 -prof gc
 * java -jar benchmarks/target/benchmarks.jar BudgetBenchmark -t 2 -prof gc
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-Xmn192m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BudgetBenchmark {

    private static final long BETWEEN_CALLS_NANOS = 200;

    /** One of each kind, shared by all threads. */
    @State(Scope.Benchmark)
    public static class Budgets {
        final RetryBudget generous = budget(1, 0);
        final RetryBudget standard = RetryBudget.of(BudgetSettings.standard(), 0);
        final RetryBudget floor = budget(0, Integer.MAX_VALUE);
        final RetryBudget none = RetryBudget.of(BudgetSettings.none(), 0);
        final TokenBucket tokens = new TokenBucket(BudgetSettings.standard());
        final PermitBenchmark.PaddedCounter counter = new PermitBenchmark.PaddedCounter();

        private static RetryBudget budget(double ratio, int floorPerSecond) {
            return RetryBudget.of(BudgetSettings.of(ratio, floorPerSecond, Duration.ofSeconds(10)), 0);
        }
    }

    /** The clock of one thread. */
    @State(Scope.Thread)
    public static class Clock {
        private long nanos;

        long next() {
            nanos += BETWEEN_CALLS_NANOS;
            return nanos;
        }
    }

    /** How the questions were answered. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Answers {
        /** Retries granted. */
        public long granted;

        /** Retries refused. */
        public long refused;

        boolean count(boolean answer) {
            if (answer) {
                granted++;
            } else {
                refused++;
            }
            return answer;
        }
    }

    /** Two atomic additions. */
    @Benchmark
    public long floorAtomicPair(Budgets budgets) {
        budgets.counter.getAndAdd(1L);
        return budgets.counter.getAndAdd(-1L);
    }

    /** A deposit and a question behind a lock; four of five are refused. */
    @Benchmark
    public boolean lockedTokenBucket(Budgets budgets, Answers answers) {
        budgets.tokens.deposit();
        return answers.count(budgets.tokens.tryWithdraw());
    }

    /** All is well: a deposit, and no question. */
    @Benchmark
    public void escapementDeposit(Budgets budgets, Clock clock) {
        budgets.standard.deposit(clock.next());
    }

    /** Few calls fail: a deposit and a retry that what is known already affords. */
    @Benchmark
    public boolean escapementAffordable(Budgets budgets, Clock clock, Answers answers) {
        long nowNanos = clock.next();
        budgets.floor.deposit(nowNanos);
        return answers.count(budgets.floor.tryReserve(nowNanos));
    }

    /** Every call fails and the budget just affords it: a deposit, and the retry that it pays for. */
    @Benchmark
    public boolean escapementPaid(Budgets budgets, Clock clock, Answers answers) {
        long nowNanos = clock.next();
        budgets.generous.deposit(nowNanos);
        return answers.count(budgets.generous.tryReserve(nowNanos));
    }

    /** Every call fails: a deposit, and a question that is refused four times of five. */
    @Benchmark
    public boolean escapementExhausted(Budgets budgets, Clock clock, Answers answers) {
        long nowNanos = clock.next();
        budgets.standard.deposit(nowNanos);
        return answers.count(budgets.standard.tryReserve(nowNanos));
    }

    /** The same where there is no budget. */
    @Benchmark
    public boolean escapementNone(Budgets budgets, Clock clock, Answers answers) {
        long nowNanos = clock.next();
        budgets.none.deposit(nowNanos);
        return answers.count(budgets.none.tryReserve(nowNanos));
    }

    /** Tokens that calls pay in and retries take out. */
    static final class TokenBucket {
        private final long deposit;
        private final long most;
        private long balance;

        TokenBucket(BudgetSettings settings) {
            deposit = settings.ratioPartsPerMillion();
            most = 1_000L * BudgetSettings.MILLION;
        }

        synchronized void deposit() {
            balance = Math.min(most, balance + deposit);
        }

        synchronized boolean tryWithdraw() {
            if (balance < BudgetSettings.MILLION) {
                return false;
            }
            balance -= BudgetSettings.MILLION;
            return true;
        }
    }
}
