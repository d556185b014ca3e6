package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a transport knows of host names: asks its {@link NameResolver} once at a time for each, whoever and how many want to
 * know, and remembers the answer for as long as it holds.
 *
 * <p>Connections that are kept would never ask again; {@link #keepCurrent} does for them, so that those to addresses which are
 * gone are closed.
 *
 * <p>"No such name" is remembered too, for a second; that nobody could tell is not. Bounded (G5): names remembered, lookups
 * under way, the time of each. Any thread may ask; answers come on the asking thread where they are known, else on the resolver's.
 */
// Whoever is told throws nothing; a future of its telling has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class Lookup {

    /** Above this, what is remembered is thrown away, what has expired first. */
    static final int MOST_NAMES = 4_096;

    /** Names that are looked up at the same time. */
    static final int MOST_UNDER_WAY = 256;

    private static final long NEGATIVE_NANOS = 1_000_000_000;
    private static final long PAUSE_AFTER_FAILURE_NANOS = 1_000_000_000;
    private static final Duration LONGEST_VALID = Duration.ofDays(1);
    private static final long LONGEST_LOOKUP_SECONDS = 30;

    /**
     * What is known of a name, until an instant: addresses, or why there are none.
     *
     * @param current the addresses once more, without their order
     * @param untilNanos expired at ≥ (A6)
     */
    record Known(
            List<InetAddress> addresses,
            Set<InetAddress> current,
            @Nullable Throwable failure,
            long untilNanos) {}

    private final NameResolver resolver;
    private final MonotonicClock clock;
    private final AddressOrder order;

    /** Open while the lookup is under way; never completed exceptionally. */
    private final ConcurrentHashMap<String, CompletableFuture<Known>> known = new ConcurrentHashMap<>();

    private final AtomicInteger underWay = new AtomicInteger();

    Lookup(NameResolver resolver, MonotonicClock clock) {
        this.resolver = resolver;
        this.clock = clock;
        this.order = new AddressOrder(clock);
    }

    /** In which order addresses are tried. */
    AddressOrder order() {
        return order;
    }

    /** The address that a numeric host stands for, or null for a name. Pure; asks nobody. */
    static @Nullable InetAddress literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(host, bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    /** Tells what is known of the name, or will be. */
    void find(String name, Consumer<Known> told) {
        long nowNanos = clock.nanos();
        CompletableFuture<Known> fresh = new CompletableFuture<>();
        CompletableFuture<Known> current =
                known.compute(name, (key, present) -> present == null || isOver(present, nowNanos) ? fresh : present);
        if (current == fresh) {
            forgetSome(nowNanos);
            ask(name, fresh);
        }
        current.thenAccept(told);
    }

    /**
     * Keeps a destination that has connections told of what its name stands for: called now and then, asks anew when the last answer
     * has expired, once a second at most. Where there is no answer to be had the last one stands, and so do its connections.
     */
    void keepCurrent(Origin origin) {
        String name = origin.destination().address();
        CompletableFuture<Known> answer = known.get(name);
        if (answer == null) {
            if (literal(name) == null) {
                find(name, found -> tell(origin, found));
            }
            return;
        }
        Known found = answer.getNow(null);
        if (found == null) {
            return;
        }
        long pauseNanos = found.failure() == null ? 0 : PAUSE_AFTER_FAILURE_NANOS;
        if (clock.nanos() - found.untilNanos() >= pauseNanos) {
            find(name, anew -> tell(origin, anew));
        } else {
            tell(origin, found);
        }
    }

    private static void tell(Origin origin, Known found) {
        if (found.failure() == null) {
            origin.addressesAre(found.current());
        }
    }

    private static boolean isOver(CompletableFuture<Known> answer, long nowNanos) {
        Known got = answer.getNow(null);
        return got != null && nowNanos >= got.untilNanos();
    }

    private void ask(String name, CompletableFuture<Known> answer) {
        if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
            underWay.decrementAndGet();
            answer.complete(failed(new IllegalStateException(MOST_UNDER_WAY + " lookups are under way already")));
            return;
        }
        CompletableFuture<NameResolver.Answer> asked;
        try {
            asked = resolver.resolve(name).copy();
        } catch (RuntimeException e) {
            asked = CompletableFuture.failedFuture(e);
        }
        asked.orTimeout(LONGEST_LOOKUP_SECONDS, TimeUnit.SECONDS).whenComplete((found, failure) -> {
            underWay.decrementAndGet();
            answer.complete(found != null ? found(found) : failed(unwrapped(failure)));
        });
    }

    private Known found(NameResolver.Answer answer) {
        Duration validFor = answer.validFor().compareTo(LONGEST_VALID) > 0 ? LONGEST_VALID : answer.validFor();
        List<InetAddress> addresses = answer.addresses();
        return new Known(addresses, Set.copyOf(addresses), null, clock.nanos() + Math.max(0, validFor.toNanos()));
    }

    private Known failed(Throwable why) {
        return new Known(
                List.of(), Set.of(), why, clock.nanos() + (why instanceof UnknownHostException ? NEGATIVE_NANOS : 0));
    }

    private static Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause != null ? cause : new UnknownHostException("the resolver answered nothing");
    }

    private void forgetSome(long nowNanos) {
        if (known.size() > MOST_NAMES) {
            known.values().removeIf(answer -> isOver(answer, nowNanos));
            if (known.size() > MOST_NAMES) {
                known.values().removeIf(CompletableFuture::isDone);
            }
        }
    }
}
