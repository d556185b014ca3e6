package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a good exchange looks like on the wire and in the reports. */
@ExtendWith(LeakWatch.class)
class NettyTransportTest {

    @Test
    @DisplayName("E1 E6 a request is written, counted and answered, and its connection serves the next")
    void aConnectionIsReused() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> ScriptedServer.response(200, request.target()));

            World.Sent first =
                    world.send(Request.get(server.uri("/one?x=1#fragment").toString()));
            assertThat(first.status()).isEqualTo(200);
            World.Sent second = world.send(Request.get(server.uri("").toString()));
            assertThat(second.status()).isEqualTo(200);

            assertThat(first.text()).isEqualTo("/one?x=1");
            assertThat(second.text()).isEqualTo("/");
            assertThat(first.exchange().facts())
                    .containsExactly(
                            Fact.CONNECTED,
                            Fact.MAY_WRITE,
                            Fact.WRITTEN,
                            Fact.REQUEST_SENT,
                            Fact.REPLY_STARTED,
                            Fact.CLEAN,
                            Fact.SUCCEEDED);
            assertThat(first.exchange().writtenBytes())
                    .isEqualTo(server.request(1).head().length());
            assertThat(first.exchange().fate()).contains(ConnectionFate.REUSED);
            assertThat(first.exchange().connections()).containsExactly(false);
            assertThat(second.exchange().connections()).containsExactly(true);
            assertThat(server.connectionCount()).isEqualTo(1);
            assertThat(world.transport.stats().opened()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("S2 the request is written as built: origin form, Host with port, fields in order, length")
    void theRequestOnTheWire() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> ScriptedServer.response(200, ""));

            Request request = Request.of(
                    Method.POST,
                    server.uri("/a/b?c=%20d"),
                    Headers.of("X-One", "1", "x-two", "ü", "X-One", ""),
                    Body.of("hello"));
            assertThat(world.send(request).status()).isEqualTo(200);
            assertThat(world.send(Request.of(Method.POST, server.uri("/").toString()))
                            .status())
                    .isEqualTo(200);

            assertThat(server.request(1).head())
                    .isEqualTo("POST /a/b?c=%20d HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                            + "\r\nX-One: 1\r\nx-two: ü\r\nX-One: \r\nContent-Length: 5\r\n\r\n");
            assertThat(server.request(1).bodyText()).isEqualTo("hello");
            assertThat(server.request(2).header("Content-Length")).contains("0");
        }
    }
}
