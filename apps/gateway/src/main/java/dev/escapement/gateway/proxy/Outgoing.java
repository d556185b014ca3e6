package dev.escapement.gateway.proxy;

import dev.escapement.call.CallOptions;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.RouteConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.gateway.upstream.Upstream;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.netty.ByteBufBody;
import io.netty.buffer.ByteBuf;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The request that is sent on, and what its call is told, from the client's request and its route. Pure.
 *
 * @param options all but how the answer is taken, and the operation class
 * @param operationClass the policy that its route names, if it names one
 */
record Outgoing(Request request, CallOptions options, Optional<String> operationClass) {

    /**
     * What is sent on.
     *
     * @throws IllegalArgumentException if the target makes no URI
     */
    static Outgoing of(
            GatewayConfig config,
            RouteConfig route,
            Upstream upstream,
            InboundRequest in,
            RequestRecord record,
            Body body) {
        String key = route.trustsKeys() ? key(in.headers()) : null;
        Headers fields = RequestFields.of(config, in, record.requestId.orElseThrow(), key != null);
        String path = route.stripPrefix() ? stripped(in.path(), route.path()) : in.path();
        record.forwardedPath = Optional.of(path);
        String target = in.query().isPresent() ? path + '?' + in.query().get() : path;
        URI uri = URI.create(upstream.origin() + target);
        Request request = Request.of(Method.of(in.method()), uri, fields, body);
        Optional<String> host = upstream.hostFor(in.authority());
        if (host.isPresent()) {
            request = request.withHost(host.get());
        }
        if (in.takesTrailers()) {
            request = request.takingTrailers();
        }
        if (in.expectsContinue() && body.length() != 0) {
            request = request.expectingContinue();
        }
        CallOptions options = CallOptions.none().withDeadlineNanos(record.deadlineNanos);
        if (key != null) {
            options = options.withIdempotencyKey(key);
        }
        return new Outgoing(request, options, route.policy().isPresent() ? route.policyName() : Optional.empty());
    }

    /** The call's deadline: its time runs from the request's head, not from the end of a slow body. */
    static long deadlineNanos(InboundRequest in, RouteConfig route, Upstream upstream) {
        long policyNanos =
                route.policy().orElse(upstream.config().settings().policy()).overallTimeoutNanos();
        long timeoutNanos = route.timeout().isPresent() ? route.timeout().get().toNanos() : policyNanos;
        return in.headNanos() + Math.min(policyNanos, timeoutNanos);
    }

    /**
     * The client's body as it comes, once (R8).
     *
     * @param asked run on the connection's loop before anything of it is read
     */
    static Body streamed(InboundRequest in, Runnable asked) {
        Flow.Publisher<ByteBuf> buffers = subscriber -> {
            if (in.connection().loop().inEventLoop()) {
                asked.run();
            } else {
                in.connection().loop().execute(asked);
            }
            in.body().subscribe(subscriber);
        };
        Body body = ByteBufBody.once(buffers, in.contentLength());
        return in.contentLength() == Body.UNKNOWN_LENGTH
                ? body.withTrailers(() -> HopByHop.trailers(in.body().trailers()))
                : body;
    }

    /** The length that a head tells of a body that does not follow; −1 for none. */
    static long toldLength(Headers headers) {
        Optional<String> told = headers.first("Content-Length");
        try {
            return told.isPresent() ? Long.parseLong(told.get()) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** What is behind the prefix; its slash stays. */
    private static String stripped(String path, String prefix) {
        if (prefix.equals("/")) {
            return path;
        }
        String rest = path.substring(prefix.endsWith("/") ? prefix.length() - 1 : prefix.length());
        return rest.isEmpty() ? "/" : rest;
    }

    /** A structured-field string or a bare word, if it can be a call's key (I5). */
    private static @Nullable String key(Headers headers) {
        Optional<String> given = headers.first(RequestFields.KEY);
        if (given.isEmpty() || headers.all(RequestFields.KEY).size() > 1) {
            return null;
        }
        String text = given.get();
        String key = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        try {
            CallOptions.none().withIdempotencyKey(key);
            return key;
        } catch (IllegalArgumentException notOne) {
            return null;
        }
    }
}
