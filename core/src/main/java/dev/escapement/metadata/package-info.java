/**
 * What do layers tell each other about an attempt? The header fields that go out with each attempt, and what may be believed of
 * those that come in.
 *
 * <p>{@link dev.escapement.metadata.Metadata} writes them, in the words of a {@link dev.escapement.metadata.Preset};
 * {@link dev.escapement.metadata.MetadataReader} reads them at the other side, into a
 * {@link dev.escapement.metadata.ReceivedMetadata}. All of it is immutable but the reader's counters; any thread. Times are relative
 * and rounded down: no clock is read here, and no two clocks have to agree.
 *
 * <p>Rules kept here: M1 (what is sent, and no attempt with less than a unit left), M2 (what is received is advice: it can only
 * shorten and forbid; bad values are typed, ignored and counted), M3 (who owns retries). Elsewhere: what follows from a received
 * deadline or owner, in {@code call} and {@code policy}. The idempotency key goes out with every attempt whatever the preset,
 * in {@code Idempotency-Key}, written by {@code call}.
 */
@NullMarked
package dev.escapement.metadata;

import org.jspecify.annotations.NullMarked;
