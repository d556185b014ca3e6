package dev.escapement.gateway;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What passes between a client and its upstream while both still speak: parts, interim answers, trailers, ends of every kind. */
class StreamsTest {

    private static final String ONE_TRY = "timeout: 5s, retries: 0";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static String post(String... lines) {
        return "POST /up HTTP/1.1\r\nHost: g\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    }

    @Test
    @DisplayName("a part is passed on when it comes, not when the next does")
    void partByPart() throws Exception {
        Gate gate = new Gate();
        try (Stand stand = Stand.of(ONE_TRY);
                Wire wire = stand.connect()) {
            stand.upstream
                    .on(1)
                    .readRequest()
                    .send(CHUNKED + "3\r\none\r\n")
                    .await(gate)
                    .send("3\r\ntwo\r\n0\r\n\r\n");

            wire.send("GET /events HTTP/1.1\r\nHost: g\r\n\r\n");

            assertThat(wire.head()).contains("\r\nTransfer-Encoding: chunked\r\n");
            assertThat(wire.readTo("one\r\n")).isEqualTo("3\r\none\r\n");
            gate.open();
            assertThat(wire.readTo("0\r\n\r\n")).isEqualTo("3\r\ntwo\r\n0\r\n\r\n");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §15.2 interim answers pass to a client of 1.1 and not to one of 1.0; none of them is the answer")
    void interim() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            String answers = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: x\r\nX: 1\r\n\r\n"
                    + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            stand.upstream.otherwise().serve(request -> answers);

            String modern = stand.exchange(Stand.get("/"));
            String old = stand.exchange("GET / HTTP/1.0\r\nHost: g\r\n\r\n");

            assertThat(modern)
                    .startsWith("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 ")
                    .contains("\r\n\r\nHTTP/1.1 200 OK\r\n")
                    .endsWith("ok");
            assertThat(old).startsWith("HTTP/1.1 200 ").doesNotContain(" 103 ").endsWith("ok");
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §6.5 trailers pass both ways, to a client that takes them; what would change the message does not")
    void trailers() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream
                    .otherwise()
                    .serve(request ->
                            CHUNKED + "2\r\nok\r\n0\r\nSum: 7\r\nSet-Cookie: a=1\r\nContent-Length: 9\r\n\r\n");
            String body = "2\r\nhi\r\n0\r\nDigest: 5\r\nCookie: b=2\r\n\r\n";

            String taking =
                    stand.exchange(post("Transfer-Encoding: chunked", "TE: trailers", "Connection: TE, close") + body);
            String plain = stand.exchange(post("Transfer-Encoding: chunked", "Connection: close") + body);

            assertThat(taking).endsWith("0\r\nSum: 7\r\n\r\n");
            assertThat(plain).doesNotContain("Sum").endsWith("\r\n\r\nok");
            assertThat(stand.upstream.request(1).headers().all("TE")).containsExactly("trailers");
            assertThat(stand.upstream.connection(1).received()).contains("0\r\nDigest: 5\r\n\r\n");
            assertThat(stand.upstream.request(2).headers().contains("TE")).isFalse();
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §10.1.1 an expectation is the upstream's to fulfil: its 100 is passed on, once, and the body follows")
    void continued() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY);
                Wire wire = stand.connect()) {
            stand.upstream
                    .on(1)
                    .step(connection -> connection.readHead())
                    .send("HTTP/1.1 100 Continue\r\n\r\n")
                    .step(connection -> connection.readBody())
                    .respond(200, "stored");

            wire.send(post("Expect: 100-continue", "Content-Length: 4", "Connection: close"));

            assertThat(wire.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(wire.send("body").rest()).startsWith("HTTP/1.1 200 ").endsWith("stored");
            assertThat(stand.upstream.request(1).headers().all("Expect")).containsExactly("100-continue");
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §10.1.1 an upstream that says nothing: 100 is ours, after a while; a final answer: the body is never read")
    void notContinued() throws Exception {
        try (Stand stand =
                Stand.with(ONE_TRY).top("inbound: {continue-wait: 50ms}").start()) {
            stand.upstream.on(1).readRequest().respond(200, "stored", "Connection", "close");
            stand.upstream.on(2).step(connection -> connection.readHead()).respond(403, "no", "Connection", "close");
            String head = post("Expect: 100-continue", "Content-Length: 4");
            try (Wire wire = stand.connect()) {
                wire.send(head);
                assertThat(wire.head()).startsWith("HTTP/1.1 100 ");
                wire.send("body");
                assertThat(wire.head()).startsWith("HTTP/1.1 200 ");
            }
            try (Wire wire = stand.connect()) {
                assertThat(wire.send(head).head()).startsWith("HTTP/1.1 403 ").contains("\r\nConnection: close\r\n");
                assertThat(wire.rest()).isEqualTo("no");
            }
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("E7 a client that goes cancels its call: the upstream sees it, nothing is held, the log says 499")
    void clientGoes() throws Exception {
        Gate never = new Gate();
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.on(1).readRequest().await(never);
            Wire wire = stand.connect();
            wire.send("GET / HTTP/1.1\r\nHost: g\r\n\r\n");
            stand.upstream.request(1);

            wire.reset();

            stand.awaitQuiet();
            assertThat(stand.logged(1)).contains("\"status\":499", "\"flag\":\"DC\"", "\"end\":\"CH\"");
            never.open();
        }
    }

    @Test
    @DisplayName("E7 a client that goes in the middle of its body has gone, and is no failure of the upstream's")
    void clientGoesUploading() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.on(1).step(connection -> connection.readToEnd());
            Wire wire = stand.connect();
            wire.send(post("Transfer-Encoding: chunked") + "3\r\nabc\r\n");
            stand.upstream.connection(1).awaitReceived(30);

            wire.reset();

            stand.awaitQuiet();
            assertThat(stand.logged(1)).contains("\"status\":499", "\"flag\":\"DC\"");
            assertThat(stand.admin("/metrics")).contains("escapement_gateway_requests_in_flight 0");
        }
    }

    @Test
    @DisplayName("a client that ends its output has gone, unless that is to mean that it still listens")
    void halfClosed() throws Exception {
        Gate gate = new Gate();
        try (Stand cancelling = Stand.of(ONE_TRY);
                Stand finishing = Stand.with(ONE_TRY)
                        .top("inbound: {on-client-half-close: finish}")
                        .start()) {
            for (Stand stand : new Stand[] {cancelling, finishing}) {
                stand.upstream.on(1).readRequest().await(gate).respond(200, "late");
            }
            try (Wire wire = cancelling.connect()) {
                wire.send(Stand.get("/"));
                cancelling.upstream.request(1);
                wire.endOutput();
                assertThat(wire.rest()).isEmpty();
                cancelling.awaitQuiet();
            }
            try (Wire wire = finishing.connect()) {
                wire.send(Stand.get("/"));
                finishing.upstream.request(1);
                wire.endOutput();
                gate.open();
                assertThat(wire.rest()).endsWith("late");
            }
        }
    }

    @Test
    @DisplayName(
            "RFC 9112 §8 an answer that breaks off is cut at the client too: no last chunk, short of its length, a reset for 1.0")
    void cut() throws Exception {
        try (Stand stand = Stand.of(ONE_TRY)) {
            stand.upstream.on(1).readRequest().send(CHUNKED + "3\r\none\r\n").close();
            stand.upstream
                    .on(2)
                    .readRequest()
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
                    .close();
            stand.upstream.on(3).readRequest().send(CHUNKED + "3\r\none\r\n").close();

            assertThat(stand.exchange("GET / HTTP/1.1\r\nHost: g\r\n\r\n")).endsWith("\r\n\r\n3\r\none\r\n");
            assertThat(stand.exchange("GET / HTTP/1.1\r\nHost: g\r\n\r\n")).endsWith("\r\n\r\nshort");
            assertThat(stand.exchange("GET / HTTP/1.0\r\nHost: g\r\n\r\n")).endsWith("one<reset>");

            assertThat(stand.logged(1)).contains("\"status\":200", "\"reason\":\"cut-upstream\"", "\"end\":\"SD\"");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName("A8 a body that stands still is cut after its idle time, one that goes on past the deadline at that")
    void standsStill() throws Exception {
        Gate never = new Gate();
        try (Stand idle = Stand.with(ONE_TRY).route(", body-idle-timeout: 50ms").start();
                Stand late = Stand.with("timeout: 300ms, retries: 0").start()) {
            for (Stand stand : new Stand[] {idle, late}) {
                stand.upstream
                        .on(1)
                        .readRequest()
                        .send(CHUNKED + "3\r\none\r\n")
                        .await(never);
                assertThat(stand.exchange("GET / HTTP/1.1\r\nHost: g\r\n\r\n")).endsWith("3\r\none\r\n");
                stand.awaitQuiet();
            }
            assertThat(idle.logged(1)).contains("\"reason\":\"cut-idle\"");
            assertThat(late.logged(1)).contains("\"reason\":\"cut-deadline\"");
            never.open();
        }
    }

    @Test
    @DisplayName("R8 a large body is sent on as it comes, once; the upstream waits for it, not the gateway's memory")
    void largeUpload() throws Exception {
        int length = 3_000_000;
        try (Stand stand = Stand.of("timeout: 20s, retries: 0");
                Wire wire = stand.connect()) {
            stand.upstream
                    .on(1)
                    .step(connection -> {
                        connection.readHead();
                        connection.readBytes(length);
                    })
                    .respond(200, "stored");

            wire.send(post("Content-Length: " + length, "Connection: close"));
            for (int sent = 0; sent < length; sent += 100_000) {
                wire.send("x".repeat(100_000));
            }

            assertThat(wire.rest()).endsWith("stored");
            assertThat(stand.logged(1)).contains("\"bytes_in\":" + length);
        }
    }

    @Test
    @DisplayName("P6 a request whose policy was taken out while its body came is served all the same")
    void lateForItsPolicy() throws Exception {
        try (Stand stand = Stand.with(ONE_TRY + "}\n  other: {timeout: 6s, retries: 0")
                        .route(", policy: other")
                        .start();
                Wire wire = stand.connect()) {
            stand.upstream.otherwise().serve(request -> response(200, "stored"));
            wire.send(post("Content-Length: 4", "Connection: close") + "bo");
            Stand.await(
                    "the request",
                    () -> stand.admin("/metrics"),
                    metrics -> metrics.contains("escapement_gateway_requests_in_flight 1"));

            stand.reload(", policy: other", "");

            assertThat(wire.send("dy").rest()).startsWith("HTTP/1.1 200 ").endsWith("stored");
            stand.awaitQuiet();
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §15.5.14 a body beyond the route's limit: 413 before a byte is read, or the upstream's request is cut")
    void tooLarge() throws Exception {
        try (Stand stand = Stand.with(ONE_TRY).route(", max-body: 1KiB").start()) {
            stand.upstream.otherwise().step(connection -> connection.readToEnd());

            assertThat(stand.exchange(post("Content-Length: 1025", "Expect: 100-continue")))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("\r\nConnection: close\r\n");
            assertThat(stand.upstream.requests()).isEmpty();
            assertThat(stand.exchange(
                            post("Transfer-Encoding: chunked") + "401\r\n" + "x".repeat(0x401) + "\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("\"reason\":\"body-too-large\"");
            stand.awaitQuiet();
        }
    }
}
