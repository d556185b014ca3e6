package dev.escapement.netty;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsCnameCache;
import io.netty.resolver.dns.DnsErrorCauseException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Listens to what Netty's resolver would have cached, and so learns the TTLs, which its answers do not tell. Caches nothing: whoever
 * asked remembers.
 *
 * <p>Confined to the resolver's loop. Bounded (G5): what no answer takes along is forgotten, the oldest first.
 */
final class DnsTtls implements DnsCache {

    private static final int MOST = 1_024;

    /** A chain of aliases longer than this is looked at no further. */
    private static final int LONGEST_CHAIN = 16;

    /** An alias, and for how long it is one. */
    private record Alias(String target, long seconds) {}

    /** The shortest TTL among the addresses of a name. */
    private final Map<String, Long> addresses = bounded();

    private final Map<String, Alias> aliases = bounded();

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > MOST;
            }
        };
    }

    /** For how many seconds what was last found for the name holds: the shortest TTL on the way to its addresses. Forgets it. */
    long take(String name, long otherwise) {
        Long found = addresses.remove(key(name));
        if (found == null) {
            return otherwise;
        }
        long shortest = found;
        Alias alias = aliases.remove(key(name));
        for (int i = 0; alias != null && i < LONGEST_CHAIN; i++) {
            shortest = Math.min(shortest, alias.seconds());
            alias = aliases.remove(alias.target());
        }
        return shortest;
    }

    /** Whether the server knew what it said: that there is no such name, or that it has no address. */
    static boolean isDefinite(DnsErrorCauseException error) {
        return error.getCode().equals(DnsResponseCode.NXDOMAIN)
                || error.getCode().equals(DnsResponseCode.NOERROR);
    }

    private static String key(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    DnsCnameCache aliases() {
        return new DnsCnameCache() {
            @Override
            public @Nullable String get(String name) {
                return null;
            }

            @Override
            public void cache(String name, String target, long seconds, EventLoop loop) {
                aliases.merge(
                        key(name),
                        new Alias(key(target), seconds),
                        (before, now) -> now.seconds() < before.seconds() ? now : before);
            }

            @Override
            public void clear() {
                aliases.clear();
            }

            @Override
            public boolean clear(String name) {
                return aliases.remove(key(name)) != null;
            }
        };
    }

    @Override
    public @Nullable List<? extends DnsCacheEntry> get(String name, DnsRecord[] additionals) {
        return null;
    }

    @Override
    public DnsCacheEntry cache(
            String name, DnsRecord[] additionals, InetAddress address, long seconds, EventLoop loop) {
        addresses.merge(key(name), seconds, Math::min);
        return new Passing(address, null);
    }

    @Override
    public DnsCacheEntry cache(String name, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        return new Passing(null, cause);
    }

    @Override
    public void clear() {
        addresses.clear();
    }

    @Override
    public boolean clear(String name) {
        return addresses.remove(key(name)) != null;
    }

    /** What a cache returns for what it is given. */
    private record Passing(
            @Nullable InetAddress address, @Nullable Throwable cause) implements DnsCacheEntry {}
}
