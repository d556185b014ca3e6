package dev.escapement.transport;

import dev.escapement.http.Request;
import java.util.Optional;

/**
 * Chooses where each attempt of a call goes, so that a retry can go elsewhere. Without one, attempts go to the origin of the
 * request's URI.
 *
 * <p>Asked before each attempt, after any permit was granted, by any thread, several at a time. It must not block; what it
 * throws ends the call as broken.
 */
@FunctionalInterface
public interface EndpointPicker {

    /**
     * The endpoint of one attempt.
     *
     * @param ordinal the attempt's, from 1
     * @param view what is known of endpoints at this moment; not to be kept
     * @return empty where no endpoint is available: a first attempt's call is then rejected, a retry not made. An endpoint that
     *     does not admit the attempt after all is asked about once more and then no longer admitted by the view
     */
    Optional<Endpoint> pick(Request request, int ordinal, EndpointView view);
}
