package dev.escapement.gateway.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.call.ClientFigures;
import dev.escapement.gateway.record.UpstreamTraffic;
import dev.escapement.guard.BreakerFigures;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.netty.DestinationStats;
import dev.escapement.netty.PoolStats;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One upstream as JSON. Pure. */
final class UpstreamJson {

    private UpstreamJson() {}

    /** Writes its members. */
    static void write(UpstreamView upstream, UpstreamTraffic traffic, JsonGenerator json) throws IOException {
        json.writeStringField("name", upstream.name());
        traffic(traffic, json);
        permits(upstream, json);
        budget(upstream.budget(), json);
        engine(upstream.calls(), json);
        pool(upstream.pool(), json);
        json.writeArrayFieldStart("endpoints");
        for (EndpointRow row : EndpointRow.of(upstream)) {
            json.writeStartObject();
            endpoint(row, json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void traffic(UpstreamTraffic traffic, JsonGenerator json) throws IOException {
        json.writeNumberField("requests", traffic.requests());
        json.writeNumberField("calls", traffic.calls());
        json.writeNumberField("attempts", traffic.attempts());
        AdminJson.counts(json, "outcomes", traffic.outcomes());
        AdminJson.counts(json, "errors", traffic.errors());
        AdminJson.counts(json, "suppressed", traffic.suppressed());
        json.writeObjectFieldStart("latency_us");
        for (Map.Entry<String, UpstreamTraffic.Latency> part :
                traffic.latencies().entrySet()) {
            json.writeObjectFieldStart(part.getKey());
            json.writeNumberField(
                    "p50", TimeUnit.NANOSECONDS.toMicros(part.getValue().medianNanos()));
            json.writeNumberField(
                    "p99", TimeUnit.NANOSECONDS.toMicros(part.getValue().p99Nanos()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void permits(UpstreamView upstream, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("permits");
        json.writeNumberField("limit", upstream.concurrency());
        json.writeNumberField("held", upstream.calls().permitsHeld());
        json.writeNumberField("queue", upstream.queue());
        json.writeNumberField("waiting", upstream.calls().waiting());
        json.writeEndObject();
    }

    /** Without {@code available} where there is no budget. */
    private static void budget(BudgetFigures budget, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("budget");
        json.writeNumberField("deposits", budget.deposits());
        json.writeNumberField("reserved", budget.reserved());
        if (budget.available() != Long.MAX_VALUE) {
            json.writeNumberField("available", budget.available());
        }
        json.writeNumberField("refused", budget.refused());
        json.writeEndObject();
    }

    private static void engine(ClientFigures calls, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("engine");
        json.writeNumberField("asleep", calls.asleep());
        json.writeNumberField("late_results", calls.lateResults());
        json.writeNumberField("slow_sends", calls.slowSends());
        json.writeNumberField("delayed_cleanups", calls.delayedCleanups());
        json.writeNumberField("forced_cleanups", calls.forcedCleanups());
        json.writeNumberField("failed_callbacks", calls.failedCallbacks());
        json.writeNumberField("failed_call_outs", calls.failedCallOuts());
        json.writeEndObject();
    }

    private static void pool(PoolStats pool, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("connections");
        json.writeNumberField("active", pool.active());
        json.writeNumberField("idle", pool.idle());
        json.writeNumberField("connecting", pool.connecting());
        json.writeNumberField("waiting", pool.waiting());
        json.writeNumberField("opened", pool.opened());
        json.writeNumberField("replaced", pool.replaced());
        json.writeNumberField("stolen", pool.stolen());
        json.writeNumberField("discarded_bytes", pool.discardedBytes());
        Map<String, Long> poisoned = new TreeMap<>();
        pool.poisoned().forEach((reason, count) -> poisoned.put(word(reason), count));
        AdminJson.counts(json, "poisoned", poisoned);
        json.writeEndObject();
    }

    private static void endpoint(EndpointRow row, JsonGenerator json) throws IOException {
        json.writeStringField("endpoint", row.endpoint().toString());
        json.writeStringField("breaker", word(row.state()));
        if (row.figures().isPresent()) {
            json.writeNumberField("in_flight", row.figures().get().inFlight());
            breaker(row.figures().get().breaker(), json);
        }
        json.writeArrayFieldStart("connections");
        for (DestinationStats stats : row.connections()) {
            json.writeStartObject();
            destination(stats, json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void breaker(BreakerFigures breaker, JsonGenerator json) throws IOException {
        json.writeNumberField("admission_percent", breaker.admissionPercent());
        json.writeNumberField("openings", breaker.openings());
        json.writeNumberField("rejected", breaker.rejected());
        json.writeObjectFieldStart("window");
        json.writeNumberField("calls", breaker.calls());
        json.writeNumberField("failed", breaker.failed());
        json.writeNumberField("slow", breaker.slow());
        json.writeNumberField("consecutive_failures", breaker.consecutiveFailures());
        json.writeEndObject();
        json.writeNumberField("trials_running", breaker.trialsRunning());
    }

    private static void destination(DestinationStats stats, JsonGenerator json) throws IOException {
        json.writeStringField("destination", stats.destination());
        json.writeNumberField("limit", stats.limit());
        json.writeNumberField("open", stats.open());
        json.writeNumberField("active", stats.active());
        json.writeNumberField("idle", stats.idle());
        json.writeNumberField("connecting", stats.connecting());
        json.writeNumberField("waiting", stats.waiting());
        json.writeNumberField("oldest_wait_ms", stats.oldestWait().toMillis());
        json.writeNumberField("oldest_connection_ms", stats.oldestConnection().toMillis());
        json.writeNumberField("uses", stats.uses());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
