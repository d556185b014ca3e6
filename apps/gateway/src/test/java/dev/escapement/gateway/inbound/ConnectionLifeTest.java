package dev.escapement.gateway.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.gateway.config.InboundConfig.HalfClose;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakWatch.class)
class ConnectionLifeTest {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final String GET = "GET /e HTTP/1.1\r\nHost: g\r\n\r\n";
    private static final String POST = "POST /e HTTP/1.1\r\nHost: g\r\nContent-Length: 10\r\n\r\n";

    private final Settings settings = new Settings();
    private final EchoHandler echo = new EchoHandler();
    private final HoldingHandler holding = new HoldingHandler();

    @Test
    @DisplayName("RFC 9110 §15.5.9 a head that does not come to its end in time is answered 408")
    void slowHeads() throws Exception {
        settings.headTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: g\r\nX");

            RawClient.Answer answer = client.answer();

            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.closes()).isTrue();
            assertThat(client.rest()).isEmpty();
            assertThat(echo.refused).containsExactly(Refusal.HEAD_TIMEOUT);
            assertThat(echo.refusedRequests.get(0).path()).isEqualTo("/slow");
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.5 who connects and says nothing is closed without a word, and no request is told of")
    void silence() throws Exception {
        settings.headTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient silent = server.connect();
                RawClient blank = server.connect()) {
            blank.send("\r\n");

            assertThat(silent.rest()).isEmpty();
            assertThat(blank.rest()).isEmpty();
            assertThat(echo.refused).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.5 a connection without a next request is closed without a word")
    void keepAliveEnds() throws Exception {
        settings.keepAliveTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send(GET);

            assertThat(client.answer().closes()).isFalse();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 9110 §15.5.9 a body that stands still while it is asked for is answered 408")
    void slowBodies() throws Exception {
        settings.bodyIdleTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send(POST + "1");

            RawClient.Answer answer = client.answer();

            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.closes()).isTrue();
            assertThat(client.rest()).isEmpty();
            assertThat(echo.refused).containsExactly(Refusal.BODY_IDLE);
        }
    }

    @Test
    @DisplayName("A8 a body that nobody asks for may stand still")
    void bodiesNobodyAsksForMayStandStill() throws Exception {
        settings.bodyIdleTimeout = SHORT;
        settings.headTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send(POST + "1");
            HoldingHandler.Held held = holding.next();
            held.does(to -> held.request.body().subscribe(held));
            // As long as the other one's silence takes, which has the same limit.
            assertThat(other.rest()).isEmpty();

            assertThat(held.wasToldNothing()).isTrue();
            held.subscription.get().request(Long.MAX_VALUE);
            client.send("234567890");
            assertThat(held.told()).isEqualTo("whole");
            assertThat(held.body()).isEqualTo("1234567890");
            held.answers("yes");
            assertThat(client.answer().closes()).isFalse();
        }
    }

    @Test
    @DisplayName("RFC 9110 §15.5.9 asking again is no reason to wait longer for a body")
    void askingAgainDoesNotHelp() throws Exception {
        settings.bodyIdleTimeout = SHORT;
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send(POST);
            HoldingHandler.Held held = holding.next();
            held.does(to -> held.request.body().subscribe(held));

            TestServer.awaitThat(() -> {
                held.subscription.join().request(1);
                return !held.wasToldNothing();
            });

            assertThat(held.told()).isEqualTo("refused BODY_IDLE");
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.6 a connection closes after so many requests, and says so")
    void requestsPerConnection() throws Exception {
        settings.maxRequests = 20;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            int served = 0;
            RawClient.Answer answer;
            do {
                client.send(GET);
                answer = client.answer();
                served++;
            } while (!answer.closes());

            assertThat(served).isBetween(18, 22);
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.6 a connection closes when it is old enough, and says so")
    void ageOfConnections() throws Exception {
        settings.maxAge = Duration.ofNanos(1);
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send(GET);

            assertThat(client.answer().closes()).isTrue();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3 nothing is served behind a request that closes the connection")
    void nothingBehindClose() throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send("GET /e HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n" + HostileRow.CANARY);

            assertThat(client.answer().closes()).isTrue();
            assertThat(client.rest()).isEmpty();
            assertThat(echo.seen).hasSize(1);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3 a client of 1.0 is kept if it asks for that, and told so")
    void oldClients() throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send("GET /e HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer().fields()).containsEntry("connection", "keep-alive");

            client.send("GET /e HTTP/1.0\r\n\r\n");
            assertThat(client.answer().closes()).isTrue();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    @DisplayName("E7 the end of a client's input is taken for its going away")
    void halfCloseCancels() throws Exception {
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send(GET);
            HoldingHandler.Held held = holding.next();

            client.socket.shutdownOutput();

            assertThat(held.told()).isEqualTo("gone CLOSED");
            held.answers("too late");
            assertThat(client.rest()).isEmpty();
            server.awaitNoConnections();
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.6 by choice a client that says no more is still answered, and then closed")
    void halfCloseMayFinish() throws Exception {
        settings.halfClose = HalfClose.FINISH;
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send(POST + "12345");
            HoldingHandler.Held first = holding.next();
            first.does(to -> first.request.body().subscribe(first));
            client.send("67890");
            client.socket.shutdownOutput();
            first.subscription.get().request(Long.MAX_VALUE);

            assertThat(first.told()).isEqualTo("whole");
            first.answers("yes");

            RawClient.Answer answer = client.answer();
            assertThat(answer.body()).isEqualTo("yes");
            assertThat(client.rest()).isEmpty();
        }
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send(POST + "12345");
            HoldingHandler.Held second = holding.next();
            second.does(to -> second.request.body().subscribe(second));
            second.subscription.get().request(Long.MAX_VALUE);

            client.socket.shutdownOutput();

            assertThat(second.told()).isEqualTo("gone CLOSED");
            assertThat(second.told()).isEqualTo("broken");
        }
    }

    @Test
    @DisplayName("E7 a reset is always a client that has gone away")
    void resetCancels() throws Exception {
        settings.halfClose = HalfClose.FINISH;
        try (TestServer server = new TestServer(settings.build(), holding)) {
            RawClient client = server.connect();
            client.send(GET);
            HoldingHandler.Held held = holding.next();

            client.socket.setSoLinger(true, 0);
            client.close();

            assertThat(held.told()).isEqualTo("gone CLOSED");
            server.awaitNoConnections();
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3 what little of a body nobody read is dropped, and the connection goes on")
    void unreadBodiesAreDropped() throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send("POST /refuse HTTP/1.1\r\nHost: g\r\nContent-Length: 5\r\n\r\n12");
            assertThat(client.answer().closes()).isFalse();

            client.send("345" + HostileRow.CANARY);

            assertThat(client.answer().body()).isEqualTo(HostileRow.CANARY_SERVED);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3 a body that is too long to be dropped, or does not come, ends the connection")
    void longUnreadBodiesCloseTheConnection() throws Exception {
        settings.lingerTime = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient large = server.connect();
                RawClient absent = server.connect();
                RawClient endless = server.connect()) {
            large.send("POST /refuse HTTP/1.1\r\nHost: g\r\nContent-Length: 70000\r\n\r\n");
            assertThat(large.answer().closes()).isTrue();
            assertThat(large.rest()).isEmpty();

            absent.send("POST /refuse HTTP/1.1\r\nHost: g\r\nContent-Length: 5\r\n\r\n12");
            assertThat(absent.answer().closes()).isFalse();
            assertThat(absent.rest()).isEmpty();

            settings.lingerTime = Duration.ofSeconds(30);
            server.config = settings.build();
            endless.send("POST /refuse HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(endless.answer().closes()).isFalse();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            endless.send("400\r\n" + "x".repeat(1024) + "\r\n");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.6 a closing connection waits for its client's last word, but not for ever")
    void lingeringEnds() throws Exception {
        settings.lingerTime = SHORT;
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send("GET /e HTTP/1.0\r\n\r\n");
            client.answer();
            assertThat(client.rest()).isEmpty();

            server.awaitNoConnections();
        }
    }

    @Test
    @DisplayName("P6 another configuration holds for the next request, on the same connection")
    void reloadsHoldForTheNextRequest() throws Exception {
        try (TestServer server = new TestServer(settings.build(), echo);
                RawClient client = server.connect()) {
            client.send(POST + "1234567890");
            assertThat(client.answer().status()).isEqualTo(200);
            settings.maxBodyBytes = 9;
            server.config = settings.build();

            client.send(POST + "1234567890");

            assertThat(client.answer().status()).isEqualTo(413);
        }
    }

    @Test
    @DisplayName("what a handler throws ends its connection, and no other")
    void brokenHandlers() throws Exception {
        RequestHandler broken = new RequestHandler() {
            @Override
            public void accept(InboundRequest request, Responder responder) {
                if (request.path().equals("/bug")) {
                    throw new IllegalStateException("as the test wants it");
                }
                echo.accept(request, responder);
            }

            @Override
            public void refused(InboundRequest request, Refusal refusal, Responder responder) {
                throw new IllegalStateException("as the test wants it");
            }
        };
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        try (TestServer server = new TestServer(settings.build(), broken);
                RawClient bug = server.connect();
                RawClient bad = server.connect();
                RawClient good = server.connect()) {
            bug.send("GET /bug HTTP/1.1\r\nHost: g\r\n\r\n");
            bad.send("\u0000");
            good.send(GET);

            assertThat(bug.rest()).isEmpty();
            assertThat(bad.rest()).isEmpty();
            assertThat(good.answer().status()).isEqualTo(200);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
