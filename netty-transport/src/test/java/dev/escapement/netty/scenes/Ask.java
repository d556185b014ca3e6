package dev.escapement.netty.scenes;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the client asks for, as a scene says it: a method, a body between quotes, and words, some with a value (see the README beside the
 * texts). Immutable.
 */
final class Ask {

    /** To whom the request goes. */
    enum Whom {
        SERVER,
        /** A port at which nobody listens. */
        NOBODY,
        /** The server, by https, although it handles bare bytes. */
        RAW_SERVER
    }

    /** A body of so many bytes is shared by all scenes that ask for one. */
    private static final Map<Integer, byte[]> ZEROS = new ConcurrentHashMap<>();

    private static final Set<String> ALONE = Set.of("once", "parts", "asking", "reused", "refused", "raw");
    private static final Set<String> WITH_VALUE = Set.of("bytes", "length", "continue", "retries", "handshake");

    static final Ask STANDARD = new Ask(Method.GET, "", Map.of());

    private final Method method;
    private final String text;
    private final Map<String, String> said;

    private Ask(Method method, String text, Map<String, String> said) {
        this.method = method;
        this.text = text;
        this.said = Map.copyOf(said);
    }

    static Ask read(String line) {
        Method method = Method.GET;
        String text = "";
        Map<String, String> said = new HashMap<>();
        String[] words = line.split(" +", -1);
        for (int i = 0; i < words.length; i++) {
            String word = words[i];
            if (ALONE.contains(word)) {
                said.put(word, "");
            } else if (WITH_VALUE.contains(word)) {
                said.put(word, words[++i]);
            } else if (word.startsWith("\"")) {
                text = word.substring(1, word.length() - 1);
            } else {
                method = Method.of(word);
            }
        }
        return new Ask(method, text, said);
    }

    /** The same with another method, and so many retries. */
    Ask with(Method other, int retries) {
        Map<String, String> more = new HashMap<>(said);
        more.put("retries", Integer.toString(retries));
        return new Ask(other, text, more);
    }

    /** Whether the connection has served a call before. */
    boolean reused() {
        return said.containsKey("reused");
    }

    int retries() {
        return Integer.parseInt(said.getOrDefault("retries", "0"));
    }

    /** The limit of the TLS handshake. */
    Duration handshakeLimit() {
        return Duration.ofNanos(Step.nanos(said.getOrDefault("handshake", "20s")));
    }

    /** How long a body waits for the server's leave. */
    Duration continueWait() {
        return Duration.ofNanos(Step.nanos(said.getOrDefault("continue", "20s")));
    }

    Whom whom() {
        return said.containsKey("refused") ? Whom.NOBODY : said.containsKey("raw") ? Whom.RAW_SERVER : Whom.SERVER;
    }

    Request request(URI uri) {
        Request request = Request.of(method, uri, Headers.empty(), body());
        return said.containsKey("asking") ? request.expectingContinue() : request;
    }

    private Body body() {
        boolean once = said.containsKey("once");
        if (said.containsKey("parts")) {
            long length = Long.parseLong(said.getOrDefault("length", Long.toString(Body.UNKNOWN_LENGTH)));
            BytePublisher parts = new BytePublisher(text);
            return once ? Body.once(parts, length) : Body.of(parts, length);
        }
        byte[] bytes = said.containsKey("bytes")
                ? ZEROS.computeIfAbsent(Integer.valueOf(said.get("bytes")), byte[]::new)
                : Text.bytes(text);
        return once ? Body.once(ByteBuffer.wrap(bytes)) : Body.of(bytes);
    }
}
