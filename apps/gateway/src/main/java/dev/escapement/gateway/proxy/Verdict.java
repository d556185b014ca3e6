package dev.escapement.gateway.proxy;

import dev.escapement.gateway.record.Reason;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import java.net.NoRouteToHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a call's report comes to for its client: an upstream's answer, or a reason to give one of our own. A pure function of the report.
 *
 * @param response the upstream's answer, whole or in parts; null for one of our own
 * @param reason why there is none; empty beside a response
 */
record Verdict(@Nullable Response response, Optional<Reason> reason) {

    static Verdict of(Report report) {
        return of(report.outcome(), report);
    }

    private static Verdict of(Outcome outcome, Report report) {
        return switch (outcome.kind()) {
            case RESPONSE -> new Verdict(((Outcome.Response) outcome).response(), Optional.empty());
            case OVERALL_DEADLINE -> atTheDeadline(((Outcome.OverallDeadline) outcome).lastReal());
            case TRANSPORT_FAILED -> own(of(((Outcome.TransportFailed) outcome).failure()));
            case ATTEMPT_TIMEOUT -> own(Reason.ATTEMPT_TIMEOUT);
            case REJECTED -> own(of(((Outcome.Rejected) outcome).reason()));
            case CANCELLED ->
                own(
                        report.suppressed()
                                        .filter(Suppressed.SHUTTING_DOWN::equals)
                                        .isPresent()
                                ? Reason.SHUTTING_DOWN
                                : Reason.CLIENT_CLOSED);
            case POLICY_TIME_OVERFLOW -> own(Reason.POLICY);
            case BROKEN -> own(Reason.BUG);
        };
    }

    /** The last answer that an upstream gave is better than none of its. */
    private static Verdict atTheDeadline(Optional<Outcome> lastReal) {
        return lastReal.isPresent() && lastReal.get() instanceof Outcome.Response last
                ? new Verdict(last.response(), Optional.empty())
                : own(Reason.DEADLINE);
    }

    private static Verdict own(Reason reason) {
        return new Verdict(null, Optional.of(reason));
    }

    private static Reason of(Outcome.Rejected.Reason reason) {
        return switch (reason) {
            case QUEUE_FULL -> Reason.QUEUE_FULL;
            case QUEUE_WAIT -> Reason.QUEUE_WAIT;
            case BREAKER_OPEN -> Reason.BREAKER_OPEN;
            case SHUTTING_DOWN -> Reason.SHUTTING_DOWN;
        };
    }

    static Reason of(TransportFailure failure) {
        return switch (failure.kind()) {
            case NAME_RESOLUTION ->
                failure.cause().filter(Verdict::isTimeout).isPresent() ? Reason.DNS_TIMEOUT : Reason.DNS;
            case REFUSED ->
                failure.cause().filter(NoRouteToHostException.class::isInstance).isPresent()
                        ? Reason.UNROUTABLE
                        : Reason.CONNECT;
            case CONNECT_TIMEOUT -> Reason.CONNECT_TIMEOUT;
            case POOL_EXHAUSTED -> Reason.CONNECTIONS_USED;
            case TLS -> hasCertificateFault(failure) ? Reason.TLS_CERTIFICATE : Reason.TLS;
            case STALE -> Reason.STALE;
            case RESET, TRUNCATED, CLOSED_LOCALLY -> Reason.RESET;
            case MALFORMED, TOO_MANY_INTERIM, UNSOLICITED -> Reason.MALFORMED;
            case TOO_LARGE -> Reason.HEAD_TOO_LARGE;
        };
    }

    private static boolean isTimeout(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof TimeoutException || at instanceof DnsNameResolverTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasCertificateFault(TransportFailure failure) {
        for (Throwable at = failure.cause().orElse(null); at != null; at = at.getCause()) {
            if (at instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
