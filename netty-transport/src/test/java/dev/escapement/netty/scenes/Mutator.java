package dev.escapement.netty.scenes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes responses that are almost right: what the servers of all scenes send, cut, doubled, spliced and spiced where parsers have erred
 * before. The same seed makes the same ones. Confined to one thread.
 */
public final class Mutator {

    private static final int LARGEST = 8 * 1024;

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
            "\u007f",
            "\u00ff",
            "0",
            "5",
            "-1",
            "ffffffff",
            "100000000",
            "2147483648",
            "9223372036854775808",
            "0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.0 200 OK\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: 0\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Connection: close\r\n",
            "Connection: keep-alive\r\n",
            "Keep-Alive: timeout=2\r\n");

    private final SplittableRandom random;
    private final List<byte[]> seeds;

    public Mutator(long seed) {
        random = new SplittableRandom(seed);
        seeds = seeds();
    }

    /** What the servers of all scenes send, each connection's as one. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (Scene scene : Scene.all()) {
            for (List<Step> steps : scene.connections()) {
                StringBuilder sent = new StringBuilder();
                steps.forEach(step -> sent.append(step.sent()));
                if (!sent.isEmpty() && sent.length() <= LARGEST) {
                    seeds.add(sent.toString().getBytes(ISO_8859_1));
                }
            }
        }
        return seeds;
    }

    /** The next one. */
    public byte[] next() {
        byte[] bytes = anySeed();
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            bytes = change(bytes);
        }
        return bytes.length > LARGEST ? range(bytes, 0, LARGEST) : bytes;
    }

    private byte[] change(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int to = from + random.nextInt(Math.min(24, bytes.length - from) + 1);
        return switch (random.nextInt(8)) {
            case 0 -> flip(bytes);
            case 1 -> join(range(bytes, 0, from), range(bytes, to, bytes.length));
            case 2 -> join(range(bytes, 0, to), range(bytes, from, bytes.length));
            case 3 -> range(bytes, 0, from);
            case 4 -> {
                byte[] other = anySeed();
                yield join(range(bytes, 0, from), range(other, random.nextInt(other.length), other.length));
            }
            case 5 -> join(bytes, anySeed());
            default ->
                join(
                        join(
                                range(bytes, 0, from),
                                SPICES.get(random.nextInt(SPICES.size())).getBytes(ISO_8859_1)),
                        range(bytes, random.nextBoolean() ? from : to, bytes.length));
        };
    }

    private byte[] flip(byte[] bytes) {
        byte[] flipped = bytes.clone();
        if (flipped.length > 0) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private byte[] anySeed() {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private static byte[] range(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
