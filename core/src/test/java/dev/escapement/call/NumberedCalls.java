package dev.escapement.call;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;

/** Calls with a number, counted from 0, and answers that repeat it; also the input of a fan-out, which knows how far it was pulled. */
final class NumberedCalls implements Iterator<PlannedCall> {

    private final int size;
    private int pulled;

    NumberedCalls(int size) {
        this.size = size;
    }

    static Request request(int number) {
        return Request.get("http://server.test/" + number);
    }

    static List<Request> requests(int size) {
        return IntStream.range(0, size).mapToObj(NumberedCalls::request).toList();
    }

    /** Answers with the number of the request. */
    static AttemptScript answer(AttemptScript script) {
        return script.answer(request ->
                Response.of(200, Headers.of("Number", request.uri().getPath().substring(1)), Body.empty()));
    }

    /** The number that was answered. */
    static int number(Report report) {
        Response answered = ((Outcome.Response) report.outcome()).response();
        return Integer.parseInt(answered.headers().first("Number").orElseThrow());
    }

    int pulled() {
        return pulled;
    }

    @Override
    public boolean hasNext() {
        return pulled < size;
    }

    @Override
    public PlannedCall next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return new PlannedCall(request(pulled++), CallOptions.none());
    }
}
