package dev.escapement.time;

/** How many timers a scheduler holds, for tests of other packages that must leave none. */
public final class ArmedTimers {

    private ArmedTimers() {}

    /** Exact while nobody arms, disarms or fires. */
    public static int in(WheelScheduler scheduler) {
        return scheduler.size();
    }
}
