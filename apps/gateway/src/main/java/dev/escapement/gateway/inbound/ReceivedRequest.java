package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import java.util.List;
import java.util.Optional;

/** One request on its connection: its head, which may be shared with equal ones, and what is its own. Immutable but for the body. */
record ReceivedRequest(
        RequestHead head,
        InboundBody body,
        ClientConnection connection,
        int ordinal,
        long firstByteNanos,
        long headNanos,
        long arrivedMillis)
        implements InboundRequest {

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String target() {
        return head.target();
    }

    @Override
    public String path() {
        return head.path();
    }

    @Override
    public Optional<String> query() {
        return head.query();
    }

    @Override
    public String authority() {
        return head.authority();
    }

    @Override
    public String host() {
        return head.host();
    }

    @Override
    public int minorVersion() {
        return head.minorVersion();
    }

    @Override
    public Headers headers() {
        return head.headers();
    }

    @Override
    public List<String> connectionOptions() {
        return head.connectionOptions();
    }

    @Override
    public boolean takesTrailers() {
        return head.takesTrailers();
    }

    @Override
    public boolean expectsContinue() {
        return head.expectsContinue();
    }

    @Override
    public long contentLength() {
        return head.contentLength();
    }
}
