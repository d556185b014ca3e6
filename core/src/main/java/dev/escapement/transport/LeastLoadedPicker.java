package dev.escapement.transport;

import dev.escapement.http.Request;
import java.util.Optional;

/**
 * Draws two endpoints that an attempt can go to and takes the less loaded, the first drawn where they are equal (M. Mitzenmacher, "The
 * Power of Two Choices in Randomized Load Balancing", IEEE TPDS 12(10), 2001).
 *
 * <p>Two are drawn from the whole list first. Only if one of them cannot be had is the list looked through, and two are drawn anew
 * from those that can: by a number of its own, since the old one is known to have hit what cannot be had.
 *
 * <p>Draws are SplitMix64's (Steele, Lea and Flood, 2014), whose state is a counter: any thread takes the next by one addition. Thread-safe,
 * lock-free; on one thread the choices follow from the seed and the view.
 */
final class LeastLoadedPicker implements EndpointPicker {

    /** 2^64 divided by the golden ratio, made odd. */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final EndpointList endpoints;
    private final PaddedCounter draws;

    LeastLoadedPicker(EndpointList endpoints, long seed) {
        this.endpoints = endpoints;
        this.draws = new PaddedCounter(seed);
    }

    @Override
    public Optional<Endpoint> pick(Request request, int ordinal, EndpointView view) {
        int size = endpoints.size();
        long drawn = draw();
        int first = first(drawn, size);
        int second = second(drawn, size, first);
        if (endpoints.isFresh(first, view) && endpoints.isFresh(second, view)) {
            return endpoints.answer(lessLoaded(first, second, view));
        }
        int fresh = endpoints.count(view, false);
        return fresh > 0 ? among(fresh, view, false) : among(endpoints.count(view, true), view, true);
    }

    private Optional<Endpoint> among(int count, EndpointView view, boolean triedToo) {
        if (count == 0) {
            return Optional.empty();
        }
        long drawn = draw();
        int firstRank = first(drawn, count);
        int first = endpoints.ranked(firstRank, view, triedToo);
        int second = endpoints.ranked(second(drawn, count, firstRank), view, triedToo);
        // None at all only if the view has moved since they were counted.
        boolean gone = first == EndpointList.NONE || second == EndpointList.NONE;
        return endpoints.answer(gone ? Math.max(first, second) : lessLoaded(first, second, view));
    }

    private int lessLoaded(int first, int second, EndpointView view) {
        return view.inFlight(endpoints.get(second)) < view.inFlight(endpoints.get(first)) ? second : first;
    }

    private long draw() {
        long z = draws.getAndAdd(GOLDEN_GAMMA);
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** One of that many, by the upper half of the bits (Lemire 2019); the bias is below many / 2^32. */
    private static int first(long drawn, int many) {
        return (int) (((drawn >>> 32) * many) >>> 32);
    }

    /** Another one of that many, by the lower half; the same one where there is no other. */
    private static int second(long drawn, int many, int first) {
        if (many == 1) {
            return first;
        }
        int other = (int) (((drawn & 0xffff_ffffL) * (many - 1)) >>> 32);
        return other < first ? other : other + 1;
    }
}
