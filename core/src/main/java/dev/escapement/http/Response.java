package dev.escapement.http;

/**
 * One final response: status, header fields, body.
 *
 * <p>Immutable but for its body, which whoever ends up with the response reads whole or releases ({@link #release}). Interim answers
 * (1xx) never become one.
 */
public final class Response {

    private final int status;
    private final Headers headers;
    private final Body body;

    private Response(int status, Headers headers, Body body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * A response.
     *
     * @throws IllegalArgumentException if the status is outside 200–999; a status that no registry knows is allowed
     *     (RFC 9110 §15)
     */
    public static Response of(int status, Headers headers, Body body) {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("status " + status + ": expected 200 to 999");
        }
        return new Response(status, headers, body);
    }

    /** A response without header fields and body. */
    public static Response of(int status) {
        return of(status, Headers.empty(), Body.empty());
    }

    public int status() {
        return status;
    }

    public Headers headers() {
        return headers;
    }

    public Body body() {
        return body;
    }

    /** Gives back what the body holds; harmless when repeated. */
    public void release() {
        body.release();
    }

    @Override
    public String toString() {
        return "status " + status + ", " + (body.isStreamed() ? "streamed" : body.length() + " bytes");
    }
}
