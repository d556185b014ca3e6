package dev.escapement.netty.scenes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Body;
import dev.escapement.netty.PoolStats;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What came of a scene, in the words in which a scene says what it expects. Pure functions. */
final class Result {

    private Result() {}

    /**
     * Each attempt's outcome, the body of the answer, the call's outcome where it is another; then each attempt's progress.
     *
     * @param body what was read of it
     */
    static String of(Report report, String body) {
        List<AttemptReport> attempts = report.attemptReports();
        StringBuilder text = new StringBuilder(
                attempts.stream().map(attempt -> word(attempt.outcome())).collect(Collectors.joining(", ")));
        Outcome outcome = report.outcome();
        if (outcome.kind() == Outcome.Kind.RESPONSE) {
            text.append(body);
        } else if (attempts.isEmpty()
                || !word(outcome).equals(word(attempts.get(attempts.size() - 1).outcome()))) {
            text.append(", in all ").append(word(outcome));
        }
        return text + " | "
                + attempts.stream()
                        .map(attempt -> attempt.progress()
                                .name()
                                .toLowerCase(Locale.ROOT)
                                .replace('_', ' '))
                        .collect(Collectors.joining(", "));
    }

    static String word(Outcome outcome) {
        return switch (outcome.kind()) {
            case RESPONSE ->
                Integer.toString(((Outcome.Response) outcome).response().status());
            case TRANSPORT_FAILED ->
                ((Outcome.TransportFailed) outcome).failure().kind().name();
            case ATTEMPT_TIMEOUT, OVERALL_DEADLINE, POLICY_TIME_OVERFLOW, CANCELLED, REJECTED ->
                outcome.kind().name();
            case BROKEN -> "BROKEN " + ((Outcome.Broken) outcome).cause();
        };
    }

    /** What became of each connection: poisoned and why, closed in good order, kept. */
    static String of(PoolStats stats) {
        List<String> fates = new ArrayList<>();
        stats.poisoned()
                .forEach((reason, count) -> fates.addAll(Collections.nCopies(count.intValue(), "poisoned " + reason)));
        long closed = stats.opened() - stats.idle() - fates.size();
        // Figures are read one by one: in between, one may be counted twice. The stage looks again.
        fates.addAll(Collections.nCopies((int) Math.max(0, closed), "closed"));
        fates.addAll(Collections.nCopies((int) stats.idle(), "kept"));
        return fates.isEmpty() ? "no connection" : String.join(", ", fates);
    }

    static String text(Body body) {
        return ISO_8859_1.decode(body.content()).toString();
    }
}
