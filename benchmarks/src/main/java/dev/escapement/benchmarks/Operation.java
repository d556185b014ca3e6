package dev.escapement.benchmarks;

import dev.escapement.http.Response;

/**
 * What every stack of a {@link FullStackBenchmark} is put around: so many failing answers, then a good one, and so on.
 *
 * <p>Used by one call at a time: the thread that makes it, or whichever thread a peer retries on, one after the other.
 */
final class Operation {

    private static final int OK = 200;
    private static final int OVERLOADED = 503;

    private static final Response GOOD = Response.of(OK);
    private static final Response BAD = Response.of(OVERLOADED);

    /** How many attempts of a call fail before one succeeds. */
    private final int failures;

    private int failed;

    Operation(int failures) {
        this.failures = failures;
    }

    /** The answer to the next attempt. */
    Response next() {
        if (failed < failures) {
            failed++;
            return BAD;
        }
        failed = 0;
        return GOOD;
    }

    /** Whether an attempt of the current call has failed already. */
    boolean isRetried() {
        return failed > 0;
    }

    static boolean isFailure(Response response) {
        return response.status() == OVERLOADED;
    }

    static boolean isSuccess(Response response) {
        return response.status() == OK;
    }
}
