package dev.escapement.call;

import dev.escapement.http.Headers;

/**
 * Is told of the interim answers (RFC 9110 §15.2) to a call's attempts, on the thread that reads the connection: it must not block. What it throws is
 * counted and breaks nothing.
 */
@FunctionalInterface
public interface InterimListener {

    /**
     * An interim answer. A later attempt of the same call may bring the same one again.
     *
     * @param status 100 to 199, but never 101
     */
    void interim(int status, Headers headers);
}
