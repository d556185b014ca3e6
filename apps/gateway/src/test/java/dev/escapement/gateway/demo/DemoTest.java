package dev.escapement.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.gateway.config.ConfigReader;
import dev.escapement.gateway.config.ConfigResult;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.transport.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The upstreams of the demo, asked directly. */
@Timeout(30)
class DemoTest {

    private Demo demo;
    private GatewayConfig config;

    @BeforeEach
    void start() throws IOException {
        demo = Demo.start();
        ConfigResult read = ConfigReader.read("demo", demo.configuration());
        assertThat(read).isInstanceOf(ConfigResult.Good.class);
        assertThat(read.warnings()).isEmpty();
        config = ((ConfigResult.Good) read).config();
    }

    @AfterEach
    void stop() {
        demo.close();
    }

    private Socket connect(String upstream) throws IOException {
        Endpoint endpoint = config.upstreams().get(upstream).endpoints().get(0);
        return new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
    }

    /** All that comes until the other side closes. */
    private String ask(String upstream, String head) throws IOException {
        try (Socket socket = connect(upstream)) {
            socket.getOutputStream()
                    .write((head + "\r\nHost: h\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    @DisplayName("Each path of the demo leads to the upstream of its name")
    void everyUpstreamHasItsRoute() {
        assertThat(config.upstreams().keySet()).containsExactly("healthy", "flaky", "slow", "down", "stalls", "early");
        assertThat(config.routes()).allSatisfy(route -> {
            assertThat(route.name()).isEqualTo(route.upstream());
            assertThat(route.path()).isEqualTo(route.name().equals("healthy") ? "/" : "/" + route.name());
        });
    }

    @Test
    @DisplayName("One is healthy, one is slow, and one refuses every other request")
    void someAnswer() throws IOException {
        assertThat(ask("healthy", "GET /x HTTP/1.1")).startsWith("HTTP/1.1 200").endsWith("healthy: GET /x\n");
        assertThat(ask("slow", "GET / HTTP/1.1")).startsWith("HTTP/1.1 200");
        assertThat(ask("flaky", "GET / HTTP/1.1")).startsWith("HTTP/1.1 503");
        assertThat(ask("flaky", "GET / HTTP/1.1")).startsWith("HTTP/1.1 200");
        assertThat(ask("flaky", "HEAD / HTTP/1.1")).startsWith("HTTP/1.1 503");
    }

    @Test
    @DisplayName("Nobody listens at one of them")
    void oneIsDown() {
        assertThatThrownBy(() -> connect("down").close()).isInstanceOf(ConnectException.class);
    }

    @Test
    @DisplayName("One sends half a body and then neither more nor an end")
    void oneStalls() throws IOException {
        try (Socket socket = connect("stalls")) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String head = readHead(socket.getInputStream());
            int promised = Integer.parseInt(head.replaceAll("(?s).*Content-Length: ([0-9]+).*", "$1"));
            assertThat(socket.getInputStream().readNBytes(promised / 2)).hasSize(promised / 2);

            socket.setSoTimeout(50);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    @DisplayName("One answers a request whose body has not come")
    void oneIsEarly() throws IOException {
        try (Socket socket = connect("early")) {
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(readHead(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("a byte of the head").isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }
}
