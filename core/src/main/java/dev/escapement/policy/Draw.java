package dev.escapement.policy;

/** One draw of jitter for one decision (B2). */
@FunctionalInterface
interface Draw {

    /** A number meant to lie between 0 and {@code bound}, both ends included. */
    long draw(long bound);
}
