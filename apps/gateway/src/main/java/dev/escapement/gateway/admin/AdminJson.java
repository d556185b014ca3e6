package dev.escapement.gateway.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.gateway.record.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the operators' port tells as JSON. Names are as in the access log, with underscores; what is not known is absent. Any thread. */
final class AdminJson {

    private static final JsonFactory JSON = new JsonFactory();

    private final AdminView view;
    private final Metrics metrics;

    AdminJson(AdminView view, Metrics metrics) {
        this.view = view;
        this.metrics = metrics;
    }

    /** Writes the members of an object. */
    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    private static byte[] object(Members members) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
            json.writeRaw('\n');
        }
        return out.toByteArray();
    }

    /** What the live page shows. */
    byte[] live() throws IOException {
        return object(json -> {
            json.writeNumberField("age_ms", metrics.age().toMillis());
            json.writeStringField("stage", view.stage().name().toLowerCase(Locale.ROOT));
            json.writeStringField("build", view.build());
            json.writeNumberField("requests", metrics.requests());
            json.writeNumberField("in_flight", metrics.inFlight());
            InboundView inbound = view.inbound();
            json.writeObjectFieldStart("connections");
            json.writeNumberField("active", inbound.active());
            json.writeNumberField("idle", inbound.idle());
            json.writeEndObject();
            counts(json, "refused", metrics.refusals());
            counts(json, "errors", metrics.errorsWithoutUpstream());
            json.writeNumberField("access_log_dropped", view.accessLogDropped());
            json.writeObjectFieldStart("config");
            config(json, view.config());
            json.writeEndObject();
            upstreams(json, view.upstreams());
        });
    }

    /** The running configuration, whole. */
    byte[] config() throws IOException {
        ConfigView config = view.config();
        return object(json -> {
            config(json, config);
            json.writeFieldName("effective");
            tree(json, config.effective());
        });
    }

    byte[] upstreams() throws IOException {
        return object(json -> upstreams(json, view.upstreams()));
    }

    byte[] reload(ReloadView done) throws IOException {
        return object(json -> {
            json.writeStringField("version", done.version());
            json.writeBooleanField("changed", done.changed());
            if (!done.faults().isEmpty()) {
                strings(json, "faults", done.faults());
            }
        });
    }

    private static void config(JsonGenerator json, ConfigView config) throws IOException {
        json.writeStringField("version", config.version());
        json.writeStringField("loaded_at", config.loadedAt().toString());
        if (config.lastError().isPresent()) {
            ConfigView.Failure failure = config.lastError().get();
            json.writeObjectFieldStart("last_error");
            json.writeStringField("at", failure.at().toString());
            strings(json, "faults", failure.faults());
            json.writeEndObject();
        }
        json.writeNumberField("reloaded", config.reloaded());
        json.writeNumberField("failed", config.failed());
        json.writeNumberField("versions_alive", config.versionsAlive());
    }

    private void upstreams(JsonGenerator json, List<UpstreamView> upstreams) throws IOException {
        json.writeArrayFieldStart("upstreams");
        for (UpstreamView upstream : upstreams) {
            json.writeStartObject();
            UpstreamJson.write(upstream, metrics.traffic(upstream.name()), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void counts(JsonGenerator json, String name, Map<String, Long> counts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            json.writeNumberField(count.getKey(), count.getValue());
        }
        json.writeEndObject();
    }

    /** Texts, and lists and maps of them. */
    private static void tree(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                json.writeFieldName(String.valueOf(member.getKey()));
                tree(json, member.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                tree(json, item);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }

    private static void strings(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
