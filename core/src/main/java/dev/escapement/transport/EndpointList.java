package dev.escapement.transport;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The endpoints that a picker chooses from, by index, and which of them an attempt can go to. Immutable; looking through it
 * asks the view about each endpoint once and allocates nothing.
 *
 * <p>The view moves while it is asked: an endpoint that was counted may be gone when it is looked for. Then the last that is there
 * stands in.
 */
final class EndpointList {

    /** No endpoint. */
    static final int NONE = -1;

    private final Endpoint[] endpoints;

    /** The answers, made beforehand. */
    private final Optional<Endpoint>[] answers;

    EndpointList(List<Endpoint> given) {
        List<Endpoint> copied = List.copyOf(given);
        if (copied.isEmpty() || copied.size() > EndpointPicker.MAX_ENDPOINTS) {
            throw new IllegalArgumentException(
                    copied.size() + " endpoints: expected 1 to " + EndpointPicker.MAX_ENDPOINTS);
        }
        Set<Endpoint> seen = new HashSet<>();
        for (Endpoint endpoint : copied) {
            if (!seen.add(endpoint)) {
                throw new IllegalArgumentException("endpoint " + endpoint + " twice: expected each once");
            }
        }
        endpoints = copied.toArray(Endpoint[]::new);
        answers = answersOf(copied);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type arguments
    private static Optional<Endpoint>[] answersOf(List<Endpoint> endpoints) {
        return endpoints.stream().map(Optional::of).toArray(Optional[]::new);
    }

    int size() {
        return endpoints.length;
    }

    Endpoint get(int index) {
        return endpoints[index];
    }

    /** The answer for that index, empty for {@link #NONE}. */
    Optional<Endpoint> answer(int index) {
        return index == NONE ? Optional.empty() : answers[index];
    }

    /** Whether an attempt of a call can go there, and none of that call's has yet. */
    boolean isFresh(int index, EndpointView view) {
        return view.admits(endpoints[index]) && !view.tried(endpoints[index]);
    }

    /** How many admit; the tried ones are among them only if asked for. */
    int count(EndpointView view, boolean triedToo) {
        int count = 0;
        for (int i = 0; i < endpoints.length; i++) {
            count += admits(i, view, triedToo) ? 1 : 0;
        }
        return count;
    }

    /** The one of that rank, from 0, among those counted; the last there is where there are fewer by now. */
    int ranked(int rank, EndpointView view, boolean triedToo) {
        int last = NONE;
        int left = rank;
        for (int i = 0; i < endpoints.length && left >= 0; i++) {
            if (admits(i, view, triedToo)) {
                last = i;
                left--;
            }
        }
        return last;
    }

    private boolean admits(int index, EndpointView view, boolean triedToo) {
        return triedToo ? view.admits(endpoints[index]) : isFresh(index, view);
    }
}
