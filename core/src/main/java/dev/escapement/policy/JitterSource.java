package dev.escapement.policy;

/**
 * Where jitter draws its numbers from: injected per client, seedable, never global (B2).
 *
 * <p>Called by any thread, several at a time. A result outside the bounds is moved into them; whatever it throws ends the
 * call as broken.
 */
@FunctionalInterface
public interface JitterSource {

    /**
     * A number between 0 and {@code bound}, both ends included.
     *
     * @param callId numbers the client's calls that come to a retry; the same for each attempt of one
     * @param attempt the ordinal, from 1, of the attempt that failed
     */
    long draw(long callId, int attempt, long bound);

    /** Draws that depend on seed, call and attempt alone, each mixed well; stateless. */
    static JitterSource seeded(long seed) {
        return new MixedJitter(seed);
    }
}
