package dev.escapement.gateway.proxy;

import dev.escapement.call.Client;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.gateway.record.Tried;
import dev.escapement.gateway.upstream.Upstream;
import dev.escapement.guard.BreakerState;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.http.Headers;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.Report;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * An answer of our own: status, fields and problem details, from the reason for it. Immutable.
 *
 * @param body on the heap; whoever does not send it lets it go
 */
record OwnAnswer(int status, Headers headers, ByteBuf body) {

    private static final String SERVER = "escapement";
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /**
     * The answer to that request.
     *
     * @param refusal the rule, where one was broken
     * @param upstream where the request was to go, if that was known
     */
    static OwnAnswer of(
            GatewayConfig config,
            RequestRecord record,
            Reason reason,
            @Nullable Refusal refusal,
            @Nullable Upstream upstream,
            long nowNanos) {
        int status = refusal == null ? reason.status() : refusal.status();
        String rule = refusal == null ? reason.word() : refusal.rule();
        String id = record.requestId.orElse("-");
        int attempts = record.report().map(Report::attempts).orElse(0);
        List<String> lines = new ArrayList<>(12);
        add(lines, "Server", SERVER);
        add(lines, "Content-Type", Problem.MEDIA_TYPE);
        add(lines, RequestId.FIELD, id);
        HeaderConfig.ProxyStatus how = config.headers().proxyStatus();
        if (how != HeaderConfig.ProxyStatus.OFF) {
            String member = ProxyStatus.error(
                    config.name(),
                    reason,
                    rule,
                    status,
                    Optional.ofNullable(upstream).map(to -> to.config().name()),
                    lastEndpoint(record),
                    how);
            add(lines, ResponseFields.PROXY_STATUS, member);
        }
        retryAfterSeconds(reason, upstream, nowNanos)
                .ifPresent(seconds -> add(lines, "Retry-After", Long.toString(seconds)));
        if (reason == Reason.METHOD) {
            add(lines, "Allow", METHODS);
        }
        return new OwnAnswer(
                status,
                Headers.of(lines.toArray(new String[0])),
                Unpooled.wrappedBuffer(Problem.json(reason, rule, status, id, attempts)));
    }

    private static void add(List<String> lines, String name, String value) {
        lines.add(name);
        lines.add(value);
    }

    /** Where the last attempt went. */
    static Optional<String> lastEndpoint(RequestRecord record) {
        List<Tried> attempts = record.tried();
        return attempts.isEmpty()
                ? Optional.empty()
                : attempts.get(attempts.size() - 1)
                        .detail()
                        .map(AttemptDetail::endpoint)
                        .map(endpoint -> endpoint.host() + ":" + endpoint.port());
    }

    /** When to come back, in whole seconds: random where many are turned away at once, so that they do not come back at once. */
    private static Optional<Long> retryAfterSeconds(Reason reason, @Nullable Upstream upstream, long nowNanos) {
        return switch (reason) {
            case QUEUE_FULL, QUEUE_WAIT, CONNECTIONS_USED ->
                Optional.of(ThreadLocalRandom.current().nextLong(1, 4));
            case BREAKER_OPEN -> Optional.of(upstream == null ? 1 : nextTrialSeconds(upstream.client(), nowNanos));
            case SHUTTING_DOWN -> Optional.of(1L);
            default -> Optional.empty();
        };
    }

    /** Until the first of the open breakers lets a trial through, rounded up. */
    private static long nextTrialSeconds(Client client, long nowNanos) {
        long first = Long.MAX_VALUE;
        for (EndpointFigures endpoint : client.endpointFigures()) {
            if (endpoint.breaker().state() == BreakerState.OPEN
                    && endpoint.breaker().untilNanos() > nowNanos) {
                first = Math.min(first, endpoint.breaker().untilNanos() - nowNanos);
            }
        }
        long second = Duration.ofSeconds(1).toNanos();
        return first == Long.MAX_VALUE ? 1 : Math.max(1, (first + second - 1) / second);
    }
}
