package dev.escapement.brownout;

/**
 * What happened in some length of time.
 *
 * @param calls that entered
 * @param begun calls, of those that ended, with at least one attempt
 * @param good calls that ended with a good answer
 * @param refused calls that ended without being let in
 * @param badNanos how long the calls lasted that ended without a good answer, together
 * @param attempts that reached the upstream
 * @param wasted attempts that the upstream worked on for nobody
 * @param shed attempts that the upstream refused because its queue was full
 */
record Counts(long calls, long begun, long good, long refused, long badNanos, long attempts, long wasted, long shed) {

    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

    /** What has happened since those were counted. */
    Counts since(Counts earlier) {
        return new Counts(
                calls - earlier.calls,
                begun - earlier.begun,
                good - earlier.good,
                refused - earlier.refused,
                badNanos - earlier.badNanos,
                attempts - earlier.attempts,
                wasted - earlier.wasted,
                shed - earlier.shed);
    }
}
