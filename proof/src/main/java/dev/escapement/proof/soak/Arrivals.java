package dev.escapement.proof.soak;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Watches at the server for requests that must not come twice: without a key and not safe to repeat, so that a second one is
 * right only where nothing of the first had left (E3). Any thread.
 */
final class Arrivals {

    private final Set<Long> onceOnly = ConcurrentHashMap.newKeySet();
    private final Set<Long> arrived = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> violation = new AtomicReference<>();

    /** From now on the requests of that call must not come twice. */
    void onceOnly(long call) {
        onceOnly.add(call);
    }

    /** A request of that call has come, its head at least. */
    void note(long call) {
        if (onceOnly.contains(call) && !arrived.add(call)) {
            violation.compareAndSet(null, "E3 the request of call " + call + " came twice");
        }
    }

    /** Forgets the calls so far, none of which runs any more; fails if one came twice. */
    void forget() {
        onceOnly.clear();
        arrived.clear();
        String found = violation.get();
        if (found != null) {
            throw new AssertionError(found);
        }
    }
}
