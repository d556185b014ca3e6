package dev.escapement.netty.scenes;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the client asks for: {@code ask [METHOD] ["body"] [bytes N] [once] [reused] [retries N] [handshake 50ms] [refused] [raw]}.
 *
 * @param text the body as it is written in a scene, where it is not {@code zeros} bytes of zero
 * @param once whether the body can be read once only
 * @param reused whether the connection has served a call before
 * @param retries how many the policy allows
 * @param handshakeNanos the limit of the TLS handshake
 */
record Ask(
        Method method,
        String text,
        int zeros,
        boolean once,
        boolean reused,
        int retries,
        long handshakeNanos,
        Whom whom) {

    /** To whom the request goes. */
    enum Whom {
        SERVER,
        /** A port at which nobody listens. */
        NOBODY,
        /** The server, by https, although it handles bare bytes. */
        RAW_SERVER
    }

    /** A body of so many bytes is shared by all scenes that ask for one. */
    private static final Map<Integer, byte[]> SHARED = new ConcurrentHashMap<>();

    static final Ask STANDARD = read("");

    static Ask read(String line) {
        Method method = Method.GET;
        String text = "";
        int zeros = 0;
        boolean once = false;
        boolean reused = false;
        int retries = 0;
        long handshakeNanos = Step.nanos("20s");
        Whom whom = Whom.SERVER;
        String[] words = line.isEmpty() ? new String[0] : line.split(" +", -1);
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "bytes" -> zeros = Integer.parseInt(words[++i]);
                case "once" -> once = true;
                case "reused" -> reused = true;
                case "retries" -> retries = Integer.parseInt(words[++i]);
                case "handshake" -> handshakeNanos = Step.nanos(words[++i]);
                case "refused" -> whom = Whom.NOBODY;
                case "raw" -> whom = Whom.RAW_SERVER;
                default -> {
                    if (words[i].startsWith("\"")) {
                        text = words[i].substring(1, words[i].length() - 1);
                    } else {
                        method = Method.of(words[i]);
                    }
                }
            }
        }
        return new Ask(method, text, zeros, once, reused, retries, handshakeNanos, whom);
    }

    /** The same with another method, and so many retries. */
    Ask with(Method other, int allowed) {
        return new Ask(other, text, zeros, once, reused, allowed, handshakeNanos, whom);
    }

    Request request(URI uri) {
        byte[] body = zeros > 0 ? SHARED.computeIfAbsent(zeros, byte[]::new) : Text.bytes(text);
        return Request.of(method, uri, Headers.empty(), once ? Body.once(ByteBuffer.wrap(body)) : Body.of(body));
    }
}
