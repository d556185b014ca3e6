package dev.escapement.call;

/**
 * A client's figures at one moment; each is exact, together they are not one instant's.
 *
 * @param permitsHeld permits out
 * @param waiting calls queued for a permit
 * @param asleep calls that wait for something: a permit, an attempt, a backoff, a cleanup
 * @param lateResults results that came after the engine had given up on their attempt (A5)
 * @param slowSends sends that took more than 1 ms (A4)
 * @param delayedCleanups calls that held something after their outcome was fixed (E7)
 * @param delayedCleanupNanos how long they did, in all
 * @param forcedCleanups attempts that were not clean when the reserve was over (T2)
 * @param failedCallbacks callbacks that threw
 * @param failedCallOuts abandons, disarms, releases and signals of a grant that threw
 */
public record ClientFigures(
        int permitsHeld,
        int waiting,
        int asleep,
        long lateResults,
        long slowSends,
        long delayedCleanups,
        long delayedCleanupNanos,
        long forcedCleanups,
        long failedCallbacks,
        long failedCallOuts) {}
