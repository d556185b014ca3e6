package dev.escapement.checker;

/**
 * What is said of a whole run.
 *
 * @param joined how many reports were written
 * @param maxConcurrency the concurrency that was asked for
 * @param seed of the jitter, to draw the same delays again
 * @param complete false if the run was stopped before the end of the list
 */
record Summary(long joined, int maxConcurrency, long seed, boolean complete) {}
