package dev.escapement.example;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.http.Request;
import dev.escapement.netty.NettyTransport;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One upstream of a gateway. The body of this class stands in the README, and a test keeps the two alike. */
final class Orders {

    // README begin
    private final Client client;

    Orders(NettyTransport transport, Duration budget) { // the transport is shared by all upstreams
        client = Client.builder(transport, transport.schedulers())
                .policy(Policy.builder(budget).version("orders-1").build())
                .concurrency(64)
                .build();
    }

    /** The status to answer with. The key, if the upstream knows keys, makes a POST safe to repeat. */
    CompletableFuture<Integer> forward(Request request, String key) {
        return client.call(request, CallOptions.none().withIdempotencyKey(key)).thenApply(report -> {
            Outcome outcome = report.outcome();
            report.release(); // the body, which this gateway does not pass on
            return switch (outcome.kind()) {
                case RESPONSE -> ((Outcome.Response) outcome).response().status();
                case OVERALL_DEADLINE, ATTEMPT_TIMEOUT -> 504;
                case REJECTED -> 503;
                case TRANSPORT_FAILED, POLICY_TIME_OVERFLOW, CANCELLED, BROKEN -> 502;
            };
        });
    }
    // README end
}
