package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jitter spreads what backoff lines up, from an injected source. */
class JitterTest {

    private static final long MILLI = 1_000_000L;

    @Test
    @DisplayName("B2 none is the ceiling itself, and nothing is drawn")
    void noneDrawsNothing() {
        JitterSource forbidden = (callId, attempt, bound) -> {
            throw new AssertionError("drawn");
        };

        assertThat(Jitter.NONE.delayNanos(100, forbidden, 1, 1)).isEqualTo(100);
    }

    @Test
    @DisplayName("B2 full hands ceiling, call and attempt to the source and takes what it says")
    void fullAsksTheSource() {
        JitterSource echo = (callId, attempt, bound) -> callId * 100 + attempt * 10L + bound % 10;

        assertThat(Jitter.FULL.delayNanos(1_007, echo, 3, 2)).isEqualTo(327);
    }

    @Test
    @DisplayName("B2 a draw outside the bounds is moved into them; both ends are allowed")
    void clampsADraw() {
        assertThat(Jitter.FULL.delayNanos(100, (call, attempt, bound) -> -1, 1, 1))
                .isEqualTo(0);
        assertThat(Jitter.FULL.delayNanos(100, (call, attempt, bound) -> 0, 1, 1))
                .isEqualTo(0);
        assertThat(Jitter.FULL.delayNanos(100, (call, attempt, bound) -> 100, 1, 1))
                .isEqualTo(100);
        assertThat(Jitter.FULL.delayNanos(100, (call, attempt, bound) -> 101, 1, 1))
                .isEqualTo(100);
        assertThat(Jitter.FULL.delayNanos(100, (call, attempt, bound) -> Long.MIN_VALUE, 1, 1))
                .isEqualTo(0);
    }

    @Test
    @DisplayName("B2 an injected xorshift64 with seed 42 reproduces its known delays")
    void injectedXorshift() {
        JitterSource source = new XorshiftMillis(42);

        long[] delaysMs = IntStream.rangeClosed(1, 8)
                .mapToLong(attempts -> Jitter.FULL.delayNanos(
                        Backoff.ceilingNanos(100 * MILLI, 2_000 * MILLI, attempts), source, 1, attempts))
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

            // Ten equal parts of the ceiling; 27.9 is passed by one fair source in a thousand (9 degrees of freedom).
            double chiSquare = Arrays.stream(spread)
                    .mapToDouble(count -> (count - 100.0) * (count - 100.0) / 100.0)
                    .sum();
            assertThat(chiSquare)
                    .as("attempt %d, full jitter: %s", attempt, Arrays.toString(spread))
                    .isLessThan(27.9);
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
            long delayNanos = jitter.delayNanos(ceilingNanos, JitterSource.seeded(client), 1, attempt);
            parts[(int) Math.min(9, delayNanos * 10 / ceilingNanos)]++;
        }
        return parts;
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
