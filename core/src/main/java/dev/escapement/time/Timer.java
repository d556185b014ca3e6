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

    /** The handle of a timer that no wheel holds. */
    static final int IDLE = 0;

    /** The entry that holds this timer in its wheel, or {@link #IDLE}; written by whoever owns or has locked that wheel. */
    int handle = IDLE;

    /** The stripe of a {@link WheelScheduler} that the timer was last armed on; written by arming alone. */
    int home;

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

    /**
     * {@link #fire} with a net: whatever it throws goes to the thread's uncaught-exception handler, so that the timers
     * behind this one fire all the same.
     */
    final void wake() {
        try {
            fire();
        } catch (Throwable bug) {
            Failures.report(bug);
        }
    }

    /** For implementors of {@link Scheduler}: what {@link #attach} stored. */
    public final @Nullable Object attachment() {
        return attachment;
    }

    /** For implementors of {@link Scheduler}: keeps a handle with the timer, so that no map is needed. */
    public final void attach(@Nullable Object value) {
        attachment = value;
    }
}
