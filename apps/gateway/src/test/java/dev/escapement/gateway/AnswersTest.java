package dev.escapement.gateway;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client is answered, whatever its upstream does: the upstream's answer where there is one, else one of ours that says why. */
class AnswersTest {

    private static final String ONE_TRY = "timeout: 5s, retries: 0";

    /** What every answer of ours has in common. */
    private static void assertOwn(String answer, int status, String reason, String error) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("\r\nContent-Type: application/problem+json\r\n")
                .contains("\r\nProxy-Status: edge-1; error=" + error)
                .contains("\"status\":" + status)
                .contains("\"reason\":\"" + reason + "\"")
                .containsPattern("\r\nX-Request-Id: [0-9a-f]{32}\r\n");
    }

    @Test
    @DisplayName("an answer passes whole, its connection's own fields apart, with the request's name")
    void passed() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream
                    .otherwise()
                    .serve(request -> response(203, "hello", "X-One", "1", "Connection", "X-Hop", "X-Hop", "2"));

            String answer = stand.exchange(Stand.get("/a?b=c", "X-Request-Id: name-1"));

            assertThat(answer)
                    .startsWith("HTTP/1.1 203 ")
                    .contains("\r\nX-One: 1\r\n", "\r\nX-Request-Id: name-1\r\n", "\r\nContent-Length: 5\r\n")
                    .doesNotContain("X-Hop")
                    .endsWith("\r\n\r\nhello");
            assertThat(stand.upstream.request(1).target()).isEqualTo("/a?b=c");
            assertThat(stand.upstream.request(1).headers().all("Host")).containsExactly("shop.example");
            assertThat(stand.upstream.request(1).headers().all("X-Request-Id")).containsExactly("name-1");
            assertThat(stand.logged(1)).contains("\"request_id\":\"name-1\"", "\"status\":203", "\"end\":\"--\"");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("RFC 9209 §2.3.6 nobody listens: 502 connection_refused, and no attempt is told as an answer")
    void refused() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.close();

            String answer = stand.exchange(Stand.get("/"));

            assertOwn(answer, 502, "connect", "connection_refused");
            assertThat(answer).contains("\"attempts\":1").doesNotContain("127.0.0.1");
            assertThat(stand.logged(1)).contains("\"reason\":\"connect\"", "\"flag\":\"UF\"", "\"end\":\"SC\"");
        }
    }

    @Test
    @DisplayName(
            "RFC 9209 §2.3.30 an attempt that gets no answer in time: 504, the upstream's connection is not used again")
    void attemptTimeout() throws Exception {
        Gate never = new Gate();
        try (Stand stand = Stand.of("timeout: 5s, attempt-timeout: 100ms, retries: 0")) {
            stand.upstream.on(1).readRequest().await(never);

            assertOwn(stand.exchange(Stand.get("/")), 504, "attempt-timeout", "http_response_timeout");

            assertThat(stand.logged(1)).contains("\"flag\":\"UT\"", "\"end\":\"sH\"");
            never.open();
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("R6 a deadline with an answer in hand gives that answer; without one, 504")
    void deadline() throws Exception {
        Gate never = new Gate();
        try (Stand stand = Stand.of(
                "timeout: 400ms, attempt-timeout: 300ms, retries: 3, initial-backoff: 10ms, max-backoff: 10ms, jitter: none")) {
            stand.upstream
                    .on(1)
                    .readRequest()
                    .respond(503, "busy", "X-Last", "1")
                    .readRequest()
                    .await(never);
            stand.upstream.otherwise().readRequest().await(never);

            String answer = stand.exchange(Stand.get("/"));

            assertThat(answer)
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\r\nX-Last: 1\r\n")
                    .endsWith("busy");
            assertOwn(stand.exchange(Stand.get("/")), 504, "deadline", "http_response_timeout");
            never.open();
        }
    }

    @Test
    @DisplayName("L2 permits are used up: 503 at once, and when to come back")
    void queueFull() throws Exception {
        Gate gate = new Gate();
        try (Stand stand =
                Stand.with(ONE_TRY).upstream(", concurrency: 1, queue: 0").start()) {
            stand.upstream.otherwise().readRequest().await(gate).respond(200, "ok");
            try (Wire first = stand.connect()) {
                first.send(Stand.get("/"));
                stand.upstream.request(1);

                String answer = stand.exchange(Stand.get("/"));

                assertOwn(answer, 503, "queue-full", "connection_limit_reached");
                assertThat(answer).containsPattern("\r\nRetry-After: [123]\r\n");
                gate.open();
                assertThat(first.rest()).endsWith("ok");
            }
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("G2 the breaker is open: 503 without an attempt, and when the next trial is")
    void breakerOpen() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY + ", breaker-consecutive-failures: 1, breaker-open-period: 30s")) {
            stand.upstream.close();
            stand.exchange(Stand.get("/"));

            String answer = stand.exchange(Stand.get("/"));

            assertOwn(answer, 503, "breaker-open", "destination_unavailable");
            assertThat(answer).contains("\"attempts\":0").containsPattern("\r\nRetry-After: (2[0-9]|30)\r\n");
        }
    }

    @Test
    @DisplayName("RFC 9209 §2.3.20 bytes that are no answer: 502; one that ends in its head: 502")
    void malformed() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.on(1).readRequest().send("SSH-2.0-x\r\n\r\n").close();
            stand.upstream.on(2).readRequest().send("HTTP/1.1 200 OK\r\nX").close();

            assertOwn(stand.exchange(Stand.get("/")), 502, "malformed", "http_protocol_error");
            assertOwn(stand.exchange(Stand.get("/")), 502, "reset", "connection_terminated");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("no route: 404; HEAD of it has the length and no body")
    void noRoute() throws Exception {
        try (Stand stand = Stand.with(ONE_TRY).match("prefix: /a").start()) {
            assertOwn(stand.exchange(Stand.get("/ab")), 404, "no-route", "destination_not_found");
            assertThat(stand.exchange("HEAD / HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ")
                    .containsPattern("\r\nContent-Length: [1-9][0-9]*\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    @DisplayName("R7 an answer that would have been asked for again says so; E3 an unkeyed POST is never sent twice")
    void refusedRetry() throws Exception {
        try (Stand stand = Stand.of("timeout: 5s, retries: 2")) {
            stand.upstream.otherwise().serve(request -> response(503, "busy"));

            String answer =
                    stand.exchange("POST /pay HTTP/1.1\r\nHost: g\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi");

            assertThat(answer)
                    .startsWith("HTTP/1.1 503 ")
                    .contains(
                            "\r\nProxy-Status: edge-1; received-status=503; next-hop=web; details=\"retry-method-not-retryable\"\r\n");
            assertThat(stand.upstream.requests()).hasSize(1);
        }
    }

    @Test
    @DisplayName("R1 I5 a client's key makes its POST repeatable where the route trusts keys, and nowhere else")
    void keys() throws Exception {
        String post = "POST /pay HTTP/1.1\r\nHost: g\r\nConnection: close\r\nIdempotency-Key: \"k-1\"\r\n"
                + "Content-Length: 2\r\n\r\nhi";
        try (Stand trusting = Stand.with("timeout: 5s, retries: 1")
                        .route(", trust-idempotency-key: true")
                        .start();
                Stand other = Stand.of("timeout: 5s, retries: 1")) {
            trusting.upstream.otherwise().serve(request -> response(503, "busy"));
            other.upstream.otherwise().serve(request -> response(503, "busy"));

            trusting.exchange(post);
            other.exchange(post);

            assertThat(trusting.upstream.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.headers().all("Idempotency-Key")).containsExactly("\"k-1\"");
                assertThat(request.bodyText()).isEqualTo("hi");
            });
            assertThat(other.upstream.requests()).hasSize(1);
            assertThat(other.upstream.request(1).headers().all("Idempotency-Key"))
                    .containsExactly("\"k-1\"");
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §9.3.8 TRACE is 405; §9.3.7 OPTIONS * is ours; §7.8 websocket is 501, other upgrades are passed over")
    void ours() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.otherwise().serve(request -> response(200, "plain"));

            assertThat(stand.exchange("TRACE / HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("\r\nAllow: ");
            assertThat(stand.exchange("OPTIONS * HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 204 ")
                    .doesNotContain("Content-Length");
            assertThat(stand.exchange(Stand.get("/", "Upgrade: websocket"))).startsWith("HTTP/1.1 501 ");
            assertThat(stand.upstream.requests()).isEmpty();
            assertThat(stand.exchange(Stand.get("/", "Upgrade: h2c", "HTTP2-Settings: AAAA")))
                    .endsWith("plain");
            assertThat(stand.upstream.request(1).headers().contains("Upgrade")).isFalse();
        }
    }

    @Test
    @DisplayName("RFC 9110 §7.8 an upstream that switches protocols unasked: 502")
    void switched() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream
                    .on(1)
                    .readRequest()
                    .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");

            assertThat(stand.exchange(Stand.get("/", "Upgrade: x"))).startsWith("HTTP/1.1 502 ");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("RFC 9110 §8.6 the length of an answer to HEAD, and of a 304, is the upstream's own")
    void lengths() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.otherwise().serve(request -> switch (request.target()) {
                case "/head" -> "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n";
                case "/same" -> "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n";
                default -> "HTTP/1.1 204 No Content\r\n\r\n";
            });

            assertThat(stand.exchange("HEAD /head HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n"))
                    .contains("\r\nContent-Length: 1234\r\n")
                    .endsWith("\r\n\r\n");
            assertThat(stand.exchange(Stand.get("/same"))).contains(" 304 ", "\r\nContent-Length: 99\r\n");
            assertThat(stand.exchange(Stand.get("/"))).contains(" 204 ").doesNotContain("Content-Length");
        }
    }

    @Test
    @DisplayName("a second answer on a kept connection reaches nobody")
    void answersTwice() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.on(1).readRequest().send(response(200, "mine") + response(200, "evil"));
            stand.upstream.otherwise().serve(request -> response(200, "yours"));

            assertThat(stand.exchange(Stand.get("/"))).endsWith("mine");
            assertThat(stand.exchange(Stand.get("/"))).endsWith("yours");
        }
    }

    @Test
    @DisplayName("two gateways in a ring: 502 proxy_loop_detected")
    void loop() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            String answer = stand.exchange(Stand.get("/", "Via: 1.1 edge-1"));

            assertOwn(answer, 502, "loop", "proxy_loop_detected");
            assertThat(stand.upstream.requests()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "a connect that takes too long is 504 connection_timeout; its cause is no address of ours in the answer")
    void connectTimeout() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Stand stand = Stand.with(ONE_TRY)
                        .upstream(", connect-timeout: 50ms")
                        .endpoint("http://127.0.0.1:" + full.getLocalPort())
                        .start()) {
            // Nobody accepts: beyond its queue the kernel answers no more.
            List<Socket> queued = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Socket socket = new Socket();
                queued.add(socket);
                try {
                    socket.connect(full.getLocalSocketAddress(), 200);
                } catch (SocketTimeoutException e) {
                    break;
                }
            }

            assertOwn(stand.exchange(Stand.get("/")), 504, "connect-timeout", "connection_timeout");

            for (Socket socket : queued) {
                socket.close();
            }
        }
    }
}
