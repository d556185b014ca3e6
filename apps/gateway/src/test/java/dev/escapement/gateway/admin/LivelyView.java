package dev.escapement.gateway.admin;

import dev.escapement.gateway.record.GivenRecord;
import dev.escapement.gateway.record.GivenReport;
import dev.escapement.gateway.record.GivenRequest;
import dev.escapement.gateway.record.Metrics;
import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.guard.BreakerState;
import dev.escapement.time.MonotonicClock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Traffic for the live page: a second of it for each poll, drawn from a seed. Time stands still but for that, so that what a page shows after
 * so many polls is always the same.
 */
final class LivelyView {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int USUAL_RATE = 40;

    private final Random random = new Random(20_260_102);
    private final GivenView view;

    /** Written under the lock of {@code this}. */
    private volatile long nowNanos = 100 * SECOND;

    private int polls;

    /** Shows traffic by that view, and is asked for its inbound figures once a poll. */
    LivelyView(GivenView view) {
        this.view = view;
    }

    MonotonicClock clock() {
        return () -> nowNanos;
    }

    /** Lets a second pass. */
    synchronized void second(Metrics metrics) {
        nowNanos += SECOND;
        polls++;
        int swell = (int) (15 * Math.sin(polls / 9.0));
        serve(metrics, "orders", USUAL_RATE + swell + random.nextInt(8), 4_000_000, polls > 40 && polls < 52);
        serve(metrics, "search", 12 + random.nextInt(5), 38_000_000, false);
        serve(metrics, "billing", random.nextInt(3), 900_000, false);
        RequestRecord lost = GivenRecord.refused(GivenRequest.get("/nowhere"), Reason.NO_ROUTE, 404);
        metrics.began(lost);
        metrics.ended(lost);
        boolean troubled = polls > 40;
        view.inbound = new InboundView(17 + random.nextInt(5), 230, Map.of());
        view.upstreams = List.of(
                GivenView.upstream(
                        "orders",
                        GivenView.endpoint("http://10.0.0.1:8080", BreakerState.CLOSED, 7),
                        GivenView.endpoint(
                                "http://10.0.0.2:8080",
                                troubled ? BreakerState.OPEN : BreakerState.CLOSED,
                                troubled ? 0 : 4),
                        GivenView.endpoint("http://10.0.0.3:8080", BreakerState.HALF_OPEN, 1)),
                GivenView.upstream(
                        "search", GivenView.endpoint("https://search.internal.example:8443", BreakerState.CLOSED, 9)),
                GivenView.upstream("billing", GivenView.endpoint("http://billing:8080", BreakerState.CLOSED, 0)));
    }

    private void serve(Metrics metrics, String upstream, int requests, long usualNanos, boolean failing) {
        for (int i = 0; i < requests; i++) {
            RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
            record.upstream = Optional.of(upstream);
            long tookNanos = (long) (usualNanos * Math.exp(random.nextGaussian() * 0.6));
            record.endedNanos = nowNanos;
            record.answeredNanos = nowNanos - tookNanos / 10;
            record.bodyReadNanos = nowNanos - tookNanos * 2;
            record.headNanos = record.bodyReadNanos - tookNanos / 40;
            record.firstByteNanos = record.headNanos - tookNanos / 60;
            boolean retried = random.nextInt(25) == 0;
            record.report(retried ? GivenReport.answeredAtLast(200) : GivenReport.answeredAtOnce(200));
            if (failing && random.nextInt(3) == 0) {
                record.reason = Optional.of(Reason.RESET);
                record.status = 502;
            }
            metrics.began(record);
            metrics.ended(record);
        }
    }
}
