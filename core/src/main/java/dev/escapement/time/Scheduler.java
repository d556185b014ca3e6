package dev.escapement.time;

/**
 * The home of a call: its clock, the context it runs in, and the timers that wake it.
 *
 * <p>A scheduler either confines its work to one thread (an event loop: {@link #inContext()} is true there alone) or lets
 * any thread but its own timer thread run it. The engine asks {@code inContext} before it runs a call; where the answer
 * is no, it hands the call to {@link #execute}.
 *
 * <p>What an implementation owes (T6, T7; {@code SchedulerContract} in the fixtures holds it to them): no timer fires before its
 * deadline by {@link #nanos()}; each armed timer fires at most once, and exactly once unless disarmed or re-armed in
 * time; a deadline in the past fires at the next poll; {@link Timer#fire()} never runs inside {@link #arm} or
 * {@link #disarm} while the scheduler is open. The order of timers due together is left open.
 *
 * <p>Thread-safety: {@code nanos}, {@code inContext} and {@code execute} from any thread; {@code arm} and {@code disarm}
 * in context only, and for one timer one at a time (see {@link Timer}).
 */
public interface Scheduler extends MonotonicClock {

    /** Whether the calling thread may run calls and arm timers of this scheduler right now. */
    boolean inContext();

    /**
     * Runs a task in context, later or at once, in the order handed over by one thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the scheduler is closed; the task will not run
     */
    void execute(Runnable task);

    /**
     * Arms a timer for an instant; an armed timer is moved to it.
     *
     * @param deadlineNanos an instant of this scheduler's clock; one in the past is due at once
     * @return true; or false where the scheduler is closed: the timer is not armed and has been fired, or will be
     *     at once (T7). The caller must not wait for anything by this scheduler again.
     */
    boolean arm(Timer timer, long deadlineNanos);

    /**
     * Disarms a timer.
     *
     * @return true if it was armed and will not fire; false if it was not armed, has fired, or is about to
     */
    boolean disarm(Timer timer);
}
