package dev.escapement.checker;

import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Failure;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Everything a report holds as one JSON object a line, bodies by their length; then the summary, then the figures.
 *
 * <p>Lengths and instants are whole nanoseconds; instants count from the start of the program's clock. What is absent is null.
 */
final class JsonFormat implements ReportFormat {

    @Override
    public String line(Endpoint endpoint, Report report) {
        return Json.object(json -> json.string("id", endpoint.id())
                .number("line", endpoint.line())
                .string("method", endpoint.request().method().name())
                .string("url", endpoint.request().uri().toString())
                .object("outcome", outcome -> outcome(outcome, report.outcome(), true))
                .number("attempts", report.attempts())
                .numbers(
                        "retry_delays_ns",
                        report.retryDelays().stream().map(Duration::toNanos).toList())
                .objects("attempt_reports", report.attemptReports(), JsonFormat::attempt)
                .string("policy_version", report.policyVersion())
                .number("started_ns", report.startedNanos())
                .number("ended_ns", report.endedNanos())
                .number("replaced_connections", report.replacedConnections())
                .string("effect", report.effect().name())
                .bool("ambiguous", report.ambiguous())
                .optional("suppressed", report.suppressed().map(Suppressed::name))
                .optional("last_real_result", report.lastRealResult(), (last, result) -> outcome(last, result, true)));
    }

    private static void attempt(Json json, AttemptReport attempt) {
        json.number("ordinal", attempt.ordinal())
                .object("outcome", outcome -> outcome(outcome, attempt.outcome(), false))
                .string("progress", attempt.progress().name())
                .bool("reply_started", attempt.replyStarted())
                .bool("replaced_connection", attempt.replacedConnection())
                .string("effect", attempt.effect().name())
                .bool("ambiguous", attempt.ambiguous())
                .optional("failure", attempt.failure(), JsonFormat::axes)
                .optional("detail", attempt.detail(), JsonFormat::detail);
        Optional<Duration> delay = attempt.retryDelay();
        if (delay.isPresent()) {
            json.number("retry_delay_ns", delay.get().toNanos());
        } else {
            json.nothing("retry_delay_ns");
        }
    }

    private static void axes(Json json, Failure failure) {
        json.string("permanence", failure.permanence().name())
                .string("effect", failure.effect().name())
                .string("scope", failure.scope().name())
                .bool("another_fits", failure.anotherFits());
    }

    private static void detail(Json json, AttemptDetail detail) {
        json.string("lane", detail.lane().name())
                .string("endpoint", detail.endpoint().toString())
                .number("due_ns", detail.dueNanos())
                .number("started_ns", detail.startedNanos());
        json.optional("connected_ns", detail.connected())
                .optional("sending_ns", detail.sending())
                .optional("sent_ns", detail.sent())
                .optional("replied_ns", detail.replied())
                .number("ended_ns", detail.endedNanos())
                .number("deadline_ns", detail.deadlineNanos())
                .bool("reused_connection", detail.reusedConnection())
                .number("written_bytes", detail.writtenBytes());
    }

    /** @param whole whether a response still has its body; one that was retried has lost it */
    private static void outcome(Json json, Outcome outcome, boolean whole) {
        json.string("kind", outcome.kind().name());
        switch (outcome.kind()) {
            case RESPONSE -> response(json, ((Outcome.Response) outcome).response(), whole);
            case TRANSPORT_FAILED -> failure(json, ((Outcome.TransportFailed) outcome).failure());
            case OVERALL_DEADLINE ->
                json.optional(
                        "last_real",
                        ((Outcome.OverallDeadline) outcome).lastReal(),
                        (last, result) -> outcome(last, result, whole));
            case POLICY_TIME_OVERFLOW ->
                json.string(
                        "which", ((Outcome.PolicyTimeOverflow) outcome).which().name());
            case REJECTED ->
                json.string("reason", ((Outcome.Rejected) outcome).reason().name());
            case BROKEN ->
                json.string("cause", ((Outcome.Broken) outcome).cause().toString());
            case ATTEMPT_TIMEOUT, CANCELLED -> {}
        }
    }

    private static void response(Json json, Response response, boolean whole) {
        Headers headers = response.headers();
        json.number("status", response.status())
                .objects(
                        "headers",
                        IntStream.range(0, headers.count()).boxed().toList(),
                        (header, index) ->
                                header.string("name", headers.nameAt(index)).string("value", headers.valueAt(index)));
        if (whole) {
            json.number("body_bytes", response.body().length());
        }
    }

    private static void failure(Json json, TransportFailure failure) {
        json.string("failure", failure.kind().name())
                .string("permanence", failure.kind().permanence().name())
                .string("scope", failure.kind().scope().name())
                .string("message", failure.message())
                .optional("cause", failure.cause().map(Throwable::toString));
    }

    @Override
    public String summary(Summary summary) {
        return Json.object(json -> json.number("all_joined", summary.joined())
                .number("max_concurrency", summary.maxConcurrency())
                .number("seed", summary.seed())
                .bool("complete", summary.complete()));
    }

    @Override
    public List<String> figures(Figures figures) {
        return List.of(JsonFigures.object(figures));
    }
}
