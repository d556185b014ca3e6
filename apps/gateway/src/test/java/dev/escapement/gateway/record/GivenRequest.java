package dev.escapement.gateway.record;

import dev.escapement.gateway.inbound.ClientConnection;
import dev.escapement.gateway.inbound.InboundBody;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.http.Headers;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request as a client might have sent it: what logs and metrics read of one.
 *
 * @param source of the target, so that a test can hold whoever asks for it
 */
public record GivenRequest(String method, Supplier<String> source, Headers headers, int minorVersion)
        implements InboundRequest {

    public GivenRequest(String method, String target, Headers headers, int minorVersion) {
        this(method, () -> target, headers, minorVersion);
    }

    /** Of curl. */
    public static GivenRequest get(String target) {
        return get(() -> target);
    }

    public static GivenRequest get(Supplier<String> source) {
        return new GivenRequest("GET", source, Headers.of("User-Agent", "curl/8.5.0"), 1);
    }

    public GivenRequest with(String name, String value) {
        return new GivenRequest(method, source, headers.and(name, value), minorVersion);
    }

    @Override
    public String target() {
        return source.get();
    }

    @Override
    public String path() {
        int mark = target().indexOf('?');
        return mark < 0 ? target() : target().substring(0, mark);
    }

    @Override
    public Optional<String> query() {
        int mark = target().indexOf('?');
        return mark < 0 ? Optional.empty() : Optional.of(target().substring(mark + 1));
    }

    @Override
    public String authority() {
        return "shop.example:8080";
    }

    @Override
    public String host() {
        return "shop.example";
    }

    @Override
    public List<String> connectionOptions() {
        return List.of();
    }

    @Override
    public boolean takesTrailers() {
        return false;
    }

    @Override
    public boolean expectsContinue() {
        return false;
    }

    @Override
    public long contentLength() {
        return 0;
    }

    @Override
    public InboundBody body() {
        throw new AssertionError("nobody reads a body for the log");
    }

    @Override
    public ClientConnection connection() {
        return new Connection();
    }

    @Override
    public int ordinal() {
        return 3;
    }

    @Override
    public long firstByteNanos() {
        return 1;
    }

    @Override
    public long headNanos() {
        return 1;
    }

    @Override
    public long arrivedMillis() {
        return 0;
    }

    private record Connection() implements ClientConnection {

        @Override
        public long id() {
            return 17;
        }

        @Override
        public InetSocketAddress peer() {
            try {
                return new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 9}), 4711);
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public InetSocketAddress local() {
            return peer();
        }

        @Override
        public Optional<String> tlsVersion() {
            return Optional.of("TLSv1.3");
        }

        @Override
        public EventLoop loop() {
            throw new AssertionError("nothing here runs on a loop");
        }
    }
}
