package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Headers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Valid requests of all kinds, pipelined and split at random, are seen as they were meant. */
@ExtendWith(LeakWatch.class)
class RandomRequestsTest {

    private static final long SEED = 20_260_101;
    private static final int CONNECTIONS = 150;
    private static final int MOST_REQUESTS = 12;
    private static final int MOST_BODY_BYTES = 20_000;

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE", "PATCH", "QUERY", "get");
    private static final List<String> TARGETS =
            List.of("/", "/a", "/a/b?c=d", "/%7Ea/../b/", "http://other:81/x", "/a?", "/\"?{}", "//x/./y");
    private static final List<String> SEEN =
            List.of("g /", "g /a", "g /a/b?c=d", "g /b/", "other:81 /x", "g /a?", "g /%22?%7B%7D", "g /x/y");

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** The bytes of a request, and what must be seen of it. */
    private record Meant(String bytes, EchoHandler.Seen seen) {}

    @Test
    @DisplayName("RFC 9112 §9.3.2 valid requests are seen as they were meant, however they come")
    void validRequests() throws Exception {
        EchoHandler echo = new EchoHandler();
        try (TestServer server = new TestServer(new Settings().build(), echo)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                echo.seen.clear();
                List<Meant> meant = new ArrayList<>();
                for (int count = 1 + random.nextInt(MOST_REQUESTS); count > 0; count--) {
                    meant.add(request());
                }
                exchange(server, meant);
                assertThat(echo.seen).as("connection %d, seed %d", i, SEED).hasSameSizeAs(meant);
                for (int k = 0; k < meant.size(); k++) {
                    assertSame(echo.seen.get(k), meant.get(k).seen());
                }
            }
            assertThat(echo.refused).isEmpty();
            server.awaitNoConnections();
        }
    }

    private void exchange(TestServer server, List<Meant> meant) throws Exception {
        byte[] all = String.join("", meant.stream().map(Meant::bytes).toList()).getBytes(ISO_8859_1);
        SplittableRandom splits = random.split();
        try (RawClient client = server.connect()) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    for (int from = 0; from < all.length; ) {
                        int to = Math.min(all.length, from + 1 + splits.nextInt(1 << splits.nextInt(14)));
                        client.send(Arrays.copyOfRange(all, from, to));
                        from = to;
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            for (Meant one : meant) {
                RawClient.Answer answer = client.answer();
                assertThat(answer.body())
                        .isEqualTo(one.seen().line() + '|' + one.seen().body());
            }
            sent.get(20, TimeUnit.SECONDS);
        }
    }

    private static void assertSame(EchoHandler.Seen seen, EchoHandler.Seen meant) {
        assertThat(seen.line()).isEqualTo(meant.line());
        assertThat(seen.body()).isEqualTo(meant.body());
        assertThat(lines(seen.headers())).isEqualTo(lines(meant.headers()));
        assertThat(lines(seen.trailers())).isEqualTo(lines(meant.trailers()));
    }

    private static List<String> lines(Headers fields) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < fields.count(); i++) {
            lines.add(fields.nameAt(i) + '=' + fields.valueAt(i));
        }
        return lines;
    }

    private Meant request() {
        int target = random.nextInt(TARGETS.size());
        String method = METHODS.get(random.nextInt(METHODS.size()));
        StringBuilder bytes = new StringBuilder(random.nextInt(8) == 0 ? "\r\n" : "");
        bytes.append(method).append(' ').append(TARGETS.get(target)).append(" HTTP/1.1\r\n");
        Headers headers = field(bytes, Headers.empty(), "hOst", "g");
        for (int fields = random.nextInt(6); fields > 0; fields--) {
            headers = field(bytes, headers, "X-" + word(1 + random.nextInt(20)), value());
        }
        String body = word(random.nextInt(4) == 0 ? random.nextInt(MOST_BODY_BYTES) : random.nextInt(40));
        Headers trailers = Headers.empty();
        switch (random.nextInt(3)) {
            case 0 -> {
                body = "";
                bytes.append("\r\n");
            }
            case 1 ->
                bytes.append("content-length: ")
                        .append(body.length())
                        .append("\r\n\r\n")
                        .append(body);
            default -> {
                bytes.append("Transfer-encoding:chunked\r\n\r\n");
                chunks(bytes, body);
                for (int fields = random.nextInt(3); fields > 0; fields--) {
                    trailers = field(bytes, trailers, "T-" + word(5), value());
                }
                bytes.append("\r\n");
            }
        }
        return new Meant(
                bytes.toString(), new EchoHandler.Seen(method + ' ' + SEEN.get(target), headers, body, trailers));
    }

    private void chunks(StringBuilder bytes, String body) {
        for (int from = 0; from < body.length(); ) {
            int to = Math.min(body.length(), from + 1 + random.nextInt(body.length()));
            String size = Integer.toHexString(to - from);
            bytes.append(random.nextBoolean() ? size : "00" + size.toUpperCase(java.util.Locale.ROOT));
            bytes.append(random.nextInt(4) == 0 ? ";a=\"" + word(3) + "\"" : "");
            bytes.append("\r\n").append(body, from, to).append("\r\n");
            from = to;
        }
        bytes.append("0\r\n");
    }

    private Headers field(StringBuilder bytes, Headers fields, String name, String value) {
        String before = " \t".repeat(random.nextInt(3));
        bytes.append(name).append(':').append(before).append(value).append(" ".repeat(random.nextInt(2)));
        bytes.append("\r\n");
        return fields.and(name, value);
    }

    private String value() {
        return random.nextInt(5) == 0 ? "" : word(random.nextInt(9)) + "a b\t\u00fcz";
    }

    private String word(int length) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
