package dev.escapement.netty;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * DNS without a blocked thread, by Netty's resolver ({@code netty-resolver-dns} has to be on the class path): the hosts file first, then
 * the servers, A and AAAA side by side, search domains, CNAMEs, TCP where an answer does not fit a datagram. Each lookup has a
 * port of its own, which is harder to forge answers to.
 *
 * <p>An answer holds for the shortest TTL of what it was made from, and for a second at least. It is complete once both families have
 * been answered or have timed out. Has one thread, on which it waits for sockets. Any thread may ask.
 */
// A loop's end is awaited by nobody.
@SuppressWarnings("FutureReturnValueIgnored")
public final class DnsResolver implements NameResolver {

    /** A name with a TTL of zero is asked for once a second and not once a connect. */
    private static final long SHORTEST_SECONDS = 1;

    /** The hosts file says no TTL. */
    private static final long HOSTS_FILE_SECONDS = 60;

    private static final Duration DEFAULT_QUERY_TIMEOUT = Duration.ofMillis(500);

    private final EventLoopGroup group;
    private final DnsNameResolver resolver;

    // Touched by the loop alone.
    private final DnsTtls ttls;
    private final Set<Question> open = new HashSet<>();
    private boolean closed;

    private DnsResolver(Builder builder) {
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("escapement-names", true), NioIoHandler.newFactory());
        EventLoop loop = group.next();
        ttls = new DnsTtls();
        DnsNameResolverBuilder netty = new DnsNameResolverBuilder(loop)
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .completeOncePreferredResolved(false)
                .queryTimeoutMillis(builder.queryTimeout.toMillis())
                .resolveCache(ttls)
                .cnameCache(ttls.aliases());
        List<InetSocketAddress> servers = builder.servers;
        if (servers != null) {
            netty.nameServerProvider(new SequentialDnsServerAddressStreamProvider(servers));
        }
        List<String> searchDomains = builder.searchDomains;
        if (searchDomains != null) {
            netty.searchDomains(searchDomains);
        }
        resolver = netty.build();
    }

    /** With the servers and search domains that the system is configured with. */
    public static DnsResolver ofSystem() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** One lookup under way. */
    private static final class Question {

        private final String name;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();

        Question(String name) {
            this.name = name;
        }
    }

    @Override
    public CompletableFuture<Answer> resolve(String name) {
        Question question = new Question(name);
        try {
            group.execute(() -> ask(question));
        } catch (RejectedExecutionException e) {
            question.answer.completeExceptionally(e);
        }
        return question.answer;
    }

    private void ask(Question question) {
        if (closed) {
            question.answer.completeExceptionally(closedFailure());
            return;
        }
        open.add(question);
        resolver.resolveAll(question.name).addListener((Future<List<InetAddress>> found) -> {
            open.remove(question);
            if (found.isSuccess()) {
                question.answer.complete(answer(found.getNow()));
            } else {
                question.answer.completeExceptionally(failure(question.name, found.cause()));
            }
        });
    }

    private static IOException closedFailure() {
        return new IOException("the resolver is closed");
    }

    private Answer answer(List<InetAddress> addresses) {
        // The addresses carry the name that they were found under: with the search domain that fitted.
        long seconds = ttls.take(addresses.get(0).getHostName(), HOSTS_FILE_SECONDS);
        return new Answer(addresses, Duration.ofSeconds(Math.max(seconds, SHORTEST_SECONDS)));
    }

    /** Tells apart who said that there is no such name from who said nothing, or that it could not tell. */
    private static Throwable failure(String name, Throwable cause) {
        if (!(cause instanceof UnknownHostException)) {
            return cause;
        }
        for (Throwable deeper = cause.getCause(); deeper != null; deeper = deeper.getCause()) {
            if (deeper instanceof DnsNameResolverTimeoutException) {
                return new IOException("no name server answered for " + name, cause);
            }
            if (deeper instanceof DnsErrorCauseException error && !DnsTtls.isDefinite(error)) {
                return new IOException("the name servers could not tell: " + error.getCode(), cause);
            }
        }
        return cause;
    }

    @Override
    public void close() {
        try {
            group.execute(this::closeInLoop);
        } catch (RejectedExecutionException e) {
            // It is closed already.
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private void closeInLoop() {
        closed = true;
        resolver.close();
        for (Question question : List.copyOf(open)) {
            question.answer.completeExceptionally(closedFailure());
        }
        open.clear();
    }

    /** The settings, each with its default and its range. Not thread-safe. */
    public static final class Builder {

        private Duration queryTimeout = DEFAULT_QUERY_TIMEOUT;
        private @Nullable List<InetSocketAddress> servers;
        private @Nullable List<String> searchDomains;

        private Builder() {}

        /** How long one server may take for one query before the next is asked: 10 ms to 30 s, by default 500 ms. */
        public Builder queryTimeout(Duration value) {
            queryTimeout = value;
            return this;
        }

        /** The servers to ask, in this order, instead of the system's. At least one, with addresses and not names. */
        public Builder servers(List<InetSocketAddress> value) {
            servers = List.copyOf(value);
            return this;
        }

        /** What is appended to names without a dot, instead of the system's search domains. */
        public Builder searchDomains(List<String> value) {
            searchDomains = List.copyOf(value);
            return this;
        }

        /**
         * Builds the resolver and starts its thread.
         *
         * @throws SettingsException naming every setting that is out of its range
         */
        public DnsResolver build() {
            Faults faults = new Faults();
            faults.range("queryTimeout", queryTimeout, Duration.ofMillis(10), Duration.ofSeconds(30));
            if (servers != null && (servers.isEmpty() || servers.stream().anyMatch(InetSocketAddress::isUnresolved))) {
                faults.add("servers", servers.toString(), "at least one, each with an address");
            }
            if (!faults.isEmpty()) {
                throw faults.exception();
            }
            return new DnsResolver(this);
        }
    }
}
