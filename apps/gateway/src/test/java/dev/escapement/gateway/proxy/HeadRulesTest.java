package dev.escapement.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.config.TrustedProxies;
import dev.escapement.gateway.record.Reason;
import dev.escapement.http.Headers;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small rules of heads, each by itself: answers' fields, trailers, client addresses, names of requests, Proxy-Status, failures. */
class HeadRulesTest {

    @Test
    @DisplayName(
            "RFC 9110 §7.6.1 an answer passes without what is about the upstream's connection, what that names, and what is ours")
    void answers() {
        Headers passed = ResponseFields.passed(
                Headers.of(
                        "Connection", "close, x-hop",
                        "X-Hop", "1",
                        "Keep-Alive", "timeout=5",
                        "Content-Length", "7",
                        "Proxy-Authenticate", "Basic",
                        "Proxy-Status", "origin-side",
                        "Set-Cookie", "a=1",
                        "Set-Cookie", "b=2",
                        "x-request-id", "theirs"),
                "X-Request-Id",
                "ours");

        assertThat(passed.count()).isEqualTo(4);
        assertThat(passed.all("Set-Cookie")).containsExactly("a=1", "b=2");
        assertThat(passed.all("Proxy-Status")).containsExactly("origin-side");
        assertThat(passed.all("X-Request-Id")).containsExactly("ours");
    }

    @ParameterizedTest(name = "RFC 9110 §6.5.1 {0} is no trailer")
    @ValueSource(
            strings = {
                "Content-Length",
                "Transfer-Encoding",
                "Host",
                "Set-Cookie",
                "Authorization",
                "Content-Type",
                "Proxy-Authorization",
                "Proxy",
                "X-Forwarded-For",
                "a_b"
            })
    void trailers(String name) {
        Headers passed = HopByHop.trailers(Headers.of(name, "1", "Checksum", "2"));

        assertThat(passed.count()).isEqualTo(1);
        assertThat(passed.all("Checksum")).containsExactly("2");
    }

    @ParameterizedTest(name = "{0} by {1} is {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 6.6.6.6                      | 192.0.2.1   | false",
                "10.0.0.1  | 6.6.6.6, 203.0.113.9         | 203.0.113.9 | true",
                "10.0.0.1  | 203.0.113.9, 10.0.0.2        | 203.0.113.9 | true",
                "10.0.0.1  | 203.0.113.9:4711             | 203.0.113.9 | true",
                "10.0.0.1  | '[2001:db8::7]:4711'         | 2001:db8::7 | true",
                "10.0.0.1  | 2001:db8::7                  | 2001:db8::7 | true",
                "10.0.0.1  | 203.0.113.9, nonsense        | 10.0.0.1    | false",
                "10.0.0.1  | 203.0.113.9, evil, 10.0.0.3  | 10.0.0.3    | true",
                "10.0.0.1  | 10.0.0.4                     | 10.0.0.4    | true",
                "10.0.0.1  | 203.0.113.9,                 | 10.0.0.1    | false",
                "10.0.0.1  | ''                           | 10.0.0.1    | false"
            })
    @DisplayName("the client is the rightmost address that nobody is trusted for; what is no address ends the walk")
    void clientAddress(String peer, String list, String expected, boolean forwarded) throws UnknownHostException {
        ClientAddress client = ClientAddress.of(
                InetAddress.getByName(peer),
                Headers.of("X-Forwarded-For", list),
                TrustedProxies.of(List.of("10.0.0.0/8")));

        assertThat(client).isEqualTo(new ClientAddress(expected, forwarded));
    }

    @Test
    @DisplayName("no more than 32 entries are walked, over all lines from the last")
    void longChains() throws UnknownHostException {
        Headers chain = Headers.of("X-Forwarded-For", "203.0.113.9" + ", 10.0.0.2".repeat(32));
        Headers lines = Headers.of("X-Forwarded-For", "203.0.113.9", "X-Forwarded-For", "10.0.0.2");
        TrustedProxies trusted = TrustedProxies.of(List.of("10.0.0.0/8"));

        assertThat(ClientAddress.of(InetAddress.getByName("10.0.0.1"), chain, trusted)
                        .text())
                .isEqualTo("10.0.0.2");
        assertThat(ClientAddress.of(InetAddress.getByName("10.0.0.1"), lines, trusted)
                        .text())
                .isEqualTo("203.0.113.9");
    }

    @Test
    @DisplayName("a request's name is kept if it is plain, else made: 128 bits, never twice the same")
    void requestIds() {
        assertThat(RequestId.of(Optional.of("a.B_c-9"))).isEqualTo("a.B_c-9");
        for (String bad : new String[] {"", "a b", "a%0d%0ab", "ä", "x".repeat(129)}) {
            assertThat(RequestId.of(Optional.of(bad))).matches("[0-9a-f]{32}");
        }
        assertThat(RequestId.of(Optional.empty())).isNotEqualTo(RequestId.of(Optional.empty()));
    }

    @Test
    @DisplayName("W3C Trace Context §3.2 the trace of a well-formed parent is told")
    void traceIds() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";

        assertThat(TraceId.of(Headers.of("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")))
                .contains(trace);
        for (String bad : new String[] {
            "00-" + trace,
            "00-" + trace.toUpperCase(java.util.Locale.ROOT) + "-00f067aa0ba902b7-01",
            "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01"
        }) {
            assertThat(TraceId.of(Headers.of("traceparent", bad))).as(bad).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 9209 §2 our member comes last; what is no token is a string, its quotes escaped")
    void proxyStatus() {
        assertThat(ProxyStatus.error(
                        "edge-1",
                        Reason.CONNECT,
                        "connect",
                        502,
                        Optional.of("billing"),
                        Optional.of("10.0.0.7:80"),
                        HeaderConfig.ProxyStatus.ON))
                .isEqualTo("edge-1; error=connection_refused; next-hop=billing; details=\"connect\"");
        assertThat(ProxyStatus.error(
                        "the \"edge\"",
                        Reason.REFUSED,
                        "host",
                        400,
                        Optional.empty(),
                        Optional.empty(),
                        HeaderConfig.ProxyStatus.FULL))
                .isEqualTo("\"the \\\"edge\\\"\"; error=http_request_error; status-code=400; details=\"host\"");
        assertThat(ProxyStatus.refusedRetry(
                        "edge-1",
                        Headers.of("Proxy-Status", "a, b", "Proxy-Status", "c"),
                        503,
                        "retry-budget-empty",
                        Optional.of("billing"),
                        Optional.of("10.0.0.7:80"),
                        HeaderConfig.ProxyStatus.FULL))
                .isEqualTo(
                        "a, b, c, edge-1; received-status=503; next-hop=\"10.0.0.7:80\"; details=\"retry-budget-empty\"");
    }

    @Test
    @DisplayName("each failure of a transport has its reason, told apart by its cause where one kind is two")
    void failures() {
        for (Kind kind : Kind.values()) {
            assertThat(Verdict.of(TransportFailure.of(kind, "x")))
                    .as("%s", kind)
                    .isNotNull();
        }
        assertThat(reason(Kind.REFUSED, new ConnectException())).isEqualTo(Reason.CONNECT);
        assertThat(reason(Kind.REFUSED, new NoRouteToHostException())).isEqualTo(Reason.UNROUTABLE);
        assertThat(reason(Kind.NAME_RESOLUTION, new UnknownHostException())).isEqualTo(Reason.DNS);
        assertThat(reason(Kind.NAME_RESOLUTION, new IllegalStateException(new TimeoutException())))
                .isEqualTo(Reason.DNS_TIMEOUT);
        assertThat(reason(Kind.TLS, new IllegalStateException(new CertificateException())))
                .isEqualTo(Reason.TLS_CERTIFICATE);
        assertThat(reason(Kind.TLS, new IllegalStateException())).isEqualTo(Reason.TLS);
        assertThat(reason(Kind.CONNECT_TIMEOUT, new IllegalStateException()).status())
                .isEqualTo(504);
        assertThat(reason(Kind.REFUSED, new IllegalStateException()).status()).isEqualTo(502);
    }

    private static Reason reason(Kind kind, Throwable cause) {
        return Verdict.of(TransportFailure.of(kind, "x", cause));
    }

    @Test
    @DisplayName("TRACE, OPTIONS of ours, websocket and loops are answered here; any other upgrade is passed over")
    void screening() {
        var config = Received.config();

        assertThat(Screening.of(Received.get().by("TRACE"), config)).isEqualTo(Screening.Result.METHOD);
        assertThat(Screening.of(Received.get().by("OPTIONS").at("*"), config)).isEqualTo(Screening.Result.OWN_OPTIONS);
        assertThat(Screening.of(Received.get("Max-Forwards", "0").by("OPTIONS"), config))
                .isEqualTo(Screening.Result.OWN_OPTIONS);
        assertThat(Screening.of(Received.get("Max-Forwards", "0"), config)).isEqualTo(Screening.Result.ROUTED);
        assertThat(Screening.of(Received.get("Upgrade", "WebSocket"), config)).isEqualTo(Screening.Result.UPGRADE);
        assertThat(Screening.of(Received.get("Upgrade", "h2c"), config)).isEqualTo(Screening.Result.ROUTED);
        assertThat(Screening.of(Received.get("Via", "1.1 edge-1"), config)).isEqualTo(Screening.Result.LOOP);
    }
}
