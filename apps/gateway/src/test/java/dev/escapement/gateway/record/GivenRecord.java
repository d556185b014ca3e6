package dev.escapement.gateway.record;

import java.util.Optional;

/** Records of requests as the gateway might have made them. */
public final class GivenRecord {

    private GivenRecord() {}

    /** A request that took 101 ms, was routed to {@code orders} by {@code shop}, and was answered after a retry. */
    public static RequestRecord answered(GivenRequest request) {
        RequestRecord record = arrived(request);
        record.headNanos = 92 * GivenReport.MS;
        record.bodyReadNanos = 97 * GivenReport.MS;
        record.callNanos = 100 * GivenReport.MS;
        record.answeredNanos = 161 * GivenReport.MS;
        record.route = Optional.of("shop");
        record.upstream = Optional.of("orders");
        record.requestId = Optional.of("r-1");
        record.deadlineNanos = 600 * GivenReport.MS;
        record.report(GivenReport.answeredAtLast(200));
        record.status = 200;
        record.bytesIn = 5;
        record.bytesOut = 1_234;
        record.endedNanos = 191 * GivenReport.MS;
        return record;
    }

    /** A request of which nothing came but a head, after 2 ms. */
    public static RequestRecord refused(GivenRequest request, Reason reason, int status) {
        RequestRecord record = arrived(request);
        record.reason = Optional.of(reason);
        record.status = status;
        record.ender = RequestRecord.Ender.PROXY;
        record.phase = RequestRecord.Phase.REQUEST;
        record.endedNanos = 92 * GivenReport.MS;
        return record;
    }

    private static RequestRecord arrived(GivenRequest request) {
        RequestRecord record = new RequestRecord(request, "0a1b2c3d");
        record.arrivedMillis = 1_700_000_000_123L;
        record.firstByteNanos = 90 * GivenReport.MS;
        record.client = "198.51.100.7";
        record.clientSource = "x-forwarded-for";
        return record;
    }
}
