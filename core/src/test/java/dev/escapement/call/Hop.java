package dev.escapement.call;

import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.metadata.MetadataReader;
import dev.escapement.metadata.Preset;
import dev.escapement.metadata.ReceivedMetadata;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from one client to a gateway whose client calls on: what an attempt of the first carries is read as a gateway reads it, and
 * the report of the second comes back as an answer. The client above goes when its call does.
 */
final class Hop implements Transport {

    private final Client next;
    private final MetadataReader reader;

    /** What came in, in order. */
    final List<ReceivedMetadata> received = new ArrayList<>();

    /** How each call of the next client ended. */
    final List<Report> reports = new ArrayList<>();

    Hop(Client next, Preset spoken) {
        this.next = next;
        this.reader = MetadataReader.of(spoken);
    }

    @Override
    public Attempt send(Request request, Exchange exchange) {
        exchange.connected(false);
        exchange.tryWrite();
        exchange.requestSent();
        ReceivedMetadata told = reader.read(request.headers());
        received.add(told);
        CallOptions options =
                CallOptions.none().withReceived(told, exchange.scheduler().nanos());
        Call call = next.call(request, options, report -> answer(report, exchange));
        return call::cancel;
    }

    private void answer(Report report, Exchange exchange) {
        reports.add(report);
        report.release();
        exchange.clean(ConnectionFate.REUSED, 0);
        exchange.succeed(Response.of(statusOf(report.outcome())));
    }

    private static int statusOf(Outcome outcome) {
        return switch (outcome.kind()) {
            case RESPONSE -> ((Outcome.Response) outcome).response().status();
            case OVERALL_DEADLINE, ATTEMPT_TIMEOUT -> 504;
            case REJECTED, TRANSPORT_FAILED, POLICY_TIME_OVERFLOW, CANCELLED, BROKEN -> 502;
        };
    }
}
