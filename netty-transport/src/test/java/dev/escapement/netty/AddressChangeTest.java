package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A name that comes to stand for another address, under traffic and without: kept connections must notice. */
@ExtendWith(LeakWatch.class)
class AddressChangeTest {

    private static final String NAME = "moving.test";

    private final DnsServer dns = startDns();
    private final DnsResolver resolver = dns.resolver().build();
    private final World world = World.of(NettyTransport.builder().names(resolver));
    private ScriptedServer first;
    private HttpServer second;

    private static DnsServer startDns() {
        try {
            return new DnsServer();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void start() throws Exception {
        startBoth();
        first.on(1).serve(request -> response(200, "first"));
        second.createContext("/", exchange -> {
            byte[] body = "second".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        second.start();
        dns.has(NAME, 1, address(1));
    }

    /** Two servers on one port of two addresses; where it is taken on the second, another one is tried. */
    private void startBoth() throws Exception {
        while (second == null) {
            first = ScriptedServer.start();
            try {
                second = HttpServer.create(new InetSocketAddress(address(2), first.port()), 0);
            } catch (BindException taken) {
                first.close();
            }
        }
    }

    @AfterEach
    void end() {
        world.close();
        first.close();
        second.stop(0);
        resolver.close();
        dns.close();
    }

    private static InetAddress address(int last) throws Exception {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private String get() throws Exception {
        World.Sent sent = world.send(Request.get("http://" + NAME + ":" + first.port() + "/"));
        assertThat(sent.status()).isEqualTo(200);
        return sent.text();
    }

    @Test
    @DisplayName("under steady traffic calls move to the new address, none fails, and the old connection is closed")
    void steadyTraffic() throws Exception {
        assertThat(get()).isEqualTo("first");
        dns.has(NAME, 1, address(2));

        while (get().equals("first")) {
            Thread.onSpinWait();
        }

        assertThat(first.connectionCount()).isEqualTo(1);
        first.connection(1).awaitPeerEnd();
        assertThat(world.transport.stats().poisoned()).isEmpty();
    }

    @Test
    @DisplayName("without traffic the idle connection to the old address is closed when its name's time is over")
    void idle() throws Exception {
        assertThat(get()).isEqualTo("first");
        dns.has(NAME, 1, address(2));

        first.connection(1).awaitPeerEnd();

        assertThat(get()).isEqualTo("second");
    }

    @Test
    @DisplayName(
            "an address that is still among the answers keeps its connections, and so does one that nobody can ask for")
    void stays() throws Exception {
        assertThat(get()).isEqualTo("first");
        int asked = dns.asked(NAME);
        dns.has(NAME, 1, address(2), address(1));
        dns.awaitAsked(NAME, asked + 2);
        dns.fails(NAME, DnsResponseCode.SERVFAIL);
        dns.awaitAsked(NAME, asked + 6);

        assertThat(get()).isEqualTo("first");
        assertThat(first.connectionCount()).isEqualTo(1);
        assertThat(world.transport.stats().opened()).isEqualTo(1);
    }
}
