/**
 * Who may go now, and who waits for it?
 *
 * <p>{@link dev.escapement.permit.PermitPool} counts the permits of one upstream and keeps the queue of those who wait;
 * {@link dev.escapement.permit.PermitWaiter} is one of them, and is told when its wait is over. Any thread may call the pool.
 * Nothing here blocks or parks a thread: waiting means standing in a list, and being told means raising a bit.
 *
 * <p>Rules kept: L2 (first come, first served, bounded, nobody overtakes; lock-free while nobody waits), L3 (held + free =
 * limit), L4 (one winner between a grant and a cancellation), S1 (closing tells the waiters and says when nothing is out).
 *
 * <p>Deliberately elsewhere: time. Nothing here knows clocks, deadlines, calls or homes; how long a wait may last, and that
 * a permit granted at the deadline goes back (A6), is decided by the call's machine.
 */
@NullMarked
package dev.escapement.permit;

import org.jspecify.annotations.NullMarked;
