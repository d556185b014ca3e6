/**
 * What did the wire see? The door to whatever carries a request, and the words for how far it got.
 *
 * <p>A {@link dev.escapement.transport.Transport} starts one {@link dev.escapement.transport.Attempt} per
 * {@code send} and tells the engine about it through the {@link dev.escapement.transport.Exchange} it was handed: facts in
 * passing (connected, bytes written, reply begun), exactly one result, and at last that it owns nothing any more. It
 * decides nothing: deadlines, retries and ties are the engine's. Where an attempt connects is an
 * {@link dev.escapement.transport.Endpoint}, by default its URI's origin, or what an
 * {@link dev.escapement.transport.EndpointPicker} chose.
 *
 * <p>Rules kept here: E1 (progress, proven by {@code tryWrite}), E7 (abandoning is local, cleaning is reported), E9 (the
 * closed list of failures), R10 (a stale connection is replaced inside the attempt).
 */
@NullMarked
package dev.escapement.transport;

import org.jspecify.annotations.NullMarked;
