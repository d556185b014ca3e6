package dev.escapement.gateway;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.netty.PoolStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Requests by the thousand, with faults on either side: upstreams that answer, fail, break off, answer twice or never; clients that leave at
 * any moment. Each gets one answer or has gone itself, and at the end everything is back where it was. The long form makes a million:
 * {@code -Dgateway.soak=1000000}.
 */
class FaultSoakTest {

    private static final int REQUESTS = Integer.getInteger("gateway.soak", 6_000);
    private static final int CLIENTS = 16;
    private static final int KINDS = 8;

    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong cut = new AtomicLong();
    private final AtomicLong left = new AtomicLong();

    @Test
    @DisplayName("A5 each request has one answer or no client; permits, connections and memory are back at their start")
    void faults() throws Exception {
        try (ForgetfulServer server = ForgetfulServer.start(FaultSoakTest::answer);
                Stand stand = Stand.with(
                                "timeout: 1s, attempt-timeout: 300ms, retries: 1, budget-ratio: 0.5, breaker: none")
                        .upstream(", concurrency: 64, queue: 64")
                        .endpoint(server.uri())
                        .start()) {
            half(stand, REQUESTS / 2, 1);
            long heapBefore = liveHeapBytes();

            half(stand, REQUESTS - REQUESTS / 2, 2);

            stand.awaitQuiet();
            assertThat(answered.get() + cut.get() + left.get()).isEqualTo(REQUESTS);
            assertThat(answered.get()).isGreaterThan(REQUESTS / 3);
            Stand.await(
                    "clients' connections", () -> stand.admin("/live.json"), live -> live.contains("\"in_flight\":0"));
            assertThat(stand.pool()).extracting(PoolStats::waiting).isEqualTo(0L);
            // What the second half has left behind is not a part of what went through it.
            assertThat(liveHeapBytes() - heapBefore).isLessThan(8L * 1024 * 1024);
        }
    }

    private void half(Stand stand, int requests, int seed) {
        var threads = Executors.newFixedThreadPool(CLIENTS);
        List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                .mapToObj(client -> CompletableFuture.runAsync(
                        () -> client(
                                stand,
                                requests / CLIENTS + (client < requests % CLIENTS ? 1 : 0),
                                new SplittableRandom(31L * seed + client)),
                        threads))
                .toList();
        clients.forEach(CompletableFuture::join);
        threads.shutdown();
    }

    private static String answer(String target) {
        return switch (target.charAt(1)) {
            case '0', '1', '2' -> response(200, "fine");
            case '3' -> response(503, "busy");
            case '4' -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\nSum: 1\r\n\r\n";
            case '5' -> "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine" + response(200, "evil");
            case '6' -> "HTTP/1.1 103 Early Hints\r\n\r\n" + response(200, "fine", "Connection", "close");
            default -> "HTTP/1.1 2x0 What\r\n\r\n";
        };
    }

    private void client(Stand stand, int requests, SplittableRandom random) {
        int done = 0;
        while (done < requests) {
            try (Wire wire = stand.connect()) {
                boolean open = true;
                while (open && done < requests) {
                    done++;
                    open = exchange(wire, random);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Returns whether the connection can be used again. */
    private boolean exchange(Wire wire, SplittableRandom random) throws IOException {
        String path = "/" + random.nextInt(KINDS);
        boolean uploads = random.nextInt(4) == 0;
        wire.send(
                uploads
                        ? "POST " + path + " HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
                        : "GET " + path + " HTTP/1.1\r\nHost: g\r\n\r\n");
        if (random.nextInt(10) == 0) {
            left.incrementAndGet();
            wire.reset();
            return false;
        }
        if (uploads) {
            wire.send("0\r\n\r\n");
        }
        String head;
        try {
            do {
                head = wire.head();
            } while (head.startsWith("HTTP/1.1 1"));
        } catch (IOException e) {
            throw new IOException("no answer to " + path, e);
        }
        int length = head.indexOf("Content-Length: ");
        if (length >= 0) {
            wire.readBytes(Integer.parseInt(head.substring(length + 16, head.indexOf('\r', length))));
        } else {
            wire.readTo("0\r\n\r\n");
        }
        answered.incrementAndGet();
        return !head.contains("\r\nConnection: close\r\n");
    }

    private static long liveHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
