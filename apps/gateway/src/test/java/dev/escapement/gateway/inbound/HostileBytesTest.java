package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row over a real connection, with a canary behind it: whole, and a byte at a time. */
@ExtendWith(LeakWatch.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileBytesTest {

    private final EchoHandler handler = new EchoHandler();
    private TestServer server;

    @BeforeAll
    void listen() throws IOException {
        server = new TestServer(new Settings().build(), handler);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    static Stream<HostileRow> rows() {
        return HostileRows.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    @DisplayName("RFC 9112 §11.2 refused for good, or served with what follows: whole")
    void whole(HostileRow row) throws IOException {
        meets(row, Integer.MAX_VALUE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    @DisplayName("RFC 9112 §11.2 refused for good, or served with what follows: a byte at a time")
    void byteByByte(HostileRow row) throws IOException {
        meets(row, Math.max(1, row.bytes().length() / 4096));
    }

    private void meets(HostileRow row, int size) throws IOException {
        handler.seen.clear();
        handler.refused.clear();
        try (RawClient client = server.connect()) {
            send(client, row.withCanary().getBytes(ISO_8859_1), size);

            if (row.refusal() == null) {
                for (String served : row.served()) {
                    RawClient.Answer answer = client.answer();
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.body()).isEqualTo(served);
                }
                assertThat(handler.refused).isEmpty();
            } else {
                RawClient.Answer answer = client.answer();
                assertThat(answer.status()).isEqualTo(row.refusal().status());
                assertThat(answer.fields())
                        .containsEntry("x-rule", row.refusal().rule());
                assertThat(answer.closes()).isTrue();
                assertThat(endOf(client)).isEmpty();
                assertThat(handler.refused).containsExactly(row.refusal());
                assertThat(handler.seen).isEmpty();
            }
        }
        server.awaitNoConnections();
    }

    /** In pieces of that size; what a server does not take any more is not sent. */
    private static void send(RawClient client, byte[] bytes, int size) throws IOException {
        try {
            for (int from = 0; from < bytes.length; from += size) {
                client.send(Arrays.copyOfRange(bytes, from, (int) Math.min(bytes.length, (long) from + size)));
            }
        } catch (IOException closed) {
            // It was refused before its end: the answer is there.
        }
    }

    /** What is left to read: nothing, or a reset where more was sent than a closing connection takes. */
    private static String endOf(RawClient client) {
        try {
            return client.rest();
        } catch (IOException reset) {
            return "";
        }
    }

    @Test
    @DisplayName("RFC 9110 §10.1.1 a body that a final answer forestalls is never read, nor taken for a request")
    void expectationsThatAreRefusedCloseTheConnection() throws IOException {
        handler.seen.clear();
        try (RawClient client = server.connect()) {
            client.send("POST /refuse HTTP/1.1\r\nHost: g\r\nExpect: 100-continue\r\nContent-Length: 33\r\n\r\n");
            RawClient.Answer answer = client.answer();
            client.send(HostileRow.CANARY);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.interim()).isZero();
            assertThat(answer.closes()).isTrue();
            assertThat(client.rest()).isEmpty();
            assertThat(handler.seen).isEmpty();
        }
        server.awaitNoConnections();
    }

    @Test
    @DisplayName("RFC 9110 §15.5.14 a body over the limit is refused before it is read, or when it grows too large")
    void largeBodiesAreRefused() throws IOException {
        Settings small = new Settings();
        small.maxBodyBytes = 10;
        try (TestServer strict = new TestServer(small.build(), handler)) {
            for (String framed : List.of(
                    "Content-Length: 11\r\n\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\n",
                    "Transfer-Encoding: chunked\r\n\r\nb\r\n")) {
                try (RawClient client = strict.connect()) {
                    client.send("POST /e HTTP/1.1\r\nHost: g\r\n" + framed);

                    RawClient.Answer answer = client.answer();

                    assertThat(answer.status()).isEqualTo(413);
                    assertThat(answer.closes()).isTrue();
                    assertThat(client.rest()).isEmpty();
                }
            }
            strict.awaitNoConnections();
        }
    }
}
