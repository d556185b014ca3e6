package dev.escapement.explorer;

/** A seed whose scenario showed a difference, and in which words. */
record Difference(long seed, String words) {}
