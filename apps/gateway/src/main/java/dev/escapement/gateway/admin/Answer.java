package dev.escapement.gateway.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What the operators' port answers. Immutable; the bytes are nobody else's. */
final class Answer {

    private final int status;
    private final String type;
    private final byte[] body;

    /** Beside those that every answer has. */
    private final Map<String, String> headers;

    private Answer(int status, String type, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.type = type;
        this.body = body;
        this.headers = headers;
    }

    /** A body of that media type. */
    static Answer of(int status, String type, byte[] body) {
        return new Answer(status, type, body, Map.of());
    }

    /** A line for people and scripts. */
    static Answer text(int status, String line) {
        return of(status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static Answer json(int status, byte[] body) {
        return of(status, "application/json", body);
    }

    /** The same with that header. */
    Answer with(String name, String value) {
        return new Answer(status, type, body, Map.of(name, value));
    }

    int status() {
        return status;
    }

    String type() {
        return type;
    }

    byte[] body() {
        return body;
    }

    Map<String, String> headers() {
        return headers;
    }
}
