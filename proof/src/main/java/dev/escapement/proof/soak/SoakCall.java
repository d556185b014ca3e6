package dev.escapement.proof.soak;

import dev.escapement.http.Response;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.transport.Progress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One call to {@link UnrulyServer}: takes its report, once, and knows what that must not say. Any thread. */
final class SoakCall implements Consumer<Report> {

    private final long number;
    private final Wish wish;
    private final boolean onceOnly;
    private final Tally tally;
    private final AtomicInteger reports = new AtomicInteger();

    /**
     * A call about to begin.
     *
     * @param onceOnly whether its request must not be repeated once anything of it has left
     */
    SoakCall(long number, Wish wish, boolean onceOnly, Tally tally) {
        this.number = number;
        this.wish = wish;
        this.onceOnly = onceOnly;
        this.tally = tally;
    }

    @Override
    public void accept(Report report) {
        if (reports.incrementAndGet() > 1) {
            wrong("A5 ended twice", report);
            return;
        }
        try {
            check(report);
        } catch (RuntimeException | Error unexpected) {
            wrong("its report cannot be read: " + unexpected, report);
        }
        report.release();
        tally.ended(report);
    }

    private void check(Report report) {
        Outcome outcome = report.outcome();
        if (outcome.kind() == Outcome.Kind.BROKEN || outcome.kind() == Outcome.Kind.POLICY_TIME_OVERFLOW) {
            wrong("A5 broke", report);
        }
        if (report.attempts() > SoakPolicies.MOST_ATTEMPTS) {
            wrong("P1 too many attempts", report);
        }
        if (outcome.kind() == Outcome.Kind.REJECTED && report.attempts() > 0) {
            wrong("A7 rejected after an attempt", report);
        }
        if (report.endedNanos() < report.startedNanos()) {
            wrong("T1 ended before it began", report);
        }
        List<AttemptReport> attempts = report.attemptReports();
        for (int i = 0; onceOnly && i + 1 < attempts.size(); i++) {
            if (attempts.get(i).progress() != Progress.NOT_STARTED) {
                wrong("E3 repeated after something had left", report);
            }
        }
        if (outcome instanceof Outcome.Response answered) {
            checkAnswer(answered.response(), report);
        }
    }

    /**
     * E6: an answer is the answer to this request, and to no other on the same connection. But for 408: what a server says to a
     * connection that it takes for idle, and this request's first byte may cross on the way. Nobody can tell then.
     */
    private void checkAnswer(Response response, Report report) {
        if (response.status() == 408 && response.body().length() == 0) {
            return;
        }
        if (response.status() == 503) {
            if (wish != Wish.UNAVAILABLE && wish != Wish.COME_BACK) {
                wrong("E6 answered 503", report);
            }
            return;
        }
        String body =
                StandardCharsets.ISO_8859_1.decode(response.body().content()).toString();
        if (response.status() != 200 || !wish.isAnswered() || !isNumbers(body)) {
            wrong("E6 answered " + response.status() + " with " + body.length() + " bytes", report);
        }
    }

    /** Whether the body is this call's number, over and over. */
    private boolean isNumbers(String body) {
        String own = Long.toString(number);
        int times = wish == Wish.LARGE ? UnrulyServer.LARGE_TIMES : 1;
        return body.length() == own.length() * times && body.startsWith(own) && body.endsWith(own);
    }

    private void wrong(String what, Report report) {
        tally.wrong("call " + number + " with the wish " + wish + ": " + what + ": " + report);
    }
}
