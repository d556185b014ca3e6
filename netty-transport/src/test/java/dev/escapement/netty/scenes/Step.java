package dev.escapement.netty.scenes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One thing that the server's end of a connection does, or has done to the client while the server stands there.
 *
 * @param sent what is sent, in Latin-1
 * @param amount how many bytes are taken or read, how often something is sent, or how many nanoseconds pass
 */
record Step(Verb verb, String sent, long amount) {

    /** What there is to do; its word is its name in lower case, with dashes. */
    enum Verb {
        /** Reads a whole request. */
        TAKE,
        /** Reads a request up to the end of its head. */
        TAKE_HEAD,
        /** Reads exactly so many bytes. */
        TAKE_BYTES,
        /** Sends, by one write: {@code send "text"}, or {@code send "text" x 300}. */
        SEND,
        /** Ends this side's stream and goes on reading. */
        HALF_CLOSE,
        /** Closes in good order, under TLS with its goodbye. */
        CLOSE,
        /** Closes the socket; under TLS without its goodbye. */
        CUT,
        /** Closes by a reset. */
        RESET,
        /** Says nothing more, whatever the client sends. */
        SILENT,
        /** Waits until the call has ended. */
        WAIT_ENDED,
        /** Waits until so many bytes of a response's body were read. */
        WAIT_READ,
        /** Waits until the response's body has ended, in whatever way. */
        WAIT_BODY,
        /** Waits until the client has a connection lying idle. */
        WAIT_IDLE,
        /** The caller cancels. */
        CANCEL,
        /** The caller releases the body of a response that came in parts. */
        DROP,
        /** The client's clock, which stands still otherwise, moves: {@code pass 20ms}. */
        PASS;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Whether a line that begins with this word is a step. */
    static boolean isWord(String word) {
        return Arrays.stream(Verb.values()).anyMatch(verb -> verb.word().equals(word));
    }

    static Step read(String word, String rest) {
        Verb verb = Arrays.stream(Verb.values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + word + "\": expected one of "
                        + Arrays.stream(Verb.values()).map(Verb::word).collect(Collectors.joining(", "))));
        return switch (verb) {
            case SEND -> send(rest);
            case TAKE_BYTES, WAIT_READ -> new Step(verb, "", Long.parseLong(rest));
            case PASS -> new Step(verb, "", nanos(rest));
            case TAKE,
                    TAKE_HEAD,
                    HALF_CLOSE,
                    CLOSE,
                    CUT,
                    RESET,
                    SILENT,
                    WAIT_ENDED,
                    WAIT_BODY,
                    WAIT_IDLE,
                    CANCEL,
                    DROP -> {
                if (!rest.isEmpty()) {
                    throw new IllegalArgumentException("\"" + rest + "\": expected nothing behind " + word);
                }
                yield new Step(verb, "", 0);
            }
        };
    }

    private static Step send(String rest) {
        int end = rest.lastIndexOf('"');
        if (!rest.startsWith("\"") || end == 0) {
            throw new IllegalArgumentException("\"" + rest + "\": expected bytes between quotes");
        }
        String behind = rest.substring(end + 1).strip();
        int times = behind.isEmpty() ? 1 : Integer.parseInt(behind.substring("x ".length()));
        String once = new String(Text.bytes(rest.substring(1, end)), ISO_8859_1);
        return new Step(Verb.SEND, once.repeat(times), times);
    }

    static long nanos(String text) {
        Duration length = text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
        return length.toNanos();
    }
}
