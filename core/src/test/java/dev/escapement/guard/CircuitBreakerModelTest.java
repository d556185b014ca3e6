package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.explorer.PlainBreaker;
import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random scripts on the breaker and on a naive model of it; after each step the two are compared whole. */
class CircuitBreakerModelTest {

    private static final int STEPS = 1_500;
    private static final int ROUNDS = 100;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 71_002, 5_550_123})
    @DisplayName("G2 G4 A6 T1 the breaker does what the model does")
    void doesWhatTheModelDoes(long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(seed * 10_000 + round);
            new Script(random).run("seed " + seed + ", round " + round);
        }
    }

    @Test
    @DisplayName("the scripts reach every state often, by trial, ramp, window and hand")
    void theScriptsReachEveryState() {
        Map<BreakerState, Integer> seen = new EnumMap<>(BreakerState.class);
        int trials = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Script script = new Script(new SplittableRandom(round));
            script.run("round " + round);
            script.entered.forEach((state, times) -> seen.merge(state, times, Integer::sum));
            trials += script.trials;
        }

        for (BreakerState state : BreakerState.values()) {
            assertThat(seen.getOrDefault(state, 0)).as("times in %s", state).isGreaterThan(2 * ROUNDS);
        }
        assertThat(trials).isGreaterThan(2 * ROUNDS);
    }

    /** An attempt that has not ended. */
    private record Attempt(int stamp, PlainBreaker.Ticket ticket) {}

    /** One breaker and its model. */
    private static final class Script {

        private final SplittableRandom random;
        private final BreakerSettings settings;
        private final CircuitBreaker breaker;
        private final PlainBreaker model;
        private final List<Attempt> running = new ArrayList<>();
        private final Map<BreakerState, Integer> entered = new EnumMap<>(BreakerState.class);
        private final int failurePercent;
        private final int slowPercent;
        private int trials;
        private long now;

        Script(SplittableRandom random) {
            this.random = random;
            settings = settings(random);
            breaker = CircuitBreaker.of(settings);
            model = new PlainBreaker(settings);
            failurePercent = random.nextInt(5, 70);
            slowPercent = random.nextInt(60);
            now = switch (random.nextInt(3)) {
                case 0 -> 0;
                case 1 -> random.nextLong(Long.MAX_VALUE / 2);
                default -> Long.MAX_VALUE - random.nextLong(100_000);
            };
        }

        private static BreakerSettings settings(SplittableRandom random) {
            BreakerSettings.Builder builder = BreakerSettings.builder()
                    .consecutiveFailures(random.nextInt(5))
                    .failureRatePercent(random.nextInt(3) == 0 ? 0 : random.nextInt(1, 101))
                    .slowRatePercent(random.nextInt(3) == 0 ? 0 : random.nextInt(1, 101))
                    .openPeriod(
                            Duration.ofNanos(random.nextInt(4) == 0 ? 1 + random.nextInt(3) : random.nextInt(50, 500)))
                    .trials(random.nextInt(1, 5));
            if (random.nextBoolean()) {
                int calls = random.nextInt(1, 80);
                builder.countWindow(calls).minimumCalls(random.nextInt(1, calls + 1));
            } else {
                builder.timeWindow(Duration.ofNanos(random.nextInt(10, 400))).minimumCalls(random.nextInt(1, 20));
            }
            if (random.nextInt(4) > 0) {
                builder.slowCall(Duration.ofNanos(100));
            }
            return builder.build();
        }

        void run(String where) {
            BreakerState last = BreakerState.CLOSED;
            for (int step = 0; step < STEPS; step++) {
                String at = where + ", step " + step + ", " + settings;
                step(at);
                BreakerFigures figures = breaker.figures(now);
                assertThat(figures).as(at).isEqualTo(model.figures(now));
                long soon = plus(now, random.nextInt(600));
                assertThat(breaker.rejects(soon)).as(at).isEqualTo(model.rejects(soon));
                if (figures.state() != last) {
                    last = figures.state();
                    entered.merge(last, 1, Integer::sum);
                }
            }
        }

        private void step(String at) {
            advance();
            // A thread that has read its clock a little before another's step.
            long late = random.nextInt(8) == 0 ? Math.max(0, now - random.nextInt(60)) : now;
            int what = random.nextInt(1_000);
            if (what < 2) {
                breaker.forceOpen(late);
                model.forceOpen(late);
            } else if (what < 12) {
                breaker.close(late);
                model.close(late);
            } else if (what < 550) {
                admit(late, at);
            } else if (!running.isEmpty()) {
                record(running.remove(random.nextInt(running.size())), late);
            }
        }

        private void advance() {
            long to = switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> now;
                case 4, 5, 6 -> plus(now, 1 + random.nextInt(20));
                case 7 -> plus(now, random.nextInt(300));
                // The end of a period or a ramp, at −1, 0 and +1 nanosecond.
                case 8 -> plus(Math.max(0, model.until() - 1), random.nextInt(3));
                default -> random.nextInt(100) == 0 ? plus(now, 20_000) : now;
            };
            now = Math.max(now, to);
        }

        private void admit(long at, String where) {
            long leaseEnd = plus(at, random.nextInt(300));
            int stamp = breaker.tryAdmit(at, leaseEnd);
            PlainBreaker.Ticket ticket = model.tryAdmit(at, leaseEnd);
            assertThat(stamp != CircuitBreaker.REFUSED).as(where).isEqualTo(ticket != null);
            assertThat(stamp).isNotNegative();
            if (ticket != null) {
                assertThat(CircuitBreaker.isTrial(stamp)).as(where).isEqualTo(ticket.trial());
                trials += ticket.trial() ? 1 : 0;
                running.add(new Attempt(stamp, ticket));
            }
        }

        private void record(Attempt attempt, long at) {
            int draw = random.nextInt(100);
            Verdict verdict = draw < failurePercent ? Verdict.FAILURE : draw < 97 ? Verdict.SUCCESS : Verdict.NEUTRAL;
            long duration = random.nextInt(100) < slowPercent ? 100 + random.nextInt(2) : 99;
            breaker.record(attempt.stamp, verdict, at, duration);
            model.record(attempt.ticket, verdict, at, duration);
        }

        private static long plus(long instant, long length) {
            return instant > Long.MAX_VALUE - length ? Long.MAX_VALUE : instant + length;
        }
    }
}
