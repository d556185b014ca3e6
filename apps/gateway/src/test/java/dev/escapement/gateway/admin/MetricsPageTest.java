package dev.escapement.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.record.GivenRecord;
import dev.escapement.gateway.record.GivenReport;
import dev.escapement.gateway.record.GivenRequest;
import dev.escapement.gateway.record.Metrics;
import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.http.Headers;
import dev.escapement.report.Suppressed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What Prometheus reads: names, labels, bounds and figures, from the text as it is served. */
class MetricsPageTest {

    private static final String P = "escapement_gateway_";
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE|UNIT) ([a-z_]+) (.+)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_]+)(\\{[a-z]+=\"[^\"\\\\\n]*\"(?:,[a-z]+=\"[^\"\\\\\n]*\")*})? ([0-9.E+-]+|\\+Inf)");

    private final GivenView view = new GivenView();
    private final Metrics metrics = new Metrics(() -> 1_000_000_000L);
    private final AdminPages pages = pages();

    private AdminPages pages() {
        metrics.registry().register(new ViewCollector(view, metrics));
        return new AdminPages(view, metrics);
    }

    private void serve(RequestRecord record) {
        metrics.began(record);
        metrics.ended(record);
    }

    private Answer ask(String accept) {
        try {
            return pages.answer("GET", "/metrics", Optional.of(accept));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** All samples by name and labels, after each line was found to be one of the format's. */
    private Map<String, Double> scrape() {
        Map<String, Double> samples = new TreeMap<>();
        TreeSet<String> typed = new TreeSet<>();
        String text = new String(ask("text/plain").body(), StandardCharsets.UTF_8);
        assertThat(text).endsWith("\n");
        for (String line : text.lines().toList()) {
            Matcher comment = COMMENT.matcher(line);
            if (comment.matches()) {
                if (comment.group(1).equals("TYPE")) {
                    assertThat(comment.group(3)).isIn("counter", "gauge", "histogram");
                    assertThat(typed.add(comment.group(2)))
                            .as("one family each: %s", line)
                            .isTrue();
                }
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            assertThat(typed).contains(sample.group(1).replaceFirst("_(bucket|sum|count)$", ""));
            String name = sample.group(1) + Optional.ofNullable(sample.group(2)).orElse("");
            assertThat(samples.put(name, Double.valueOf(sample.group(3))))
                    .as(line)
                    .isNull();
        }
        return samples;
    }

    @Test
    @DisplayName("Prometheus: every metric of the list is there, with its labels and no other")
    void everyMetricIsThere() {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        record.reason = Optional.of(Reason.DEADLINE);
        record.report(GivenReport.answeredAtLast(200).because(Suppressed.BUDGET_EMPTY));
        serve(record);

        TreeSet<String> shapes = new TreeSet<>();
        scrape().keySet()
                .forEach(name -> shapes.add(name.replaceAll("=\"[^\"]*\"", "").substring(P.length())));

        assertThat(shapes)
                .containsExactlyInAnyOrder(
                        "requests_total{code,method,route}",
                        "request_duration_seconds_bucket{route,le}",
                        "request_duration_seconds_count{route}",
                        "request_duration_seconds_sum{route}",
                        "phase_duration_seconds_bucket{phase,upstream,le}",
                        "phase_duration_seconds_count{phase,upstream}",
                        "phase_duration_seconds_sum{phase,upstream}",
                        "requests_in_flight",
                        "request_bytes_total",
                        "response_bytes_total",
                        "errors_total{reason,upstream}",
                        "attempts_total{outcome,upstream}",
                        "retries_suppressed_total{reason,upstream}",
                        "upstream_connections{state,upstream}",
                        "breaker_state{endpoint,upstream}",
                        "permits{state,upstream}",
                        "inbound_connections{state}",
                        "inbound_rejected_total{rule}",
                        "client_aborts_total{phase}",
                        "access_log_dropped_total",
                        "config_last_reload_successful",
                        "config_last_reload_success_timestamp_seconds",
                        "config_reloads_total{result}",
                        "config_versions_alive",
                        "draining",
                        "build_info{version}");
    }

    @Test
    @DisplayName("Manual: every metric is there, with its labels, and no other")
    void manualHasEveryMetric() throws IOException {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        record.reason = Optional.of(Reason.DEADLINE);
        record.report(GivenReport.answeredAtLast(200).because(Suppressed.BUDGET_EMPTY));
        serve(record);
        TreeSet<String> told = new TreeSet<>();
        scrape().keySet().forEach(name -> told.add(shape(name)));

        String manual = Files.readString(Path.of("README.md"));
        String section = manual.substring(manual.indexOf("\n### Metrics\n"), manual.indexOf("\n### The access log\n"));
        TreeSet<String> written = new TreeSet<>();
        Pattern row = Pattern.compile("(?m)^\\| `([a-z_]+[a-z])` \\| (.*?) ?\\|");
        row.matcher(section).results().forEach(match -> {
            TreeSet<String> labels = new TreeSet<>();
            Pattern.compile("`([a-z]+)`")
                    .matcher(match.group(2))
                    .results()
                    .forEach(label -> labels.add(label.group(1)));
            written.add(match.group(1) + labels);
        });

        assertThat(written).isEqualTo(told);
    }

    /** A family's name with its labels in order; what histograms add is left out. */
    private static String shape(String sample) {
        TreeSet<String> labels = new TreeSet<>();
        Pattern.compile("([a-z]+)=").matcher(sample).results().forEach(label -> labels.add(label.group(1)));
        labels.remove("le");
        String name = sample.replaceFirst("\\{.*", "").substring(P.length());
        return name.replaceFirst("_seconds_(bucket|sum|count)$", "_seconds") + labels;
    }

    @Test
    @DisplayName("Prometheus: figures are those of the requests and of the view")
    void figuresAreRight() {
        serve(GivenRecord.answered(GivenRequest.get("/")));
        metrics.began(GivenRecord.answered(GivenRequest.get("/")));
        view.stage = AdminView.Stage.DRAINING;
        view.inbound = new InboundView(7, 30, Map.of("max-connections", 9L, "line", 1L));
        RequestRecord refused = GivenRecord.refused(GivenRequest.get("/"), Reason.REFUSED, 400);
        refused.refusal = Optional.of(Refusal.LINE);
        serve(refused);

        assertThat(scrape())
                .containsEntry(P + "requests_total{code=\"200\",method=\"GET\",route=\"shop\"}", 1.0)
                .containsEntry(P + "requests_total{code=\"400\",method=\"GET\",route=\"-\"}", 1.0)
                .containsEntry(P + "requests_in_flight", 1.0)
                .containsEntry(P + "request_bytes_total", 5.0)
                .containsEntry(P + "response_bytes_total", 1_234.0)
                .containsEntry(P + "phase_duration_seconds_sum{phase=\"first_byte\",upstream=\"orders\"}", 0.02)
                .containsEntry(P + "attempts_total{outcome=\"reset\",upstream=\"orders\"}", 1.0)
                .containsEntry(P + "attempts_total{outcome=\"2xx\",upstream=\"orders\"}", 1.0)
                .containsEntry(P + "errors_total{reason=\"refused\",upstream=\"-\"}", 1.0)
                .containsEntry(P + "inbound_rejected_total{rule=\"line\"}", 2.0)
                .containsEntry(P + "inbound_rejected_total{rule=\"max-connections\"}", 9.0)
                .containsEntry(P + "inbound_rejected_total{rule=\"chunk\"}", 0.0)
                .containsEntry(P + "inbound_connections{state=\"active\"}", 7.0)
                .containsEntry(P + "upstream_connections{state=\"idle\",upstream=\"orders\"}", 6.0)
                .containsEntry(P + "permits{state=\"held\",upstream=\"orders\"}", 11.0)
                .containsEntry(P + "permits{state=\"free\",upstream=\"orders\"}", 53.0)
                .containsEntry(P + "permits{state=\"waiting\",upstream=\"orders\"}", 2.0)
                .containsEntry(P + "breaker_state{endpoint=\"http://10.0.0.1:8080\",upstream=\"orders\"}", 0.0)
                .containsEntry(P + "breaker_state{endpoint=\"http://10.0.0.2:8080\",upstream=\"orders\"}", 2.0)
                .containsEntry(P + "access_log_dropped_total", 6.0)
                .containsEntry(P + "config_reloads_total{result=\"success\"}", 4.0)
                .containsEntry(P + "config_reloads_total{result=\"failure\"}", 2.0)
                .containsEntry(P + "config_last_reload_successful", 1.0)
                .containsEntry(P + "config_last_reload_success_timestamp_seconds", 1_767_323_045.0)
                .containsEntry(P + "draining", 1.0)
                .containsEntry(P + "build_info{version=\"0.1.0\"}", 1.0);
    }

    @Test
    @DisplayName("Prometheus: durations fall into eleven bounds from 5 ms to 10 s, each counting all below it")
    void boundsAreCumulative() {
        serve(GivenRecord.answered(GivenRequest.get("/")));

        TreeMap<Double, Double> buckets = new TreeMap<>();
        Pattern bucket = Pattern.compile(P + "request_duration_seconds_bucket\\{route=\"shop\",le=\"(.*)\"}");
        scrape().forEach((name, count) -> {
            Matcher matcher = bucket.matcher(name);
            if (matcher.matches()) {
                boolean above = matcher.group(1).equals("+Inf");
                buckets.put(above ? Double.POSITIVE_INFINITY : Double.valueOf(matcher.group(1)), count);
            }
        });

        assertThat(buckets.keySet())
                .containsExactly(
                        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, Double.POSITIVE_INFINITY);
        // It took 101 ms.
        assertThat(buckets.headMap(0.25).values()).containsOnly(0.0);
        assertThat(buckets.tailMap(0.25).values()).containsOnly(1.0);
    }

    @Test
    @DisplayName("Labels: whatever clients and upstreams send, the number of series does not grow")
    void labelsAreBounded() {
        for (int i = 0; i < 700; i++) {
            GivenRequest request = new GivenRequest("M" + i + "\"\n", "/" + i, Headers.of("Host", "h" + i), 1);
            serve(GivenRecord.refused(request, Reason.NO_ROUTE, 404));
            RequestRecord record = GivenRecord.answered(GivenRequest.get("/" + i));
            record.status = i;
            record.report(GivenReport.answeredAtOnce(200 + i));
            serve(record);
        }

        Map<String, Double> samples = scrape();

        assertThat(samples).containsEntry(P + "requests_total{code=\"404\",method=\"_OTHER\",route=\"-\"}", 700.0);
        assertThat(samples).containsEntry(P + "requests_total{code=\"0\",method=\"GET\",route=\"shop\"}", 1.0);
        // 218 is registered nowhere.
        assertThat(samples.get(P + "requests_total{code=\"2xx\",method=\"GET\",route=\"shop\"}"))
                .isGreaterThan(1);
        assertThat(samples).doesNotContainKey(P + "requests_total{code=\"218\",method=\"GET\",route=\"shop\"}");
        assertThat(samples.keySet())
                .filteredOn(name -> name.startsWith(P + "requests_total"))
                .hasSizeLessThan(75);
        assertThat(samples.keySet())
                .filteredOn(name -> name.startsWith(P + "attempts_total"))
                .hasSizeLessThan(8);
        assertThat(samples).hasSizeLessThan(260);
    }

    @Test
    @DisplayName("Labels: series of what is configured no more are gone with the second scrape that does not find it")
    void removedNamesGoAway() {
        RequestRecord failed = GivenRecord.answered(GivenRequest.get("/"));
        failed.reason = Optional.of(Reason.RESET);
        failed.report(GivenReport.answeredAtLast(200).because(Suppressed.BUDGET_EMPTY));
        serve(failed);
        serve(GivenRecord.refused(GivenRequest.get("/"), Reason.NO_ROUTE, 404));
        view.routes = List.of("other");
        view.upstreams = List.of(GivenView.upstream("stock"));

        assertThat(scrape().keySet()).anyMatch(name -> name.contains("shop")).anyMatch(name -> name.contains("orders"));
        assertThat(scrape().keySet())
                .anyMatch(name -> name.contains("route=\"-\""))
                .filteredOn(name -> name.contains("\"shop\"") || name.contains("\"orders\""))
                .isEmpty();

        serve(failed);
        assertThat(scrape()).containsEntry(P + "errors_total{reason=\"reset\",upstream=\"orders\"}", 1.0);
    }

    @Test
    @DisplayName("Labels: what is configured keeps its series, whether it is used or not")
    void configuredNamesStay() {
        serve(GivenRecord.answered(GivenRequest.get("/")));
        for (int i = 0; i < 5; i++) {
            scrape();
        }
        assertThat(scrape()).containsEntry(P + "requests_total{code=\"200\",method=\"GET\",route=\"shop\"}", 1.0);
    }

    @Test
    @DisplayName("Clients: one that left is counted by phase, and is no error")
    void clientAborts() {
        RequestRecord left = GivenRecord.answered(GivenRequest.get("/"));
        left.status = 499;
        left.reason = Optional.of(Reason.CLIENT_CLOSED);
        left.ender = RequestRecord.Ender.CLIENT;
        left.phase = RequestRecord.Phase.HEAD;
        serve(left);

        assertThat(scrape())
                .containsEntry(P + "client_aborts_total{phase=\"head\"}", 1.0)
                .containsEntry(P + "client_aborts_total{phase=\"data\"}", 0.0)
                .containsEntry(P + "requests_total{code=\"499\",method=\"GET\",route=\"shop\"}", 1.0)
                .doesNotContainKey(P + "errors_total{reason=\"client-closed\",upstream=\"orders\"}");
    }

    @Test
    @DisplayName("Configuration: a refused one shows as such, and the time stays that of the running one")
    void refusedConfiguration() {
        view.config = GivenView.config(Optional.of(new ConfigView.Failure(Instant.EPOCH, List.of("a fault"))));

        assertThat(scrape())
                .containsEntry(P + "config_last_reload_successful", 0.0)
                .containsEntry(P + "config_last_reload_success_timestamp_seconds", 1_767_323_045.0);
    }

    @Test
    @DisplayName("Formats: text 0.0.4, and OpenMetrics for who accepts it")
    void formatsByAccept() {
        assertThat(ask("*/*").type()).startsWith("text/plain; version=0.0.4");

        Answer open = ask("application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
        assertThat(open.type()).startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(new String(open.body(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }
}
