package dev.escapement.transport;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/**
 * A transport over {@code java.net.http}, which keeps the SPI honest: it cannot see its sockets.
 *
 * <p>It asks {@code tryWrite} before the client gets the request, and says {@code writtenUnknown} as soon as a connection is
 * known to have been had; a failure to connect says nothing and so proves that nothing left (E1). Abandoning cancels the
 * client's future, which closes the connection. The client repeats a GET by itself when a pooled connection turns out
 * to be dead, after bytes may have left: a reason to keep this one to tests. It goes where the URI says, and
 * refuses an attempt that is to go to another endpoint.
 *
 * <p>Any thread may send and abandon; facts come from the client's threads, one after the other.
 */
public final class JdkHttpTransport implements Transport {

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    @Override
    public Attempt send(Request request, Exchange exchange) {
        if (!exchange.endpoint().isOriginOf(request.uri())) {
            exchange.clean(ConnectionFate.NONE, 0);
            exchange.fail(TransportFailure.of(
                    Kind.REFUSED, "java.net.http cannot go to " + exchange.endpoint() + " for " + request));
            return Attempt.OVER;
        }
        HttpRequest converted = converted(request);
        if (!exchange.tryWrite()) {
            exchange.clean(ConnectionFate.NONE, 0);
            return Attempt.OVER;
        }
        Flight flight = new Flight(request, exchange);
        CompletableFuture<HttpResponse<byte[]>> future = client.sendAsync(converted, flight::begin);
        // Runs once, whether the client or abandonment completes the future.
        CompletableFuture<?> unused = future.whenComplete(flight::end);
        return () -> future.cancel(true);
    }

    private static HttpRequest converted(Request request) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(request.uri()).method(request.method().name(), publisher(request.body()));
        Headers headers = request.headers();
        for (int i = 0; i < headers.count(); i++) {
            builder.header(headers.nameAt(i), headers.valueAt(i));
        }
        return builder.build();
    }

    private static BodyPublisher publisher(Body body) {
        if (body.length() == 0) {
            return BodyPublishers.noBody();
        }
        byte[] bytes = new byte[(int) body.length()];
        body.content().get(bytes);
        return BodyPublishers.ofByteArray(bytes);
    }

    /** One attempt between {@code send} and its end; written by one of the client's threads after the other. */
    private static final class Flight {

        private final Request request;
        private final Exchange exchange;
        private boolean replyStarted;

        Flight(Request request, Exchange exchange) {
            this.request = request;
            this.exchange = exchange;
        }

        BodySubscriber<byte[]> begin(ResponseInfo head) {
            replyStarted = true;
            exchange.writtenUnknown();
            exchange.replyStarted();
            return BodySubscribers.ofByteArray();
        }

        void end(HttpResponse<byte[]> response, Throwable thrown) {
            if (thrown == null) {
                succeed(response);
                return;
            }
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            if (cause instanceof CancellationException) {
                exchange.clean(ConnectionFate.POISONED, 0);
            } else {
                fail(kind(cause), cause);
            }
        }

        private void succeed(HttpResponse<byte[]> response) {
            Response converted;
            try {
                converted = converted(response);
            } catch (IllegalArgumentException notAllowed) {
                fail(Kind.MALFORMED, notAllowed);
                return;
            }
            // Where the connection went, only the client knows; it keeps those that may be kept.
            exchange.clean(ConnectionFate.REUSED, 0);
            if (!exchange.succeed(converted)) {
                converted.release();
            }
        }

        private void fail(Kind kind, Throwable cause) {
            boolean connected = !kind.isConnectFailure() && kind != Kind.TLS;
            if (connected && !replyStarted) {
                exchange.writtenUnknown();
            }
            exchange.clean(connected ? ConnectionFate.POISONED : ConnectionFate.NONE, 0);
            exchange.fail(TransportFailure.of(kind, "java.net.http to " + request, cause));
        }

        private Kind kind(Throwable cause) {
            if (cause instanceof HttpConnectTimeoutException) {
                return Kind.CONNECT_TIMEOUT;
            }
            if (cause instanceof ConnectException) {
                return isUnresolved(cause) ? Kind.NAME_RESOLUTION : Kind.REFUSED;
            }
            if (cause instanceof SSLException) {
                return Kind.TLS;
            }
            if (cause instanceof ProtocolException) {
                return Kind.MALFORMED;
            }
            return replyStarted ? Kind.TRUNCATED : Kind.RESET;
        }

        private static boolean isUnresolved(Throwable thrown) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof UnresolvedAddressException) {
                    return true;
                }
            }
            return false;
        }

        private static Response converted(HttpResponse<byte[]> response) {
            List<String> lines = new ArrayList<>();
            response.headers()
                    .map()
                    .forEach((name, values) -> values.forEach(value -> {
                        lines.add(name);
                        lines.add(value);
                    }));
            return Response.of(
                    response.statusCode(), Headers.of(lines.toArray(String[]::new)), Body.of(response.body()));
        }
    }
}
