/**
 * Does it hold up over time?
 *
 * <p>Two programs. {@link dev.escapement.proof.soak.DaySoak} lives through a day of a gateway's traffic in virtual time,
 * to the nanosecond the same for the same seed. {@link dev.escapement.proof.soak.SocketSoak} calls for as long as one likes over real
 * sockets, plain and under TLS, a server that misbehaves as each request asks it to. Both count one outcome for each
 * call, see every figure return to where it was, and hold what is retained against the number of calls (A5, L3, E6, E8).
 */
@NullMarked
package dev.escapement.proof.soak;

import org.jspecify.annotations.NullMarked;
