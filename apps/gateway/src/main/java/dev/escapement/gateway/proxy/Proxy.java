package dev.escapement.gateway.proxy;

import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.inbound.RequestHandler;
import dev.escapement.gateway.inbound.Responder;
import dev.escapement.gateway.record.RecordSink;
import dev.escapement.time.MonotonicClock;
import java.util.function.Supplier;

/** Takes clients' requests, each by the version of the configuration that holds when its head is there. Stateless; any loop. */
public final class Proxy implements RequestHandler {

    private final Supplier<Routing> routing;
    private final RecordSink sink;
    private final MonotonicClock clock;

    /**
     * By that routing, read for each request.
     *
     * @param sink told of every request
     * @param clock that of the clients and of {@link InboundRequest#headNanos}
     */
    public Proxy(Supplier<Routing> routing, RecordSink sink, MonotonicClock clock) {
        this.routing = routing;
        this.sink = sink;
        this.clock = clock;
    }

    @Override
    public void accept(InboundRequest request, Responder responder) {
        new ProxiedRequest(routing.get(), request, responder, sink, clock).start();
    }

    @Override
    public void refused(InboundRequest request, Refusal refusal, Responder responder) {
        new ProxiedRequest(routing.get(), request, responder, sink, clock).refuse(refusal);
    }
}
