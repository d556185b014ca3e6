package dev.escapement.policy;

/**
 * Jitter from a hash of seed, call and attempt: the output function of SplitMix64 (Steele, Lea and Flood, 2014) applied to
 * each in turn. A fresh, small-seeded linear generator per call would give nearly constant first draws.
 */
final class MixedJitter implements JitterSource {

    /** 2^64 divided by the golden ratio, made odd. */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final long mixedSeed;

    MixedJitter(long seed) {
        mixedSeed = mix(seed + GOLDEN_GAMMA);
    }

    @Override
    public long draw(long callId, int attempt, long bound) {
        long perCall = mix(mixedSeed + callId * GOLDEN_GAMMA);
        long mixed = mix(perCall + attempt * GOLDEN_GAMMA);
        // bound + 1 is read as unsigned, so that the largest bound is legal; the remainder's bias is below bound /
        // 2^64.
        return Long.remainderUnsigned(mixed, bound + 1);
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
