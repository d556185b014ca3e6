package dev.escapement.gateway.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One JSON object a line, with the members of {@link LogField}; everything beyond visible ASCII is escaped. Any thread. */
final class JsonLine implements LineFormat {

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .rootValueSeparator((String) null)
            .characterEscapes(new DeleteEscaped())
            .build();

    private final ToldRequest told;
    private final InstantText instants = new InstantText();

    JsonLine(AccessLogConfig config) {
        told = new ToldRequest(config);
    }

    @Override
    public Lines to(OutputStream out) {
        return new Writer(out);
    }

    /** One generator for all lines to one place. */
    private final class Writer implements Lines {

        private final OutputStream out;
        private @Nullable JsonGenerator kept;

        Writer(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(RequestRecord record, long nowNanos) throws IOException {
            JsonGenerator json = kept;
            if (json == null) {
                json = JSON.createGenerator(out);
                kept = json;
            }
            line(record, nowNanos, json);
            json.flush();
        }
    }

    private void line(RequestRecord record, long nowNanos, JsonGenerator json) throws IOException {
        json.writeStartObject();
        request(record, json);
        answer(record, json);
        if (record.report().isPresent()) {
            attempts(record, record.report().get(), json);
        }
        times(record, nowNanos, json);
        connection(record, json);
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void request(RequestRecord record, JsonGenerator json) throws IOException {
        InboundRequest request = record.request;
        text(json, LogField.TS, instants.of(record.arrivedMillis));
        yes(json, LogField.INTERIM, record.endedNanos == 0);
        text(json, LogField.CLIENT, record.client);
        text(json, LogField.CLIENT_SOURCE, record.clientSource);
        text(json, LogField.PEER, Sockets.text(request.connection().peer()));
        text(json, LogField.METHOD, request.method());
        text(json, LogField.AUTHORITY, request.authority());
        String path = ToldRequest.path(request);
        text(json, LogField.PATH, path);
        text(json, LogField.QUERY, told.query(request));
        text(json, LogField.FORWARDED_PATH, record.forwardedPath.filter(forwarded -> !forwarded.equals(path)));
        text(json, LogField.PROTOCOL, request.minorVersion() == 0 ? "HTTP/1.0" : "HTTP/1.1");
    }

    private void answer(RequestRecord record, JsonGenerator json) throws IOException {
        number(json, LogField.STATUS, record.status);
        if (record.upstreamStatus.isPresent() && record.upstreamStatus.getAsInt() != record.status) {
            number(json, LogField.UPSTREAM_STATUS, record.upstreamStatus.getAsInt());
        }
        number(json, LogField.BYTES_IN, record.bytesIn);
        number(json, LogField.BYTES_OUT, record.bytesOut);
        text(json, LogField.AGENT, ToldRequest.value(record.request, "user-agent"));
        headers(record.request, json);
        text(json, LogField.REQUEST_ID, record.requestId);
        text(json, LogField.TRACE_ID, record.traceId);
        text(json, LogField.ROUTE, record.route);
        text(json, LogField.UPSTREAM, record.upstream);
        text(json, LogField.CONFIG, record.configVersion);
        if (record.reason.isPresent()) {
            text(json, LogField.REASON, record.reason.get().word());
        }
        if (record.refusal.isPresent()) {
            text(json, LogField.RULE, record.refusal.get().rule());
        }
        if (record.reason.isPresent() && !record.reason.get().flag().equals("-")) {
            text(json, LogField.FLAG, record.reason.get().flag());
        }
        text(json, LogField.END, "" + record.ender.letter() + record.phase.letter());
    }

    private void headers(InboundRequest request, JsonGenerator json) throws IOException {
        boolean opened = false;
        for (String name : told.headers()) {
            Optional<String> value = ToldRequest.value(request, name);
            if (value.isPresent()) {
                if (!opened) {
                    json.writeFieldName(LogField.HEADERS.key());
                    json.writeStartObject();
                    opened = true;
                }
                json.writeStringField(name, value.get());
            }
        }
        if (opened) {
            json.writeEndObject();
        }
    }

    private static void attempts(RequestRecord record, Report report, JsonGenerator json) throws IOException {
        json.writeFieldName(LogField.ATTEMPTS.key());
        json.writeStartArray();
        for (Tried attempt : record.tried()) {
            json.writeStartObject();
            attempt(attempt.report(), attempt.detail(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
        if (report.suppressed().isPresent()) {
            text(json, LogField.SUPPRESSED, Words.of(report.suppressed().get()));
        }
    }

    private static void attempt(AttemptReport attempt, Optional<AttemptDetail> detail, JsonGenerator json)
            throws IOException {
        if (detail.isPresent()) {
            text(json, LogField.ENDPOINT, detail.get().endpoint().toString());
        }
        if (attempt.outcome() instanceof Outcome.Response answered) {
            number(json, LogField.STATUS, answered.response().status());
        } else {
            text(json, LogField.FAILURE, Words.failure(attempt));
        }
        if (detail.isPresent()) {
            millis(json, LogField.MS, detail.get().endedNanos() - detail.get().startedNanos());
            json.writeFieldName(LogField.REUSED.key());
            json.writeBoolean(detail.get().reusedConnection());
            number(json, LogField.BYTES_WRITTEN, detail.get().writtenBytes());
        }
        yes(json, LogField.REPLACED, attempt.replacedConnection());
    }

    private static void times(RequestRecord record, long nowNanos, JsonGenerator json) throws IOException {
        TimeParts parts = record.parts(nowNanos);
        json.writeFieldName(LogField.US.key());
        json.writeStartObject();
        for (TimeParts.Part part : TimeParts.PARTS) {
            if (parts.nanos(part) != TimeParts.NONE) {
                json.writeNumberField(part.word(), TimeUnit.NANOSECONDS.toMicros(parts.nanos(part)));
            }
        }
        json.writeEndObject();
        if (record.deadlineNanos != 0) {
            long end = record.endedNanos == 0 ? nowNanos : record.endedNanos;
            millis(json, LogField.DEADLINE_MS, record.deadlineNanos - record.callNanos);
            millis(json, LogField.DEADLINE_LEFT_MS, record.deadlineNanos - end);
        }
    }

    private static void connection(RequestRecord record, JsonGenerator json) throws IOException {
        number(json, LogField.CONNECTION, record.request.connection().id());
        number(json, LogField.REQUEST, record.request.ordinal());
        text(json, LogField.TLS, record.request.connection().tlsVersion());
        yes(json, LogField.DRAINING, record.draining);
    }

    private static void text(JsonGenerator json, LogField field, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            text(json, field, value.get());
        }
    }

    private static void text(JsonGenerator json, LogField field, String value) throws IOException {
        json.writeFieldName(field.key());
        json.writeString(value);
    }

    private static void number(JsonGenerator json, LogField field, long value) throws IOException {
        json.writeFieldName(field.key());
        json.writeNumber(value);
    }

    private static void yes(JsonGenerator json, LogField field, boolean value) throws IOException {
        if (value) {
            json.writeFieldName(field.key());
            json.writeBoolean(true);
        }
    }

    /** Milliseconds with three decimals, rounded towards zero. */
    private static void millis(JsonGenerator json, LogField field, long nanos) throws IOException {
        json.writeFieldName(field.key());
        json.writeNumber(Thousandths.text(TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    /** What JSON demands, and DEL, which it lets through. */
    private static final class DeleteEscaped extends CharacterEscapes {

        private static final long serialVersionUID = 1;
        private static final int DELETE = 0x7f;

        private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

        DeleteEscaped() {
            escapes[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return escapes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return null;
        }
    }
}
