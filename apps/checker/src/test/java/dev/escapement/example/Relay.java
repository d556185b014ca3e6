package dev.escapement.example;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.Streaming;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.ReplayMemory;
import dev.escapement.http.Request;
import dev.escapement.report.Report;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** What the README shows of bodies in parts. */
final class Relay {

    private final Client client;

    Relay(Client client) {
        this.client = client;
    }

    // README begin
    private final ReplayMemory memory = ReplayMemory.of(64 * 1024, 64 * 1024 * 1024);

    private final CallOptions inParts = CallOptions.none()
            .withStreaming(Streaming.toHead()
                    .withIdleTimeout(Duration.ofSeconds(30))
                    .withInterim((status, headers) -> System.out.println("interim " + status)));

    /** Completes at the response's head; {@code response.body().parts()} follows, or {@code release()}. */
    CompletableFuture<Report> upload(URI target, Flow.Publisher<ByteBuffer> content) {
        Body body = memory.keep(content, Body.UNKNOWN_LENGTH); // sent again while it is short, once if it is long
        Request request = Request.of(Method.PUT, target, Headers.empty(), body).expectingContinue();
        return client.call(request, inParts);
    }
    // README end
}
