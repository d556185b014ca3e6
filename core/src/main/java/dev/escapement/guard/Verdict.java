package dev.escapement.guard;

import dev.escapement.http.Response;
import dev.escapement.transport.TransportFailure;

/** What an attempt's ending says about the endpoint that it went to (G2). */
public enum Verdict {

    /** The endpoint answered, and the answer is no sign of trouble; a slow one is found by its duration. */
    SUCCESS,

    /** A 5xx, a 429, a timeout or a transport failure. */
    FAILURE,

    /** Nothing is known: the caller cancelled, or the attempt never started. Gives a trial place back, counts nowhere. */
    NEUTRAL;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_SERVER_FAILURE_STATUS = 500;

    /** What an answer says. */
    public static Verdict of(Response response) {
        int status = response.status();
        return status >= FIRST_SERVER_FAILURE_STATUS || status == TOO_MANY_REQUESTS ? FAILURE : SUCCESS;
    }

    /** What a missing answer says; one that this side prevented says nothing. */
    public static Verdict of(TransportFailure failure) {
        return failure.kind() == TransportFailure.Kind.CLOSED_LOCALLY ? NEUTRAL : FAILURE;
    }
}
