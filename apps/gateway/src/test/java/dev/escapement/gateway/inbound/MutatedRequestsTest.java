package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that are almost right: the hostile rows cut, doubled, spliced and spiced. A failure names its seed. */
@ExtendWith(LeakWatch.class)
class MutatedRequestsTest {

    private static final int DECODED = 5_000;
    private static final int SENT = 400;

    private static final List<String> SPICES = List.of(
            "\r",
            "\n",
            "\r\n",
            "\r\n\r\n",
            "\0",
            " ",
            "\t",
            ":",
            ",",
            ";",
            "\"",
            "%",
            "%2e",
            "/",
            "..",
            "0",
            "-1",
            "ffffffff",
            "0\r\n\r\n",
            " HTTP/1.1\r\n",
            "Host: h\r\n",
            "Content-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Connection: close\r\n");

    private final List<byte[]> seeds = HostileRows.all()
            .filter(row -> row.bytes().length() < 1000)
            .map(row -> row.withCanary().getBytes(ISO_8859_1))
            .toList();

    @Test
    @DisplayName("RFC 9112 §11.2 whatever comes is read alike however it was split, and ends in a decision")
    void decoded() {
        GatewayConfig config = new Settings().build();
        for (int seed = 0; seed < DECODED; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = mutated(random);
            int[] cuts = random.ints(1 + random.nextInt(6), 0, bytes.length + 1)
                    .sorted()
                    .toArray();

            assertThat(DecoderTrace.of(config, bytes, cuts))
                    .as("seed %d, cut at %s", seed, Arrays.toString(cuts))
                    .isEqualTo(DecoderTrace.of(config, bytes));
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.6 whatever a client sends, its connection ends, and nothing of it is kept")
    void sent() throws IOException {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, what) -> thrown.add(what));
        Settings settings = new Settings();
        settings.halfClose = HalfClose.FINISH;
        try (TestServer server = new TestServer(settings.build(), new EchoHandler())) {
            for (int seed = 0; seed < SENT; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                byte[] bytes = mutated(random);
                int cut = random.nextInt(bytes.length + 1);
                try (RawClient client = server.connect()) {
                    client.send(Arrays.copyOfRange(bytes, 0, cut));
                    client.send(Arrays.copyOfRange(bytes, cut, bytes.length));
                    client.socket.shutdownOutput();

                    String answers = client.rest();

                    assertThat(answers).as("seed %d", seed).doesNotContain("500");
                    assertThat(count(answers, "Connection: close"))
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(1);
                }
                assertThat(thrown).as("seed %d", seed).isEmpty();
            }
            server.awaitNoConnections();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static int count(String text, String what) {
        return text.split(what, -1).length - 1;
    }

    private byte[] mutated(SplittableRandom random) {
        byte[] bytes = anySeed(random);
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private byte[] changed(byte[] bytes, SplittableRandom random) {
        int from = random.nextInt(bytes.length + 1);
        int to = from + random.nextInt(Math.min(24, bytes.length - from) + 1);
        byte[] head = Arrays.copyOf(bytes, from);
        byte[] tail = Arrays.copyOfRange(bytes, to, bytes.length);
        return switch (random.nextInt(6)) {
            case 0 -> flipped(bytes, random);
            case 1 -> joined(head, tail);
            case 2 -> joined(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, from, bytes.length));
            case 3 -> joined(head, anySeed(random));
            default -> {
                String spice = SPICES.get(random.nextInt(SPICES.size()));
                yield joined(joined(head, spice.getBytes(ISO_8859_1)), tail);
            }
        };
    }

    private static byte[] flipped(byte[] bytes, SplittableRandom random) {
        byte[] flipped = bytes.clone();
        if (flipped.length > 0) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private byte[] anySeed(SplittableRandom random) {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
