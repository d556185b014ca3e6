/**
 * Who wakes this call, and when: clocks, deadlines, timers and the schedulers that fire them.
 *
 * <p>{@link dev.escapement.time.Scheduler} is the door everything else uses; {@code WheelScheduler}
 * (any thread), {@code ExecutorScheduler} (over a {@code ScheduledExecutorService}) and
 * {@code TimerWheel} (confined to one thread; an event loop builds its scheduler on it) stand behind
 * it.
 *
 * <p>Every instant in this room is a {@code long} of nanoseconds on one monotonic clock, never negative (T1), so that
 * comparing is plain and only adding can overflow; additions of policy time go through
 * {@link dev.escapement.time.Deadlines}. A timer is only a wake-up (T5): it never decides anything, and it never runs
 * user code.
 *
 * <p>Rules kept here: T1, T4, T5, T6, T7. What a deadline means for a call is {@code call}'s business, not this room's.
 */
@NullMarked
package dev.escapement.time;

import org.jspecify.annotations.NullMarked;
