package dev.escapement.gateway.admin;

import dev.escapement.gateway.record.Metrics;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What there is at the operators' port, path by path. Any thread. */
final class AdminPages {

    /** A loop that has not turned for so long will hardly do so again. */
    static final Duration LONGEST_STALL = Duration.ofSeconds(10);

    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final AdminView view;
    private final Metrics metrics;
    private final AdminJson json;
    private final LivePage livePage = LivePage.load();
    private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

    /** Reading, by path. */
    private final Map<String, Page> pages = Map.of(
            "/", accept -> livePage.answer(),
            "/live.json", accept -> live(),
            "/health/live", accept -> alive(),
            "/health/ready", accept -> ready(),
            "/metrics", this::metrics,
            "/config", accept -> config(),
            "/upstreams", accept -> upstreams());

    /** Acting, by path. */
    private final Map<String, Page> actions = Map.of(
            "/reload", accept -> reload(),
            "/drain", accept -> drain());

    /** What answers at a path. */
    private interface Page {
        Answer answer(Optional<String> accept) throws IOException;
    }

    AdminPages(AdminView view, Metrics metrics) {
        this.view = view;
        this.metrics = metrics;
        this.json = new AdminJson(view, metrics);
    }

    /** Answers a request: 404 where there is nothing, 405 where that is not how to ask. */
    Answer answer(String method, String path, Optional<String> accept) throws IOException {
        Page page = pages.get(path);
        if (page != null) {
            boolean reads = method.equals("GET") || method.equals("HEAD");
            return reads ? page.answer(accept) : notAllowed("GET, HEAD");
        }
        Page action = actions.get(path);
        if (action != null) {
            return method.equals("POST") ? action.answer(accept) : notAllowed("POST");
        }
        return Answer.text(
                404,
                "nothing here; there is / /health/live /health/ready /metrics /config /upstreams, and"
                        + " POST to /reload and /drain");
    }

    private static Answer notAllowed(String methods) {
        return Answer.text(405, "allowed here: " + methods).with("Allow", methods);
    }

    private Answer alive() {
        Duration stall = view.longestStall();
        return stall.compareTo(LONGEST_STALL) <= 0
                ? Answer.text(200, "live")
                : Answer.text(503, "an event loop has not turned for " + stall.toSeconds() + " s");
    }

    private Answer ready() {
        return switch (view.stage()) {
            case STARTING -> Answer.text(503, "starting");
            case SERVING -> Answer.text(200, "ready");
            case DRAINING -> Answer.text(503, "draining");
        };
    }

    private Answer metrics(Optional<String> accept) throws IOException {
        ExpositionFormatWriter writer = accept.isPresent() && accept.get().contains(OPEN_METRICS) ? openMetrics : text;
        metrics.keepOnly(
                view.routes(), view.upstreams().stream().map(UpstreamView::name).toList());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.write(out, metrics.registry().scrape());
        return Answer.of(200, writer.getContentType(), out.toByteArray());
    }

    private Answer live() throws IOException {
        return Answer.json(200, json.live());
    }

    private Answer config() throws IOException {
        return Answer.json(200, json.config());
    }

    private Answer upstreams() throws IOException {
        return Answer.json(200, json.upstreams());
    }

    private Answer reload() throws IOException {
        ReloadView done = view.reload();
        return Answer.json(done.faults().isEmpty() ? 200 : 422, json.reload(done));
    }

    private Answer drain() {
        view.drain();
        return Answer.text(202, "draining");
    }
}
