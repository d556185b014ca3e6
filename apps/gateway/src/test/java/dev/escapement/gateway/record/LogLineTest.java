package dev.escapement.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.config.AccessLogConfig.Format;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a line of the access log says, and that a client's bytes never say anything else in it. */
class LogLineTest {

    private static final long NOW = 250 * GivenReport.MS;

    private static AccessLogConfig config(boolean query, String... headers) {
        return new AccessLogConfig("-", Format.JSON, query, Set.of(headers), 100);
    }

    private static String line(LineFormat format, RequestRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            format.to(out).write(record, NOW);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static Map<String, Object> json(AccessLogConfig config, RequestRecord record) {
        return ParsedJson.object(line(new JsonLine(config), record));
    }

    private static String combined(AccessLogConfig config, RequestRecord record) {
        return line(new CombinedLine(config), record);
    }

    @Test
    @DisplayName("JSON: a line tells all that is known of a request that was answered after a retry")
    void jsonTellsAllThatIsKnown() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/cart?token=s3cret"));
        record.forwardedPath = Optional.of("/v1/cart");
        record.traceId = Optional.of("4bf92f3577b34da6a3ce929d0e0e4736");

        assertThat(json(config(false), record)).containsExactlyEntriesOf(ParsedJson.object("""
                        {"ts": "2023-11-14T22:13:20.123Z",
                         "client": "198.51.100.7", "client_source": "x-forwarded-for", "peer": "192.0.2.9:4711",
                         "method": "GET", "authority": "shop.example:8080", "path": "/cart", "forwarded_path": "/v1/cart",
                         "protocol": "HTTP/1.1", "status": 200, "bytes_in": 5, "bytes_out": 1234, "agent": "curl/8.5.0",
                         "request_id": "r-1", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                         "route": "shop", "upstream": "orders", "config": "0a1b2c3d", "end": "--",
                         "attempts": [
                           {"endpoint": "http://10.0.0.1:8080", "failure": "reset", "ms": 20.0, "reused": false,
                            "bytes_written": 77, "replaced": true},
                           {"endpoint": "http://10.0.0.2:8080", "status": 200, "ms": 30.0, "reused": true,
                            "bytes_written": 143}],
                         "us": {"head": 2000, "body_in": 5000, "queue": 2000, "connect": 4000, "first_byte": 20000,
                                "body_out": 30000, "total": 101000},
                         "deadline_ms": 500.0, "deadline_left_ms": 409.0,
                         "connection": 17, "request": 3, "tls": "TLSv1.3"}
                        """));
    }

    @Test
    @DisplayName("JSON: a line says why the answer is our own, who ended it where, and what the upstream had said")
    void jsonSaysWhy() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        record.status = 504;
        record.upstreamStatus = OptionalInt.of(503);
        record.reason = Optional.of(Reason.DEADLINE);
        record.ender = RequestRecord.Ender.UPSTREAM_TIMEOUT;
        record.phase = RequestRecord.Phase.HEAD;
        record.report(GivenReport.answeredAtLast(503).because(Suppressed.CANNOT_FIT));
        record.draining = true;

        assertThat(json(config(false), record))
                .containsEntry("status", 504L)
                .containsEntry("upstream_status", 503L)
                .containsEntry("reason", "deadline")
                .containsEntry("flag", "UT")
                .containsEntry("end", "sH")
                .containsEntry("suppressed", "cannot-fit")
                .containsEntry("draining", true);
    }

    @Test
    @DisplayName("JSON: refused bytes have a line with the rule, and nothing of what was not reached")
    void jsonOfRefusedBytes() {
        RequestRecord record = GivenRecord.refused(
                new GivenRequest("-", "", GivenRequest.get("/").headers(), 0), Reason.REFUSED, 400);
        record.refusal = Optional.of(Refusal.LINE);

        assertThat(json(config(false), record))
                .containsEntry("method", "-")
                .containsEntry("rule", "line")
                .containsEntry("reason", "refused")
                .containsEntry("us", Map.of("total", 2_000L))
                .doesNotContainKeys(
                        "attempts", "route", "upstream", "deadline_ms", "suppressed", "draining", "interim");
    }

    @Test
    @DisplayName("JSON: a call that was not let in spent its time in the queue")
    void jsonOfRejectedCall() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        record.report(GivenReport.rejected(Outcome.Rejected.Reason.QUEUE_WAIT));

        Map<String, Object> line = json(config(false), record);

        assertThat(line).containsEntry("attempts", List.of());
        assertThat(line.get("us").toString()).contains("queue=60000").doesNotContain("connect", "first_byte");
    }

    @Test
    @DisplayName("JSON: a request that goes on has its figures so far")
    void jsonOfOneThatGoesOn() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        record.endedNanos = 0;

        Map<String, Object> line = json(config(false), record);

        assertThat(line).containsEntry("interim", true).containsEntry("deadline_left_ms", 350.0);
        assertThat(line.get("us").toString()).contains("body_out=89000", "total=160000");
    }

    @Test
    @DisplayName("JSON: hostile bytes come back as they were, in one line of visible ASCII")
    void jsonEscapes() {
        StringBuilder hostile = new StringBuilder("/");
        for (char c = 0; c < 256; c++) {
            hostile.append(c == '?' ? '!' : c);
        }
        hostile.append("\u2028\ud800");
        RequestRecord record = GivenRecord.answered(new GivenRequest(
                "G\"\n{}", hostile.toString(), GivenRequest.get("/").headers(), 1));

        String line = line(new JsonLine(config(false)), record);

        assertThat(line).matches("[ -~]+\n");
        assertThat(ParsedJson.object(line))
                .containsEntry("method", "G\"\n{}")
                .containsEntry("path", hostile.toString());
    }

    @Test
    @DisplayName("Combined: the line is the one that log readers know")
    void combinedIsWellKnown() {
        RequestRecord record =
                GivenRecord.answered(GivenRequest.get("/cart?token=s3cret").with("Referer", "http://a/"));

        assertThat(combined(config(false), record))
                .isEqualTo(
                        "198.51.100.7 - - [14/Nov/2023:22:13:20 +0000] \"GET /cart HTTP/1.1\" 200 1234 \"-\" \"curl/8.5.0\"\n");
        assertThat(combined(config(true, "referer"), record))
                .contains("GET /cart?token=s3cret HTTP/1.1", "\"http://a/\"");
    }

    @Test
    @DisplayName("Combined: hostile bytes neither end a field nor a line")
    void combinedEscapes() {
        RequestRecord record = GivenRecord.refused(
                GivenRequest.get("/a\" 200 0 \"x\\\r\n10.0.0.1 - -\u00e9\u007f\u2028"), Reason.DENIED, 0);

        assertThat(combined(config(false), record))
                .contains(
                        "\"GET /a\\x22 200 0 \\x22x\\x5C\\x0D\\x0A10.0.0.1 - -\\xE9\\x7F\\xE2\\x80\\xA8 HTTP/1.1\" 000 0 ")
                .matches("[ -~]+\n");
    }

    @Test
    @DisplayName("Secrets: credentials and cookies are not told even if named, other fields only if named")
    void credentialsAreNeverTold() {
        GivenRequest request = GivenRequest.get("/")
                .with("Authorization", "Basic s3cret")
                .with("Cookie", "sid=s3cret")
                .with("Proxy-Authorization", "Basic s3cret")
                .with("X-Tenant", "blue")
                .with("X-Tenant", "green")
                .with("X-Other", "s3cret");
        RequestRecord record = GivenRecord.answered(request);
        AccessLogConfig config = config(true, "authorization", "cookie", "proxy-authorization", "x-tenant", "x-none");

        assertThat(json(config, record)).containsEntry("headers", Map.of("x-tenant", "blue, green"));
        assertThat(line(new JsonLine(config), record)).doesNotContain("s3cret");
        assertThat(combined(config, record)).doesNotContain("s3cret");
    }

    @Test
    @DisplayName("Secrets: queries are told only where that is asked for, names in targets never")
    void queriesAndNamesAreNotTold() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("http://u:s3cret@b/e@f?token=t0ken"));

        assertThat(line(new JsonLine(config(false)), record))
                .contains("\"http://b/e@f\"")
                .doesNotContain("s3cret", "t0ken");
        assertThat(combined(config(false), record))
                .contains("GET http://b/e@f HTTP")
                .doesNotContain("s3cret", "t0ken");
        assertThat(json(config(true), record))
                .containsEntry("path", "http://b/e@f")
                .containsEntry("query", "token=t0ken");
        assertThat(combined(config(true), record))
                .contains("GET http://b/e@f?token=t0ken HTTP")
                .doesNotContain("s3cret");
    }

    @Test
    @DisplayName("Bounds: a field's value is cut, whatever a client sends")
    void valuesAreCut() {
        RequestRecord record = GivenRecord.answered(
                new GivenRequest("GET", "/", dev.escapement.http.Headers.of("User-Agent", "x".repeat(30_000)), 1));

        assertThat(json(config(false), record)).containsEntry("agent", "x".repeat(1_024) + "...");
    }
}
