package dev.escapement.time;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be woken once at an instant: a call extends it, so that arming allocates nothing.
 *
 * <p><b>Who may do what.</b> {@link Scheduler#arm} and {@link Scheduler#disarm} for one timer are called by one thread
 * at a time, each call happening after the one before it (a call's machine owns them). Only firing is concurrent with
 * them. A timer belongs to one scheduler for life.
 */
public abstract class Timer {

    /** The handle of a timer that no scheduler holds. */
    static final long IDLE = 0L;

    /** Where the scheduler keeps this timer; owned by the scheduler it is armed on, {@link #IDLE} while unarmed. */
    long handle = IDLE;

    /** What a scheduler that is not ours keeps with the timer between arm and disarm; owned by that scheduler. */
    private @Nullable Object attachment;

    /** For subclasses. */
    protected Timer() {}

    /**
     * The wake-up. Called by the scheduler, at most once for each time it was armed, on a thread of the scheduler's
     * choice. Must be short, must not block, must not throw, and must not arm or disarm anything itself: it records that it was
     * woken and signals whoever decides.
     */
    public abstract void fire();

    /** For implementors of {@link Scheduler}: what {@link #attach} stored. */
    public final @Nullable Object attachment() {
        return attachment;
    }

    /** For implementors of {@link Scheduler}: keeps a handle with the timer, so that no map is needed. */
    public final void attach(@Nullable Object value) {
        attachment = value;
    }
}
