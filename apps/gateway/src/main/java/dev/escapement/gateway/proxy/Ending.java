package dev.escapement.gateway.proxy;

import dev.escapement.gateway.record.Reason;
import dev.escapement.gateway.record.RequestRecord;
import dev.escapement.gateway.record.RequestRecord.Ender;
import dev.escapement.gateway.record.RequestRecord.Phase;
import dev.escapement.http.BodyException;
import java.util.Optional;

/** Who ended a request, and in which phase, by the reason of its end. */
final class Ending {

    private Ending() {}

    /** Writes both into the record; a client that went away says itself how far it got. */
    static void tell(RequestRecord record, Reason reason) {
        record.reason = Optional.of(reason);
        record.ender = ender(reason);
        record.phase = phase(reason);
    }

    private static Ender ender(Reason reason) {
        return switch (reason) {
            case NO_ROUTE,
                    REFUSED,
                    DENIED,
                    METHOD,
                    UPGRADE,
                    LOOP,
                    QUEUE_FULL,
                    QUEUE_WAIT,
                    BREAKER_OPEN,
                    SHUTTING_DOWN,
                    CUT_SHUTDOWN -> Ender.PROXY;
            case CONNECTIONS_USED -> Ender.PROXY;
            case POLICY, BUG -> Ender.INTERNAL;
            case CLIENT_CLOSED -> Ender.CLIENT;
            case TOO_SLOW, CUT_SLOW_CLIENT -> Ender.CLIENT_TIMEOUT;
            case DNS,
                    CONNECT,
                    UNROUTABLE,
                    TLS,
                    TLS_CERTIFICATE,
                    RESET,
                    STALE,
                    MALFORMED,
                    HEAD_TOO_LARGE,
                    SWITCHED,
                    CUT_UPSTREAM -> Ender.UPSTREAM;
            case DNS_TIMEOUT, CONNECT_TIMEOUT, ATTEMPT_TIMEOUT, DEADLINE, CUT_IDLE, CUT_DEADLINE ->
                Ender.UPSTREAM_TIMEOUT;
        };
    }

    private static Phase phase(Reason reason) {
        return switch (reason) {
            case NO_ROUTE, REFUSED, DENIED, METHOD, UPGRADE, LOOP, TOO_SLOW, CLIENT_CLOSED -> Phase.REQUEST;
            case QUEUE_FULL, QUEUE_WAIT, BREAKER_OPEN, CONNECTIONS_USED -> Phase.QUEUE;
            case DNS, DNS_TIMEOUT, CONNECT, UNROUTABLE, CONNECT_TIMEOUT, TLS, TLS_CERTIFICATE -> Phase.CONNECT;
            case POLICY,
                    BUG,
                    SHUTTING_DOWN,
                    RESET,
                    STALE,
                    MALFORMED,
                    HEAD_TOO_LARGE,
                    SWITCHED,
                    ATTEMPT_TIMEOUT,
                    DEADLINE -> Phase.HEAD;
            case CUT_UPSTREAM, CUT_IDLE, CUT_DEADLINE, CUT_SLOW_CLIENT, CUT_SHUTDOWN -> Phase.DATA;
        };
    }

    /** Why an answer was cut whose body ended so. */
    static Reason ofBody(Throwable failure) {
        if (!(failure instanceof BodyException body)) {
            return Reason.CUT_UPSTREAM;
        }
        return switch (body.kind()) {
            case DEADLINE -> Reason.CUT_DEADLINE;
            case IDLE -> Reason.CUT_IDLE;
            case SHUTTING_DOWN -> Reason.CUT_SHUTDOWN;
            case CANCELLED, RELEASED, TRUNCATED, MALFORMED, TOO_LARGE -> Reason.CUT_UPSTREAM;
        };
    }
}
