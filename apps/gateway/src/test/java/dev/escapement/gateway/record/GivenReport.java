package dev.escapement.gateway.record;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Failure;
import dev.escapement.report.LaneKind;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A report of a call as the engine might have made it. */
public record GivenReport(Outcome outcome, List<AttemptReport> attemptReports, Optional<Suppressed> suppressed)
        implements Report {

    static final long MS = 1_000_000;

    /** A call whose first attempt was reset after 20 ms, and whose second was answered by that status after 30 ms. */
    public static GivenReport answeredAtLast(int status) {
        Outcome reset = new Outcome.TransportFailed(TransportFailure.of(TransportFailure.Kind.RESET, "peer gone"));
        Outcome answer = answered(status);
        return new GivenReport(answer, List.of(new First(reset), new Second(answer)), Optional.empty());
    }

    /** A call that was answered by that status at once. */
    public static GivenReport answeredAtOnce(int status) {
        Outcome answer = answered(status);
        return new GivenReport(answer, List.of(new Second(answer)), Optional.empty());
    }

    /** A call that was not let in. */
    public static GivenReport rejected(Outcome.Rejected.Reason reason) {
        return new GivenReport(new Outcome.Rejected(reason), List.of(), Optional.empty());
    }

    public GivenReport because(Suppressed reason) {
        return new GivenReport(outcome, attemptReports, Optional.of(reason));
    }

    private static Outcome answered(int status) {
        return new Outcome.Response(Response.of(status, Headers.empty(), Body.empty()));
    }

    @Override
    public int attempts() {
        return attemptReports.size();
    }

    @Override
    public List<Duration> retryDelays() {
        return List.of();
    }

    @Override
    public Optional<Outcome> lastRealResult() {
        return Optional.empty();
    }

    @Override
    public String policyVersion() {
        return "v1";
    }

    @Override
    public Optional<Object> attachment() {
        return Optional.empty();
    }

    @Override
    public long startedNanos() {
        return 100 * MS;
    }

    @Override
    public long endedNanos() {
        return 160 * MS;
    }

    @Override
    public int replacedConnections() {
        return 0;
    }

    @Override
    public Effect effect() {
        return Effect.ABSENT;
    }

    @Override
    public void release() {}

    /** What attempts here have in common. */
    private interface Given extends AttemptReport {

        @Override
        default Progress progress() {
            return Progress.COMPLETE;
        }

        @Override
        default boolean replyStarted() {
            return true;
        }

        @Override
        default Effect effect() {
            return Effect.ABSENT;
        }

        @Override
        default Optional<Failure> failure() {
            return Optional.empty();
        }

        @Override
        default Optional<Duration> retryDelay() {
            return Optional.empty();
        }
    }

    /** Waited 2 ms for its permit, 3 ms for its connection, and was lost 15 ms later. */
    private record First(Outcome outcome) implements Given {

        @Override
        public int ordinal() {
            return 1;
        }

        @Override
        public boolean replacedConnection() {
            return true;
        }

        @Override
        public Optional<AttemptDetail> detail() {
            return Optional.of(new AttemptDetail(
                    LaneKind.FIRST,
                    Endpoint.of("http://10.0.0.1:8080"),
                    100 * MS,
                    102 * MS,
                    OptionalLong.of(105 * MS),
                    OptionalLong.of(105 * MS),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    122 * MS,
                    600 * MS,
                    false,
                    77));
        }
    }

    /** Had its connection after 1 ms, and the first byte of a reply 20 ms later. */
    private record Second(Outcome outcome) implements Given {

        @Override
        public int ordinal() {
            return 2;
        }

        @Override
        public boolean replacedConnection() {
            return false;
        }

        @Override
        public Optional<AttemptDetail> detail() {
            return Optional.of(new AttemptDetail(
                    LaneKind.RETRY,
                    Endpoint.of("http://10.0.0.2:8080"),
                    130 * MS,
                    130 * MS,
                    OptionalLong.of(131 * MS),
                    OptionalLong.of(131 * MS),
                    OptionalLong.of(132 * MS),
                    OptionalLong.of(151 * MS),
                    160 * MS,
                    600 * MS,
                    true,
                    143));
        }
    }
}
