package dev.escapement.gateway.proxy;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The name of a request, by which its client, its log lines and its attempts are brought together. */
final class RequestId {

    static final String FIELD = "X-Request-Id";

    private static final int MAX_LENGTH = 128;
    private static final String DIGITS = "0123456789abcdef";

    private RequestId() {}

    /** The one that the client gave if it can be told anywhere, else a random one of 128 bits. */
    static String of(Optional<String> given) {
        return given.isPresent() && isPlain(given.get()) ? given.get() : random();
    }

    private static boolean isPlain(String id) {
        if (id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean plain = (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-';
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    // A name, not a secret.
    private static String random() {
        char[] text = new char[32];
        ThreadLocalRandom random = ThreadLocalRandom.current();
        write(random.nextLong(), text, 0);
        write(random.nextLong(), text, 16);
        return new String(text);
    }

    private static void write(long bits, char[] text, int from) {
        for (int i = 0; i < 16; i++) {
            text[from + i] = DIGITS.charAt((int) (bits >>> (60 - 4 * i)) & 15);
        }
    }
}
