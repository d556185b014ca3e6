package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * In which order the addresses of a name are tried: families in turn, the resolver's first one first (RFC 8305 §4); within a family
 * each connect begins with the next address, so that connections spread; those that failed lately go last.
 *
 * <p>Any thread may use it; the memory of failures is small and behind one lock, which is taken once for each connect.
 */
final class AddressOrder {

    /** For how long a failure puts an address behind the others. */
    static final long LATELY_NANOS = 30_000_000_000L;

    /** G5: failures remembered; the oldest is forgotten first. */
    static final int MOST_FAILURES = 1_024;

    /** G5: addresses tried by one connect. */
    static final int MOST_TRIED = 32;

    private final MonotonicClock clock;
    private final AtomicInteger turn = new AtomicInteger();

    /** When each failed last, the oldest failure first. Guarded by itself. */
    private final Map<InetSocketAddress, Long> failedAtNanos = new LinkedHashMap<>();

    AddressOrder(MonotonicClock clock) {
        this.clock = clock;
    }

    /** The sockets to try for these addresses, in order; not more than 32 of them. */
    List<InetSocketAddress> of(List<InetAddress> addresses, int port) {
        if (addresses.size() == 1) {
            return List.of(new InetSocketAddress(addresses.get(0), port));
        }
        List<InetSocketAddress> ordered = new ArrayList<>(addresses.size());
        for (InetAddress address : interleaved(addresses, turn.getAndIncrement())) {
            ordered.add(new InetSocketAddress(address, port));
        }
        return failedLast(ordered);
    }

    /** Nothing came of this one, or another that began later was quicker. */
    void failed(InetSocketAddress address) {
        synchronized (failedAtNanos) {
            failedAtNanos.remove(address);
            failedAtNanos.put(address, clock.nanos());
            if (failedAtNanos.size() > MOST_FAILURES) {
                InetSocketAddress oldest = failedAtNanos.keySet().iterator().next();
                failedAtNanos.remove(oldest);
            }
        }
    }

    void worked(InetSocketAddress address) {
        synchronized (failedAtNanos) {
            failedAtNanos.remove(address);
        }
    }

    private List<InetSocketAddress> failedLast(List<InetSocketAddress> ordered) {
        long nowNanos = clock.nanos();
        List<InetSocketAddress> sorted = new ArrayList<>(ordered.size());
        List<InetSocketAddress> last = new ArrayList<>();
        synchronized (failedAtNanos) {
            for (InetSocketAddress address : ordered) {
                Long failed = failedAtNanos.get(address);
                boolean lately = failed != null && nowNanos - failed < LATELY_NANOS;
                (lately ? last : sorted).add(address);
            }
        }
        sorted.addAll(last);
        return sorted.size() > MOST_TRIED ? sorted.subList(0, MOST_TRIED) : sorted;
    }

    /** Families in turn, beginning with that of the first address, and in each family with the address whose turn it is. */
    static List<InetAddress> interleaved(List<InetAddress> addresses, int turn) {
        List<InetAddress> first = new ArrayList<>();
        List<InetAddress> second = new ArrayList<>();
        boolean firstIs4 = addresses.get(0) instanceof Inet4Address;
        for (InetAddress address : addresses) {
            (address instanceof Inet4Address == firstIs4 ? first : second).add(address);
        }
        List<InetAddress> mixed = new ArrayList<>(addresses.size());
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            if (i < first.size()) {
                mixed.add(first.get(Math.floorMod(turn + i, first.size())));
            }
            if (i < second.size()) {
                mixed.add(second.get(Math.floorMod(turn + i, second.size())));
            }
        }
        return mixed;
    }
}
