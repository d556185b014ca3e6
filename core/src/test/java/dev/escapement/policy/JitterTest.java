package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jitter spreads what backoff lines up, from an injected source. */
class JitterTest {

    private static final long MILLI = 1_000_000L;

    /** Passed by one fair source in a thousand, with ten parts: 9 degrees of freedom. */
    private static final double CHI_SQUARE_OF_NINE = 27.9;

    @Test
    @DisplayName("B2 none is the ceiling itself, and nothing is drawn")
    void noneDrawsNothing() {
        Draw forbidden = bound -> {
            throw new AssertionError("drawn");
        };

        assertThat(Jitter.NONE.delayNanos(100, 1_000, 1, 0, forbidden)).isEqualTo(100);
        assertThat(Jitter.NONE.delayNanos(100, 1_000, 5, 0, forbidden)).isEqualTo(1_000);
    }

    @ParameterizedTest(name = "B2 {0}, {1} to {2}, {3} attempts, last pause {4}: {5} to {6}")
    @CsvSource({
        // Both ends, with ceilings that do not divide evenly.
        "full,           101, 1000, 1,    0,    0,  101",
        "full,           101,  150, 2,    0,    0,  150",
        "full,             0,    0, 1,    0,    0,    0",
        "equal,          101, 1000, 1,    0,   50,  101",
        "equal,          101, 1000, 2,    0,  101,  202",
        "equal,            1, 1000, 1,    0,    0,    1",
        "equal,         2000,  999, 1,    0,  499,  999",
        "symmetric:20,   101, 1000, 1,    0,   81,  121",
        "symmetric:20,   101, 1000, 2,    0,  162,  242",
        // 1,000 ÷ 1.2 is 833, and 833 × 1.2 is 999: below the maximum.
        "symmetric:20,   999, 1000, 1,    0,  667,  999",
        "symmetric:20,   100, 1200, 8,    0,  800, 1200",
        "symmetric:1,    100, 1000, 1,    0,   99,  101",
        "symmetric:1,     99, 1000, 1,    0,   99,   99",
        "symmetric:100,  100, 1000, 1,    0,    0,  200",
        "symmetric:100,  100, 1001, 9,    0,    0, 1000",
        // Three times the last pause, whatever the number of attempts.
        "decorrelated,   100, 1000, 1,    0,  100,  300",
        "decorrelated,   100, 1000, 9,    0,  100,  300",
        "decorrelated,   100, 1000, 2,   99,  100,  300",
        "decorrelated,   100, 1000, 2,  101,  100,  303",
        "decorrelated,   100, 1000, 2,  333,  100,  999",
        "decorrelated,   100, 1000, 2,  334,  100, 1000",
        "decorrelated,   100, 1000, 2, 5000,  100, 1000",
        "decorrelated,  2000, 1000, 1,    0, 1000, 1000",
        "decorrelated,     0, 1000, 3,    0,    0,    0"
    })
    void boundsOfTheDraw(
            String word, long initialNanos, long maxNanos, int attempts, long previousNanos, long low, long high) {
        Jitter jitter = jitter(word);
        List<Long> bounds = new ArrayList<>();
        Draw least = bound -> {
            bounds.add(bound);
            return 0;
        };

        assertThat(jitter.delayNanos(initialNanos, maxNanos, attempts, previousNanos, least))
                .isEqualTo(low);
        assertThat(bounds).containsExactly(high - low);
        assertThat(jitter.delayNanos(initialNanos, maxNanos, attempts, previousNanos, bound -> bound))
                .isEqualTo(high);
        if (low < high) {
            assertThat(jitter.delayNanos(initialNanos, maxNanos, attempts, previousNanos, bound -> 1))
                    .isEqualTo(low + 1);
        }
    }

    @ParameterizedTest(name = "B2 {0}: a draw outside the bounds is moved into them")
    @ValueSource(strings = {"full", "equal", "symmetric:20", "decorrelated"})
    void clampsADraw(String word) {
        Jitter jitter = jitter(word);
        long low = jitter.delayNanos(100, 1_000, 1, 0, bound -> 0);
        long high = jitter.delayNanos(100, 1_000, 1, 0, bound -> bound);

        assertThat(jitter.delayNanos(100, 1_000, 1, 0, bound -> -1)).isEqualTo(low);
        assertThat(jitter.delayNanos(100, 1_000, 1, 0, bound -> Long.MIN_VALUE)).isEqualTo(low);
        assertThat(jitter.delayNanos(100, 1_000, 1, 0, bound -> bound + 1)).isEqualTo(high);
        assertThat(jitter.delayNanos(100, 1_000, 1, 0, bound -> Long.MAX_VALUE)).isEqualTo(high);
    }

    @ParameterizedTest(name = "B1 {0}: no size of initial, maximum or last pause overflows, or passes the maximum")
    @ValueSource(strings = {"none", "full", "equal", "symmetric:1", "symmetric:37", "symmetric:100", "decorrelated"})
    void nothingOverflows(String word) {
        Jitter jitter = jitter(word);
        long[] edges = {0, 1, 2, 3, 99, 100, 101, Long.MAX_VALUE / 3, Long.MAX_VALUE / 3 + 1, Long.MAX_VALUE / 2};
        for (long edge : edges) {
            for (long initialNanos : new long[] {edge, Long.MAX_VALUE - edge}) {
                for (long other : edges) {
                    for (long maxNanos : new long[] {other, Long.MAX_VALUE - other}) {
                        for (int attempts : new int[] {1, 2, 31}) {
                            for (long previousNanos : new long[] {0, 1, initialNanos, maxNanos, Long.MAX_VALUE}) {
                                long low = jitter.delayNanos(initialNanos, maxNanos, attempts, previousNanos, b -> 0);
                                long high = jitter.delayNanos(initialNanos, maxNanos, attempts, previousNanos, b -> b);
                                assertThat(low).isBetween(0L, high);
                                assertThat(high).isLessThanOrEqualTo(maxNanos);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("B2 symmetric draws centre on the ceiling, and no more of them than others lie at the maximum")
    void symmetricDoesNotPileUpOnTheMaximum() {
        Jitter jitter = Jitter.symmetric(20);
        int[] tenths = new int[10];
        for (int client = 0; client < 1_000; client++) {
            JitterSource source = JitterSource.seeded(client);
            long delayNanos = jitter.delayNanos(100 * MILLI, 1_200 * MILLI, 9, 0, bound -> source.draw(1, 9, bound));
            tenths[(int) Math.min(9, (delayNanos - 800 * MILLI) * 10 / (400 * MILLI))]++;
        }

        assertThat(chiSquare(tenths)).as(Arrays.toString(tenths)).isLessThan(CHI_SQUARE_OF_NINE);
    }

    @Test
    @DisplayName("B2 decorrelated pauses grow with luck alone, and spread over the whole range at the maximum")
    void decorrelatedStaysSpreadAtTheMaximum() {
        int[] tenths = new int[10];
        for (int client = 0; client < 1_000; client++) {
            JitterSource source = JitterSource.seeded(client);
            long delayNanos =
                    Jitter.DECORRELATED.delayNanos(0, 1_000 * MILLI, 9, 900 * MILLI, b -> source.draw(1, 9, b));
            tenths[(int) Math.min(9, delayNanos / (100 * MILLI))]++;
        }

        assertThat(chiSquare(tenths)).as(Arrays.toString(tenths)).isLessThan(CHI_SQUARE_OF_NINE);
    }

    @ParameterizedTest(name = "P2 {0} percent is a fault")
    @ValueSource(ints = {0, -1, 101, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void percentOutOfRange(int percent) {
        assertThatThrownBy(() -> Jitter.symmetric(percent))
                .isInstanceOfSatisfying(
                        PolicyException.class,
                        refusal -> assertThat(refusal.faults())
                                .extracting(PolicyFault::kind)
                                .containsExactly(PolicyFault.Kind.OUT_OF_RANGE))
                .hasMessage("jitter = symmetric:" + percent + ": expected 1 to 100 percent");
    }

    @Test
    @DisplayName("P1 a jitter is a value that reads back from its word, and nothing else is one")
    void wordsReadBack() {
        List<Jitter> all = new ArrayList<>(List.of(Jitter.NONE, Jitter.FULL, Jitter.EQUAL, Jitter.DECORRELATED));
        IntStream.rangeClosed(1, 100).mapToObj(Jitter::symmetric).forEach(all::add);

        assertThat(all).doesNotHaveDuplicates().allSatisfy(jitter -> {
            assertThat(Jitter.ofWord(jitter.toString())).contains(jitter);
            assertThat(Jitter.ofWord(jitter.toString()).orElseThrow()).hasSameHashCodeAs(jitter);
        });
        assertThat(Jitter.symmetric(7)).hasToString("symmetric:7").isNotEqualTo(Jitter.NONE);
        assertThat(List.of(
                        "", "NONE", "half", "symmetric", "symmetric:", "symmetric:0", "symmetric:101", "symmetric:020"))
                .allSatisfy(word -> assertThat(Jitter.ofWord(word)).isEmpty());
    }

    @Test
    @DisplayName("B2 an injected xorshift64 with seed 42 reproduces its known delays")
    void injectedXorshift() {
        JitterSource source = new XorshiftMillis(42);

        long[] delaysMs = IntStream.rangeClosed(1, 8)
                .mapToLong(attempts -> Jitter.FULL.delayNanos(
                        100 * MILLI, 2_000 * MILLI, attempts, 0, bound -> source.draw(1, attempts, bound)))
                .map(nanos -> nanos / MILLI)
                .toArray();

        assertThat(delaysMs).containsExactly(94, 133, 72, 166, 973, 1_293, 1_498, 291);
    }

    @Test
    @DisplayName("B2 the seeded source depends on seed, call and attempt alone")
    void seededIsReproducible() {
        JitterSource source = JitterSource.seeded(7);
        long first = source.draw(11, 1, Long.MAX_VALUE);

        assertThat(source.draw(11, 1, Long.MAX_VALUE)).isEqualTo(first);
        assertThat(JitterSource.seeded(7).draw(11, 1, Long.MAX_VALUE)).isEqualTo(first);
        assertThat(JitterSource.seeded(8).draw(11, 1, Long.MAX_VALUE)).isNotEqualTo(first);
        assertThat(source.draw(12, 1, Long.MAX_VALUE)).isNotEqualTo(first);
        assertThat(source.draw(11, 2, Long.MAX_VALUE)).isNotEqualTo(first);
    }

    @Test
    @DisplayName("B2 the seeded source stays within 0 and the bound, reaches both, and takes every bound")
    void seededReachesBothEnds() {
        JitterSource source = JitterSource.seeded(0);
        for (long bound : new long[] {0, 1, 2, 9, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            Set<Long> seen = new HashSet<>();
            for (long callId = 0; callId < 200; callId++) {
                long drawn = source.draw(callId, 1, bound);
                assertThat(drawn).isBetween(0L, bound);
                seen.add(drawn);
            }
            if (bound < 10) {
                assertThat(seen).as("bound %d", bound).hasSize((int) bound + 1);
            } else {
                assertThat(seen).as("bound %d", bound).hasSizeGreaterThan(190);
            }
        }
    }

    @Test
    @DisplayName("B2 1,000 clients failing together return together without jitter, and spread with it")
    void spreadsAThousandClients() {
        for (int attempt = 1; attempt <= 3; attempt++) {
            long ceilingNanos = Backoff.ceilingNanos(100 * MILLI, 2_000 * MILLI, attempt);
            assertThat(histogram(Jitter.NONE, ceilingNanos, attempt))
                    .as("attempt %d, no jitter", attempt)
                    .containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000);
            assertThat(ceilingNanos).isEqualTo((100L << (attempt - 1)) * MILLI);

            int[] spread = histogram(Jitter.FULL, ceilingNanos, attempt);

            assertThat(chiSquare(spread))
                    .as("attempt %d, full jitter: %s", attempt, Arrays.toString(spread))
                    .isLessThan(CHI_SQUARE_OF_NINE);
        }
    }

    @Test
    @DisplayName("B2 clients that drew early once are spread anew on the next attempt")
    void successiveDrawsAreIndependent() {
        int[] secondDraws = new int[2];
        int early = 0;
        for (int client = 0; client < 1_000; client++) {
            JitterSource source = JitterSource.seeded(client);
            if (source.draw(1, 1, 99) < 50) {
                early++;
                secondDraws[source.draw(1, 2, 99) < 50 ? 0 : 1]++;
            }
        }

        assertThat(early).isBetween(440, 560);
        assertThat(secondDraws[0]).isBetween(early / 2 - 70, early / 2 + 70);
    }

    /** How many of 1,000 clients, each with a seed of its own, return in each tenth of the ceiling. */
    private static int[] histogram(Jitter jitter, long ceilingNanos, int attempt) {
        int[] parts = new int[10];
        for (int client = 0; client < 1_000; client++) {
            JitterSource source = JitterSource.seeded(client);
            long delayNanos =
                    jitter.delayNanos(100 * MILLI, 2_000 * MILLI, attempt, 0, bound -> source.draw(1, attempt, bound));
            parts[(int) Math.min(9, delayNanos * 10 / ceilingNanos)]++;
        }
        return parts;
    }

    /** How far ten counts of a hundred lie from even. */
    private static double chiSquare(int[] tenths) {
        return Arrays.stream(tenths)
                .mapToDouble(count -> (count - 100.0) * (count - 100.0) / 100.0)
                .sum();
    }

    private static Jitter jitter(String word) {
        return Jitter.ofWord(word).orElseThrow();
    }

    /** Marsaglia's xorshift64 with the shifts 13, 7, 17, drawing whole milliseconds by remainder. */
    private static final class XorshiftMillis implements JitterSource {

        private long state;

        XorshiftMillis(long seed) {
            state = seed;
        }

        @Override
        public long draw(long callId, int attempt, long boundNanos) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return Long.remainderUnsigned(state, boundNanos / MILLI + 1) * MILLI;
        }
    }
}
