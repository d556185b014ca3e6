/**
 * In which order are ties decided, and who runs a call? The client, its calls, and the machine behind them.
 *
 * <p>{@link dev.escapement.call.Client} is one upstream: its permits, its policies and guards, its calls.
 * {@link dev.escapement.call.Call} is the handle on one of them. Behind the handle stands {@code CallMachine}, which is a
 * biased select over signal bits: bits wake it, state decides; its method {@code judge} holds the tie rule (A2, A3)
 * and nothing else does. {@code CallAttempts} is what a call has tried, and answers what the rule of retries and a picker of endpoints
 * ask; {@code Lane} is one attempt in flight, {@code Fanout} keeps a bounded number of calls alive.
 *
 * <p>A call runs on whatever thread wins its word, if that thread is in the context of the call's home scheduler, and is
 * handed to the home otherwise. A machine never runs another call's machine. User code (callbacks, dependents of futures, sinks) runs as the
 * last act of the deciding thread, when nothing of ours waits for it any more.
 *
 * <p>Rules kept here: A1–A7, T2, T3, L1–L5, W1–W3, E2, E4, E5, E7, E8, R9, M3, S1. The decision upon a retry is {@code policy}'s, the queue
 * for permits {@code permit}'s, waking {@code time}'s.
 */
@NullMarked
package dev.escapement.call;

import org.jspecify.annotations.NullMarked;
