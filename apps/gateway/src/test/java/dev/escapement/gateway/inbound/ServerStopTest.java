package dev.escapement.gateway.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Body;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakWatch.class)
class ServerStopTest {

    private static final String GET = "GET /e HTTP/1.1\r\nHost: g\r\n\r\n";

    private final Settings settings = new Settings();
    private final EchoHandler echo = new EchoHandler();
    private final HoldingHandler holding = new HoldingHandler();

    @ParameterizedTest(name = "epoll: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "RFC 9112 §9.6 from a stop's beginning every answer closes its connection, and clients are still accepted")
    void draining(boolean epoll) throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo, epoll);
                RawClient before = server.connect()) {
            before.send(GET);
            assertThat(before.answer().closes()).isFalse();

            server.server.beginDraining();
            before.send(GET);
            assertThat(before.answer().closes()).isTrue();
            assertThat(before.rest()).isEmpty();
            try (RawClient after = server.connect()) {
                after.send(GET);
                assertThat(after.answer().closes()).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "epoll: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("S1 what the kernel had queued is accepted and served before the listening socket closes")
    void queuedConnections(boolean epoll) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (TestServer server = new TestServer(settings.build(), echo, epoll)) {
            for (int i = 0; i < 100; i++) {
                clients.add(server.connect());
            }
            server.server.stopAccepting();
            for (RawClient client : clients) {
                client.send(GET);
                assertThat(client.answer().status()).isEqualTo(200);
                client.close();
            }
            server.server.allClosed().get(20, TimeUnit.SECONDS);
            TestServer.awaitThat(() -> isRefused(server));
        }
    }

    /** A selector may hold a closed socket until it looks again. */
    private static boolean isRefused(TestServer server) {
        try (RawClient client = server.connect()) {
            return client.socket.isClosed();
        } catch (ConnectException refused) {
            return true;
        } catch (IOException other) {
            return false;
        }
    }

    @Test
    @DisplayName("S1 idle connections close, and those with a request close after it")
    void idleConnectionsClose() throws Exception {
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient idle = server.connect();
                RawClient partial = server.connect();
                RawClient active = server.connect()) {
            active.send(GET);
            HoldingHandler.Held held = holding.next();
            partial.send("GET /p");
            TestServer.awaitThat(() -> server.server.figures().active() == 2);

            server.server.beginDraining();
            server.server.stopAccepting();
            server.server.closeIdle(Duration.ofMillis(50));

            assertThat(idle.rest()).isEmpty();
            idle.leave();
            held.answers("still");
            assertThat(active.answer().body()).isEqualTo("still");
            assertThat(active.rest()).isEmpty();
            active.leave();
            partial.send("artial HTTP/1.1\r\nHost: g\r\n\r\n");
            HoldingHandler.Held crossed = holding.next();
            assertThat(crossed.request.path()).isEqualTo("/partial");
            crossed.answers("too");
            assertThat(partial.answer().closes()).isTrue();
            assertThat(partial.rest()).isEmpty();
            partial.leave();
            server.server.allClosed().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("S1 at the end of the grace who has no head is told so and still answered, others are cut")
    void graceOver() throws Exception {
        settings.lingerTime = Duration.ofMillis(150);
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient waiting = server.connect();
                RawClient silent = server.connect();
                RawClient reading = server.connect();
                RawClient idle = server.connect()) {
            waiting.send(GET);
            HoldingHandler.Held headless = holding.next();
            silent.send(GET);
            HoldingHandler.Held mute = holding.next();
            reading.send(GET);
            HoldingHandler.Held begun = holding.next();
            begun.begins(Body.UNKNOWN_LENGTH);
            TestServer.awaitThat(() -> server.server.figures().idle() == 1);

            server.server.stopAccepting();
            server.server.closeAll();

            assertThat(headless.told()).isEqualTo("grace over");
            headless.does(to -> EchoHandler.answer(to, 503, "shutting-down"));
            RawClient.Answer answer = waiting.answer();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.closes()).isTrue();
            assertThat(mute.told()).isEqualTo("grace over");
            assertThat(silent.rest()).isEmpty();
            assertThat(begun.told()).isEqualTo("gone SHUTTING_DOWN");
            assertThatThrownBy(reading::answer).isInstanceOf(IOException.class);
            assertThat(idle.rest()).isEmpty();
            server.server.allClosed().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName(
            "G5 who comes beyond the limit is closed at once and counted, and there is room again when somebody leaves")
    void connectionLimit() throws Exception {
        settings.maxConnections = 2;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            first.send(GET);
            second.send(GET);
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);

            try (RawClient third = server.connect()) {
                assertThatThrownBy(() -> {
                            third.send(GET);
                            third.answer();
                        })
                        .isInstanceOf(IOException.class);
            }
            assertThat(server.server.figures().beyondLimit()).isEqualTo(1);
            first.leave();
            TestServer.awaitThat(() -> server.server.figures().idle() == 1);
            try (RawClient fourth = server.connect()) {
                fourth.send(GET);
                assertThat(fourth.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("connections are told by what they do, refusals by their rule")
    void figures() throws Exception {
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient idle = server.connect();
                RawClient active = server.connect();
                RawClient bad = server.connect()) {
            idle.send(GET);
            holding.next().answers("done");
            idle.answer();
            active.send(GET);
            HoldingHandler.Held held = holding.next();
            bad.send("\u0000");
            bad.answer();
            assertThat(bad.rest()).isEmpty();

            TestServer.awaitThat(() -> server.server.figures().closing() == 1);
            InboundFigures figures = server.server.figures();
            assertThat(figures.idle()).isEqualTo(1);
            assertThat(figures.active()).isEqualTo(1);
            assertThat(figures.accepted()).isEqualTo(3);
            assertThat(figures.refused().get(Refusal.LINE)).isEqualTo(1);
            assertThat(figures.refused().get(Refusal.FIELD)).isZero();
            held.answers("done");
            active.answer();
        }
    }

    @Test
    @DisplayName("a port that is taken is told at once")
    void takenPort() throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo)) {
            settings.port = server.server.address().getPort();

            assertThatThrownBy(() -> new TestServer(settings.build(), echo))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on");
        }
    }
}
