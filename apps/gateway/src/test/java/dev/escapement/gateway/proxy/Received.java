package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.ConfigReader;
import dev.escapement.gateway.config.ConfigResult;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.inbound.ClientConnection;
import dev.escapement.gateway.inbound.InboundBody;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.http.Headers;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A request as if it had been received, for what looks at its head alone. Immutable. */
record Received(
        String method, String path, Headers headers, String peer, boolean secure, List<String> connectionOptions)
        implements InboundRequest {

    /** Is every thread's: nothing waits here. */
    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();

    static Received get(String... lines) {
        return new Received("GET", "/a", Headers.of(lines), "192.0.2.7", false, List.of());
    }

    Received by(String method) {
        return new Received(method, path, headers, peer, secure, connectionOptions);
    }

    Received at(String path) {
        return new Received(method, path, headers, peer, secure, connectionOptions);
    }

    Received from(String peer) {
        return new Received(method, path, headers, peer, secure, connectionOptions);
    }

    Received overTls() {
        return new Received(method, path, headers, peer, true, connectionOptions);
    }

    Received nominating(String... options) {
        return new Received(method, path, headers, peer, secure, List.of(options));
    }

    /** A configuration of one route, with those lines at its top level. */
    static GatewayConfig config(String... lines) {
        String text = "listen: 127.0.0.1:0\nadmin: 127.0.0.1:0\nname: edge-1\n" + String.join("\n", lines) + "\n" + """
                policies:
                  quick: {timeout: 2s}
                upstreams:
                  web: {endpoints: ["http://127.0.0.1:1"], policy: quick}
                routes:
                  - {name: all, match: {prefix: /}, upstream: web}
                """;
        ConfigResult read = ConfigReader.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
        if (read instanceof ConfigResult.Good good) {
            return good.config();
        }
        throw new AssertionError(read);
    }

    @Override
    public String target() {
        return path;
    }

    @Override
    public Optional<String> query() {
        return Optional.empty();
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
    public int minorVersion() {
        return 1;
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
        throw new UnsupportedOperationException("no body");
    }

    @Override
    public ClientConnection connection() {
        return new ClientConnection() {
            @Override
            public long id() {
                return 1;
            }

            @Override
            public InetSocketAddress peer() {
                try {
                    return new InetSocketAddress(InetAddress.getByName(peer), 4711);
                } catch (UnknownHostException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public InetSocketAddress local() {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
            }

            @Override
            public Optional<String> tlsVersion() {
                return secure ? Optional.of("TLSv1.3") : Optional.empty();
            }

            @Override
            public EventLoop loop() {
                return LOOP;
            }
        };
    }

    @Override
    public int ordinal() {
        return 1;
    }

    @Override
    public long firstByteNanos() {
        return 1_000;
    }

    @Override
    public long headNanos() {
        return 2_000;
    }

    @Override
    public long arrivedMillis() {
        return 0;
    }
}
