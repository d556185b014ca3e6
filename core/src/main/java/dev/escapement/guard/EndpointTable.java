package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of its endpoints, so many of them at most (G5).
 *
 * <p>A full table forgets an endpoint for each new one: the first of the queue that is idle and has not been wanted since it stood
 * there last (second chance; Corbató 1968). Idle means that its breaker is closed and past its ramp, and that no attempt is known to be
 * there. One that is open, half-open or forced open is never forgotten, whatever comes: a flood of new names must not close a breaker.
 *
 * <p>So that a flood costs no more than it is worth, a new endpoint looks at no more than {@value #LOOKS} others for one that was not
 * wanted, and at as many again for one that is idle. If all of them must stay, the new one is not guarded for that attempt: it
 * gets a state outside the table, without a breaker, because one that lives for one attempt could judge nothing. That is counted.
 *
 * <p>Thread-safety: any thread, lock-free. Cost: looking up the origin of a URI compares it with one state, found by the hash of its
 * host, and allocates nothing while the endpoints in use are few; otherwise it makes an {@link Endpoint} and asks a hash map.
 */
public final class EndpointTable {

    /** How many endpoints a new one looks at, twice. */
    static final int LOOKS = 64;

    /** A power of two. */
    private static final int CACHED = 64;

    private static final Comparator<EndpointFigures> BY_NAME =
            Comparator.comparing(figures -> figures.endpoint().toString());

    private final BreakerSettings settings;
    private final int size;

    /** All that are known. A state is put here once and removed when it has been evicted. */
    private final ConcurrentHashMap<Endpoint, EndpointState> states = new ConcurrentHashMap<>();

    /** The same in the order of their turn. Whoever polls one owns its turn: evicts it or puts it back. */
    private final ConcurrentLinkedQueue<EndpointState> turns = new ConcurrentLinkedQueue<>();

    /** Places taken, 0 to {@code size}: taken before a state is put, and given back after it is removed. */
    private final AtomicInteger places = new AtomicInteger();

    /**
     * The states found last, by the hash of host and port. Plain, read and written by any thread: whichever state is seen,
     * its fields are final or volatile, and one that is not in the table says so.
     */
    private final @Nullable EndpointState[] cache = new @Nullable EndpointState[CACHED];

    private final LongAdder evictions = new LongAdder();
    private final LongAdder unguarded = new LongAdder();

    private EndpointTable(BreakerSettings settings) {
        this.settings = settings;
        this.size = settings.tableSize();
    }

    /** An empty table for so many endpoints as the settings say, each with a breaker unless they say none. */
    public static EndpointTable of(BreakerSettings settings) {
        return new EndpointTable(settings);
    }

    /**
     * The state of a URI's origin; a new one where it is not known.
     *
     * @param uri absolute, {@code http} or {@code https}, with a host
     */
    public EndpointState find(URI uri, long nowNanos) {
        int slot = slotOf(uri);
        EndpointState cached = cache[slot];
        if (cached != null && cached.endpoint.isOriginOf(uri) && !cached.isOutside()) {
            cached.touch();
            return cached;
        }
        EndpointState found = find(Endpoint.of(uri), nowNanos);
        cache[slot] = found;
        return found;
    }

    private static int slotOf(URI uri) {
        return (uri.getHost().hashCode() + uri.getPort()) & (CACHED - 1);
    }

    /** The state of an endpoint; a new one where it is not known. */
    public EndpointState find(Endpoint endpoint, long nowNanos) {
        for (; ; ) {
            EndpointState known = states.get(endpoint);
            if (known == null) {
                if (!takePlace(nowNanos)) {
                    unguarded.increment();
                    return EndpointState.outside(endpoint);
                }
                EndpointState fresh = new EndpointState(endpoint, newBreaker());
                known = states.putIfAbsent(endpoint, fresh);
                if (known == null) {
                    turns.add(fresh);
                    return fresh;
                }
                places.decrementAndGet();
            }
            if (!known.isOutside()) {
                known.touch();
                return known;
            }
            // Its evictor is about to do the same.
            states.remove(endpoint, known);
        }
    }

    private @Nullable CircuitBreaker newBreaker() {
        return settings.isNone() ? null : CircuitBreaker.of(settings);
    }

    /** Takes a free place, or that of an endpoint that is forgotten for it. */
    private boolean takePlace(long nowNanos) {
        for (; ; ) {
            int taken = places.get();
            if (taken == size) {
                return evictOne(nowNanos);
            }
            if (places.compareAndSet(taken, taken + 1)) {
                return true;
            }
        }
    }

    private boolean evictOne(long nowNanos) {
        for (int looks = 0; looks < 2 * LOOKS; looks++) {
            EndpointState next = turns.poll();
            if (next == null) {
                // The others are looking at all there are.
                return false;
            }
            // In the second half the first that can go goes, wanted or not: everyone has been wanted.
            boolean stays = looks < LOOKS && next.takeUsed();
            if (!stays && next.evict(nowNanos)) {
                states.remove(next.endpoint, next);
                evictions.increment();
                return true;
            }
            turns.add(next);
        }
        return false;
    }

    /** Whether that endpoint's breaker would surely refuse an attempt; false for one that is not known. Changes nothing. */
    public boolean rejects(Endpoint endpoint, long nowNanos) {
        EndpointState known = states.get(endpoint);
        return known != null && known.breaker != null && known.breaker.rejects(nowNanos);
    }

    /** How many attempts are at that endpoint; 0 for one that is not known. Changes nothing. */
    public int inFlight(Endpoint endpoint) {
        EndpointState known = states.get(endpoint);
        return known == null ? 0 : known.inFlight();
    }

    /**
     * Opens an endpoint's breaker by hand, until {@link #close}; it need not be known yet.
     *
     * @return false: there are no breakers, or the table is full of endpoints that must stay
     */
    public boolean forceOpen(Endpoint endpoint, long nowNanos) {
        for (; ; ) {
            EndpointState state = find(endpoint, nowNanos);
            if (state.breaker == null) {
                return false;
            }
            if (state.breaker.tryForceOpen(nowNanos)) {
                return true;
            }
            // Its breaker was retired since it was found: it is as good as evicted, and the next look finds another.
            state.leave();
        }
    }

    /** Closes an endpoint's breaker by hand, without a ramp; one that is not known is closed. */
    public void close(Endpoint endpoint, long nowNanos) {
        EndpointState known = states.get(endpoint);
        if (known != null && known.breaker != null) {
            known.breaker.close(nowNanos);
        }
    }

    /** The endpoints that have breakers and what these say now, by name. */
    public List<EndpointFigures> endpoints(long nowNanos) {
        List<EndpointFigures> all = new ArrayList<>();
        for (EndpointState state : states.values()) {
            if (state.breaker != null) {
                all.add(new EndpointFigures(state.endpoint, state.inFlight(), state.breaker.figures(nowNanos)));
            }
        }
        all.sort(BY_NAME);
        return all;
    }

    /** What the table counts. */
    public TableFigures figures() {
        return new TableFigures(states.size(), evictions.sum(), unguarded.sum());
    }
}
