package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.guard.BreakerState;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a run comes to, and how it is written. */
class FiguresTest {

    private static final Outcome OK = new Outcome.Response(Response.of(200));

    private final VirtualTime time = new VirtualTime();
    private final SimulatedTransport transport = new SimulatedTransport(time);

    @Test
    @DisplayName("O4 amplification is attempts by calls to two decimals; without calls there is none")
    void amplifies() {
        Tally tally = new Tally(1);
        Caller caller = caller(unbounded().build(), BreakerSettings.none());
        assertThat(Figures.of(tally, caller).amplification()).isEmpty();

        tally.count(GivenReport.of(OK, GivenReport.attempt(1, OK), GivenReport.attempt(2, OK)));
        tally.count(GivenReport.of(OK));
        tally.count(GivenReport.of(OK));

        assertThat(Figures.of(tally, caller).amplification()).contains(new BigDecimal("0.67"));
    }

    @Test
    @DisplayName("V4 a line a subject; what is not there has no line, or says none")
    void writesAnEmptyRun() {
        Figures empty = Figures.of(new Tally(1), caller(unbounded().build(), BreakerSettings.none()));

        assertThat(new TextFormat().figures(empty))
                .containsExactly(
                        "calls=0 attempts=0 amplification=none",
                        "outcomes none ambiguous=0",
                        "suppressed none",
                        "timeouts NOT_STARTED=0 PREFIX_WRITTEN=0 UNKNOWN=0 COMPLETE=0 late_replies=0",
                        "connections replaced=0",
                        "attempt_ms answered=0 timed=0 p50=none p90=none p99=none max=none",
                        "suggested attempt_timeout=none");
        assertThat(JsonReader.object(new JsonFormat().figures(empty).stream().collect(Collectors.joining("\n"))))
                .containsEntry("calls", 0L)
                .containsEntry("amplification", null)
                .containsEntry("suggested_attempt_timeout_ns", null)
                .containsEntry("budget", null)
                .containsEntry("endpoints", List.of())
                .containsEntry("advisories", List.of());
    }

    @Test
    @DisplayName("G1 G2 budget and breakers are read off the client, the troubled endpoint first")
    void readsTheGuards() {
        transport.on(SimulatedTransport.path("/sick")).answerAfter(Duration.ofMillis(1), 500);
        transport.otherwise().answerAfter(Duration.ofMillis(1), 200);
        Policy policy = unbounded()
                .maxRetries(0)
                .budget(BudgetSettings.of(0.5, 7, Duration.ofSeconds(10)))
                .build();
        Caller caller =
                caller(policy, BreakerSettings.builder().consecutiveFailures(1).build());
        Tally tally = new Tally(policy.attemptTimeoutNanos());
        for (String url : List.of("http://a/", "http://b/sick", "http://c/", "http://b/sick")) {
            caller.client().call(Request.get(url), CallOptions.none(), tally::count);
            time.advance(Duration.ofMillis(5));
        }

        Figures figures = Figures.of(tally, caller);

        assertThat(figures.breakers())
                .containsExactly(
                        entry(BreakerState.CLOSED, 2L),
                        entry(BreakerState.OPEN, 1L),
                        entry(BreakerState.HALF_OPEN, 0L),
                        entry(BreakerState.FORCED_OPEN, 0L));
        assertThat(figures.endpoints().stream().map(found -> found.endpoint().toString()))
                .containsExactly("http://b:80", "http://a:80", "http://c:80");
        assertThat(new TextFormat().figures(figures))
                .contains(
                        "calls=4 attempts=3 amplification=0.75",
                        "outcomes RESPONSE=3 REJECTED=1 ambiguous=0",
                        "budget calls=3 retries=0 available=71 refused=0",
                        "breakers CLOSED=2 OPEN=1 HALF_OPEN=0 FORCED_OPEN=0",
                        "breaker http://b:80 state=OPEN admits_percent=0 openings=1 rejected=1 calls=0 failed=0 slow=0",
                        "breaker http://a:80 state=CLOSED admits_percent=100 openings=0 rejected=0 calls=1 failed=0 slow=0");
        Map<String, Object> json =
                JsonReader.object(new JsonFormat().figures(figures).get(0));
        assertThat(json)
                .containsEntry("amplification", new BigDecimal("0.75"))
                .containsEntry("budget", Map.of("calls", 3L, "retries", 0L, "available", 71L, "refused", 0L))
                .containsEntry("breakers", Map.of("CLOSED", 2L, "OPEN", 1L, "HALF_OPEN", 0L, "FORCED_OPEN", 0L));
        assertThat((List<?>) json.get("endpoints")).hasSize(3).first().isEqualTo(breaker());
    }

    private static Map<String, Object> breaker() {
        return Map.of(
                "endpoint", "http://b:80",
                "state", "OPEN",
                "admits_percent", 0L,
                "openings", 1L,
                "rejected", 1L,
                "stale", 0L,
                "calls", 0L,
                "failed", 0L,
                "slow", 0L);
    }

    @Test
    @DisplayName("G5 of many endpoints a bounded number is told of, an open one among them in any case")
    void boundsTheEndpoints() {
        transport.otherwise().answerAfter(Duration.ofMillis(1), 200);
        Caller caller = caller(unbounded().build(), BreakerSettings.standard());
        for (int i = 0; i < Figures.MOST_ENDPOINTS + 3; i++) {
            caller.client().call(Request.get("http://h" + i + "/"), CallOptions.none(), Report::release);
            time.advance(Duration.ofMillis(5));
        }
        caller.client().forceOpenBreaker(Endpoint.of("http://zzz"));

        Figures figures = Figures.of(new Tally(1), caller);

        assertThat(figures.endpoints()).hasSize(Figures.MOST_ENDPOINTS);
        assertThat(figures.endpoints().get(0).breaker().state()).isEqualTo(BreakerState.FORCED_OPEN);
        assertThat(figures.breakers())
                .containsEntry(BreakerState.CLOSED, Figures.MOST_ENDPOINTS + 3L)
                .containsEntry(BreakerState.FORCED_OPEN, 1L);
    }

    @Test
    @DisplayName("P5 an attempt timeout below what attempts take is advised against, with the share it abandons")
    void advisesAgainstTheAttemptTimeout() {
        Policy policy = unbounded().attemptTimeout(Duration.ofMillis(40)).build();
        Tally tally = new Tally(policy.attemptTimeoutNanos());
        for (int i = 0; i < 150; i++) {
            tally.times().record(Duration.ofMillis(i < 120 ? 10 : 41).toNanos());
        }

        Figures figures = Figures.of(tally, caller(policy, BreakerSettings.none()));

        assertThat(new TextFormat().figures(figures))
                .last()
                .asString()
                .startsWith("advice an attempt timeout of 40ms lies below the observed p99")
                .endsWith("abandons 20.0 % of 150 attempts");
        assertThat(JsonReader.object(new JsonFormat().figures(figures).get(0)).get("advisories"))
                .asString()
                .contains("ATTEMPT_TIMEOUT_BELOW_P99");
    }

    @Test
    @DisplayName("O5 timeouts stand by progress, beside the late replies that were seen")
    void writesTimeouts() {
        transport.otherwise().answerAfter(Duration.ofMillis(30), 200);
        Policy policy =
                unbounded().attemptTimeout(Duration.ofMillis(20)).maxRetries(0).build();
        Caller caller = caller(policy, BreakerSettings.none());
        Tally tally = new Tally(policy.attemptTimeoutNanos());
        caller.client().call(Request.get("http://a/"), CallOptions.none(), tally::count);
        time.advance(Duration.ofMillis(25));

        Figures figures = Figures.of(tally, caller);

        assertThat(figures.timeouts()).containsEntry(Progress.COMPLETE, 1L);
        assertThat(figures.suppressed()).containsEntry(Suppressed.ATTEMPTS_USED, 1L);
        assertThat(new TextFormat().figures(figures))
                .contains(
                        "outcomes ATTEMPT_TIMEOUT=1 ambiguous=0",
                        "suppressed ATTEMPTS_USED=1",
                        "timeouts NOT_STARTED=0 PREFIX_WRITTEN=0 UNKNOWN=0 COMPLETE=1 late_replies="
                                + caller.client().figures().lateResults());
    }

    private static PolicyBuilder unbounded() {
        return Policy.builder(Duration.ofSeconds(10)).budget(BudgetSettings.none());
    }

    private Caller caller(Policy policy, BreakerSettings breaker) {
        Client client = Client.builder(transport, Schedulers.of(time))
                .policy(policy)
                .breaker(breaker)
                .build();
        return new Caller(client, policy, endpoint -> CallOptions.none());
    }
}
