package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.explorer.PlainBudget;
import dev.escapement.policy.BudgetSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls, retries and instants, on the budget and on a naive model of it; after each step the two are compared whole. */
class RetryBudgetModelTest {

    private static final int ROUNDS = 300;
    private static final int STEPS = 600;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 20_261, 4_821, 77_003})
    @DisplayName("G1 A6 T1 the budget does what the model does, at every edge of a bucket and from every origin")
    void doesWhatTheModelDoes(long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            new Run(new SplittableRandom(seed * 1_000 + round)).run("seed " + seed + ", round " + round);
        }
    }

    /** One budget and its model, through some windows. */
    private static final class Run {

        private final SplittableRandom random;
        private final BudgetSettings settings;
        private final long bucketNanos;
        private final RetryBudget budget;
        private final PlainBudget model;
        private final List<Long> held = new ArrayList<>();

        /** How likely a call is among the steps, in percent: quiet and busy populations. */
        private final int callPercent;

        private long nowNanos;

        Run(SplittableRandom random) {
            this.random = random;
            settings = BudgetSettings.of(
                    BigDecimal.valueOf(
                            random.nextInt(4) == 0 ? random.nextInt(1_000_001) : 10_000L * random.nextInt(101), 6),
                    random.nextInt(4) == 0 ? 0 : random.nextInt(3),
                    Duration.ofMillis(random.nextInt(1_000, 3_000)));
            bucketNanos = settings.windowNanos() / 10;
            callPercent = random.nextInt(5, 80);
            nowNanos = switch (random.nextInt(3)) {
                case 0 -> random.nextLong(10 * bucketNanos);
                case 1 -> random.nextLong(Long.MAX_VALUE / 2);
                default -> Long.MAX_VALUE - random.nextLong(STEPS * bucketNanos);
            };
            budget = RetryBudget.of(settings, nowNanos);
            model = new PlainBudget(settings, nowNanos);
        }

        void run(String where) {
            for (int step = 0; step < STEPS; step++) {
                advance();
                step(where + ", step " + step);
                assertThat(budget.figures(nowNanos))
                        .as("%s, step %d", where, step)
                        .isEqualTo(model.figures(nowNanos));
            }
        }

        private void step(String where) {
            long at = reading();
            if (random.nextInt(100) < callPercent) {
                budget.deposit(at);
                model.deposit(at);
            } else if (!held.isEmpty() && random.nextInt(4) == 0) {
                long reservedNanos = held.remove(random.nextInt(held.size()));
                budget.giveBack(reservedNanos);
                model.giveBack(reservedNanos);
            } else {
                boolean granted = budget.tryReserve(at);
                assertThat(granted).as(where).isEqualTo(model.tryReserve(at));
                if (granted) {
                    held.add(at);
                }
            }
        }

        /** Mostly onwards by little, or to −1, 0 or +1 ns of an edge; now and then by whole windows. */
        private void advance() {
            long edge = bucketNanos - nowNanos % bucketNanos;
            long by = switch (random.nextInt(12)) {
                case 0 -> edge - 1;
                case 1 -> edge;
                case 2 -> edge + 1;
                case 3 -> edge + bucketNanos * random.nextInt(12);
                case 4 -> random.nextInt(30) == 0 ? bucketNanos * random.nextInt(40) : 0;
                default -> random.nextInt(3);
            };
            nowNanos += Math.min(by, Long.MAX_VALUE - nowNanos);
        }

        /** Now, or what a late thread takes for it. */
        private long reading() {
            return random.nextInt(10) == 0 ? nowNanos - Math.min(nowNanos, random.nextLong(3 * bucketNanos)) : nowNanos;
        }
    }
}
