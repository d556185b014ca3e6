package dev.escapement.time;

/** Where a bug in foreign code goes when the thread that ran it has other timers to serve and must not die of it. */
final class Failures {

    private Failures() {}

    /** Hands a failure to the current thread's uncaught-exception handler; returns whatever that handler does. */
    static void report(Throwable failure) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable ignored) {
            // A handler that fails, or no memory or stack left to run it: nobody is left to tell.
        }
    }
}
