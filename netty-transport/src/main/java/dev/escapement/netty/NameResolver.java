package dev.escapement.netty;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the addresses of host names, and says for how long they hold.
 *
 * <p>A transport asks it once at a time for each name, remembers what it answers for as long as that holds, and asks again
 * while connections are kept: those to addresses which the answer no longer has are closed once they are idle. So where a server
 * tells a few of many addresses in turn, answers should be made to hold longer, or to have them all. It need not cache or
 * coalesce anything itself. It is never asked for numeric addresses.
 *
 * <p>Must be safe for any thread, must not block the asking one, and must answer every question; one that is left open for 30 s
 * counts as failed.
 */
public interface NameResolver extends AutoCloseable {

    /**
     * What a name stands for.
     *
     * @param addresses in the order in which they should be tried; families are interleaved by whoever connects. At least one
     * @param validFor for how long this holds; zero or less: for the asking attempts alone. A day at most counts
     */
    record Answer(List<InetAddress> addresses, Duration validFor) {

        /** Copies the addresses. */
        public Answer {
            addresses = List.copyOf(addresses);
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("addresses = [], expected at least one");
            }
        }
    }

    /**
     * Starts to look a name up.
     *
     * @return the answer, or exceptionally why there is none: {@link java.net.UnknownHostException} where there is no such
     *     name, which is believed for one second; anything else where nobody could tell, which is not remembered
     */
    CompletableFuture<Answer> resolve(String name);

    /** Ends it: questions that are open fail, and so do later ones. */
    @Override
    void close();

    /**
     * What a transport uses by itself: DNS ({@link DnsResolver}) where that module is on the class path, else the JDK's; and
     * the JDK's also where the system property {@code jdk.net.hosts.file} says where this JVM's names come from.
     */
    static NameResolver ofSystem() {
        boolean told = System.getProperty("jdk.net.hosts.file") != null;
        return !told && isDnsThere() ? DnsResolver.ofSystem() : ofJdk();
    }

    /**
     * The JDK's own resolver, asked on four threads that end when they have nothing to do. What it says holds for ten seconds; the JDK
     * caches besides for its own time ({@code networkaddress.cache.ttl}).
     */
    static NameResolver ofJdk() {
        return new JdkResolver();
    }

    /** Asks by name, and before {@link DnsResolver} is loaded: the verifier of that class already wants what may not be there. */
    private static boolean isDnsThere() {
        try {
            Class.forName("io.netty.resolver.dns.DnsNameResolver", false, NameResolver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }
}
