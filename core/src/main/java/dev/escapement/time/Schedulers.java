package dev.escapement.time;

/**
 * Chooses the home of each new call among schedulers that share one clock (T1).
 *
 * <p>An event-loop group answers with the loop the caller runs on, or the next; a single scheduler answers with itself.
 * Any thread may ask.
 */
public interface Schedulers {

    /** The clock that every scheduler of this set reads. */
    MonotonicClock clock();

    /** The home for a call that starts now on this thread. */
    Scheduler forCall();

    /** A set of one. */
    static Schedulers of(Scheduler scheduler) {
        return new Schedulers() {
            @Override
            public MonotonicClock clock() {
                return scheduler;
            }

            @Override
            public Scheduler forCall() {
                return scheduler;
            }
        };
    }
}
