/**
 * What is usual here? Live numbers that whoever needs one keeps, and that cost next to nothing to keep.
 *
 * <p>{@link dev.escapement.measure.LatencyHistogram} answers for lengths of time: which of them so many calls stay below, and how
 * many reach a given one. Any thread records and any thread asks; nothing blocks, and recording allocates nothing.
 *
 * <p>Rules served: P5 (an attempt timeout below the observed p99, and the share it abandons), H1 (a hedge delay that is a live
 * percentile), O1. Deliberately elsewhere: what is concluded from a number, which is {@code policy}'s and {@code guard}'s.
 */
@NullMarked
package dev.escapement.measure;

import org.jspecify.annotations.NullMarked;
