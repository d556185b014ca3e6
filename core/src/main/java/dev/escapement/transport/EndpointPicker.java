package dev.escapement.transport;

import dev.escapement.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * Chooses where each attempt of a call goes, so that a retry can go elsewhere. Without one, attempts go to the origin of the
 * request's URI.
 *
 * <p>Asked before each attempt, after any permit was granted, by any thread, several at a time. It must not block; what it
 * throws ends the call as broken.
 *
 * <p>The two provided here choose from a fixed list and share three rules: an endpoint whose breaker does not admit is skipped; one
 * that this call has tried is avoided while another admits; where none admits, none is chosen. They are lock-free, allocate nothing, and
 * cost one atomic addition; only while some endpoint is skipped or avoided do they look through the list.
 */
@FunctionalInterface
public interface EndpointPicker {

    /** The longest list that is chosen from. */
    int MAX_ENDPOINTS = 1_024;

    /**
     * The endpoint of one attempt.
     *
     * @param ordinal the attempt's, from 1
     * @param view what is known of endpoints at this moment; not to be kept
     * @return empty where no endpoint is available: a first attempt's call is then rejected, a retry not made. An endpoint that
     *     does not admit the attempt after all is no longer admitted by the view, and the picker asked again, three times in all
     */
    Optional<Endpoint> pick(Request request, int ordinal, EndpointView view);

    /**
     * One after the other, in the order given. The turns of an endpoint that is skipped go to the others evenly, not all to the next
     * one; first attempts and later ones take their turns apart.
     *
     * @param endpoints 1 to {@value #MAX_ENDPOINTS}, each once
     * @throws IllegalArgumentException if there are none, too many, or one twice
     */
    static EndpointPicker roundRobin(List<Endpoint> endpoints) {
        return new RoundRobinPicker(new EndpointList(endpoints));
    }

    /**
     * Of two drawn at random the one with fewer attempts in flight (M. Mitzenmacher, "The Power of Two Choices in Randomized Load
     * Balancing", 2001): nearly as even as asking all, without the herd that runs to whichever was idle a moment ago.
     *
     * @param endpoints 1 to {@value #MAX_ENDPOINTS}, each once
     * @param seed of the draws, which follow from it alone
     * @throws IllegalArgumentException if there are none, too many, or one twice
     */
    static EndpointPicker leastLoaded(List<Endpoint> endpoints, long seed) {
        return new LeastLoadedPicker(new EndpointList(endpoints), seed);
    }
}
