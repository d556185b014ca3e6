package dev.escapement.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of a client's fields reach an upstream, and which of ours no client can take away or forge. */
class RequestFieldsTest {

    private static final String TRUSTED = "trusted-proxies: [\"10.0.0.0/8\"]";

    private static Headers sent(GatewayConfig config, Received in) {
        return RequestFields.of(config, in, "id-1", false);
    }

    private static Headers sent(Received in) {
        return sent(Received.config(), in);
    }

    private static List<String> lines(Headers headers) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < headers.count(); i++) {
            lines.add(headers.nameAt(i) + ": " + headers.valueAt(i));
        }
        return lines;
    }

    @Test
    @DisplayName("RFC 9110 §7.6.1 end-to-end fields pass in their order, and ours follow")
    void endToEnd() {
        Received in = Received.get("Accept", "a/b", "X-One", "1", "Cookie", "c=1", "X-One", "2");

        assertThat(lines(sent(in)))
                .containsExactly(
                        "Accept: a/b",
                        "X-One: 1",
                        "Cookie: c=1",
                        "X-One: 2",
                        "X-Forwarded-For: 192.0.2.7",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Host: shop.example:8080",
                        "Via: 1.1 edge-1",
                        "X-Request-Id: id-1");
    }

    @ParameterizedTest(name = "RFC 9110 §7.6.1 {0} goes no further")
    @ValueSource(
            strings = {
                "Connection",
                "keep-alive",
                "Proxy-Connection",
                "TE",
                "Transfer-Encoding",
                "Content-Length",
                "Trailer",
                "upgrade",
                "HTTP2-Settings",
                "Host",
                "Expect",
                "Proxy-Authorization",
                "Proxy-Whatever",
                "PROXY",
                "Forwarded",
                "X-Real-IP",
                "x-forwarded-port",
                "X-Forwarded-Prefix",
                "X_Forwarded_For",
                "Escapement-Remaining"
            })
    void goesNoFurther(String name) {
        assertThat(sent(Received.get(name, "v")).contains(name)).isFalse();
    }

    @Test
    @DisplayName("RFC 9110 §7.6.1 what Connection names goes; of ours nothing does, though it be named")
    void nominated() {
        Received in = Received.get("X-Secret", "1", "X-Kept", "2", "X-Forwarded-For", "6.6.6.6")
                .nominating("x-secret", "x-forwarded-for", "x-forwarded-host", "via", "x-request-id");

        Headers sent = sent(in);

        assertThat(sent.contains("X-Secret")).isFalse();
        assertThat(sent.all("X-Kept")).containsExactly("2");
        assertThat(sent.all("X-Forwarded-For")).containsExactly("192.0.2.7");
        assertThat(sent.all("X-Forwarded-Host")).containsExactly("shop.example:8080");
        assertThat(sent.all("Via")).containsExactly("1.1 edge-1");
        assertThat(sent.all("X-Request-Id")).containsExactly("id-1");
    }

    @Test
    @DisplayName("what a trusted peer says of the client stays, its address joins the list")
    void trustedPeer() {
        Received in = Received.get(
                        "X-Forwarded-For", "203.0.113.9",
                        "X-Forwarded-For", "10.1.1.1",
                        "X-Forwarded-Proto", "https",
                        "X-Real-IP", "203.0.113.9",
                        "Escapement-Attempt", "2")
                .from("10.2.2.2");

        Headers sent = sent(Received.config(TRUSTED), in);

        assertThat(sent.all("X-Forwarded-For")).containsExactly("203.0.113.9, 10.1.1.1, 10.2.2.2");
        assertThat(sent.all("X-Forwarded-Proto")).containsExactly("https");
        assertThat(sent.all("X-Forwarded-Host")).containsExactly("shop.example:8080");
        assertThat(sent.all("X-Real-IP")).containsExactly("203.0.113.9");
        assertThat(sent.all("Escapement-Attempt")).containsExactly("2");
    }

    @Test
    @DisplayName(
            "RFC 7239 §4 with Forwarded nothing of the other kind is sent; addresses with colons and ports are quoted")
    void forwarded() {
        GatewayConfig config = Received.config(TRUSTED, "headers: {forwarded: true}");

        Headers fromAnyone = sent(
                config,
                Received.get("Forwarded", "for=6.6.6.6").from("2001:db8::7").overTls());
        Headers fromOurs = sent(
                config,
                Received.get("Forwarded", "for=1.2.3.4", "X-Forwarded-For", "5.6.7.8")
                        .from("10.2.2.2"));

        assertThat(fromAnyone.all("Forwarded"))
                .containsExactly("for=\"[2001:db8::7]\";host=\"shop.example:8080\";proto=https");
        assertThat(fromAnyone.contains("X-Forwarded-For")).isFalse();
        assertThat(fromOurs.all("Forwarded"))
                .containsExactly("for=1.2.3.4, for=10.2.2.2;host=\"shop.example:8080\";proto=http");
        assertThat(fromOurs.contains("X-Forwarded-For")).isFalse();
    }

    @Test
    @DisplayName("names with an underscore are dropped, except those that are let through")
    void underscores() {
        GatewayConfig config = Received.config("headers: {underscored: [\"X_Old\"]}");

        Headers sent = sent(config, Received.get("x_old", "1", "Content_Length", "5"));

        assertThat(sent.all("x_old")).containsExactly("1");
        assertThat(sent.contains("Content_Length")).isFalse();
    }

    @Test
    @DisplayName("RFC 9110 §7.6.3 Via is one list with ours last; switched off, it passes as it came")
    void via() {
        Received in = Received.get("Via", "1.0 a", "Via", "1.1 b (c)");

        assertThat(sent(in).all("Via")).containsExactly("1.0 a, 1.1 b (c), 1.1 edge-1");
        assertThat(sent(Received.config("headers: {via: false}"), in).all("Via"))
                .containsExactly("1.0 a", "1.1 b (c)");
    }

    @ParameterizedTest(name = "RFC 9110 §7.6.3 Via: {0} is a loop")
    @ValueSource(
            strings = {
                "1.1 edge-1",
                "1.0 a, 1.1 edge-1 (x)",
                "a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b,a b"
            })
    void loop(String via) {
        assertThat(RequestFields.isLoop(Headers.of("Via", via), "edge-1")).isTrue();
        assertThat(RequestFields.isLoop(Headers.of("Via", "1.1 edge-11, 1.1 other"), "edge-1"))
                .isFalse();
    }

    @Test
    @DisplayName("W3C Trace Context §3 one traceparent passes with its state; of two neither does")
    void traces() {
        Received one = Received.get("traceparent", "a", "tracestate", "b", "baggage", "c");
        Received two = Received.get("traceparent", "a", "traceparent", "z", "tracestate", "b", "baggage", "c");

        assertThat(sent(one).all("traceparent")).containsExactly("a");
        assertThat(sent(one).all("tracestate")).containsExactly("b");
        assertThat(sent(two).contains("traceparent")).isFalse();
        assertThat(sent(two).contains("tracestate")).isFalse();
        assertThat(sent(two).all("baggage")).containsExactly("c");
    }

    @Test
    @DisplayName(
            "RFC 9110 §7.6.2 Max-Forwards of OPTIONS is one less, of others untouched; I5 a call's key is no field")
    void counted() {
        assertThat(sent(Received.get("Max-Forwards", "3").by("OPTIONS")).all("Max-Forwards"))
                .containsExactly("2");
        assertThat(sent(Received.get("Max-Forwards", "3")).all("Max-Forwards")).containsExactly("3");
        Received keyed = Received.get("Idempotency-Key", "\"k\"");
        assertThat(RequestFields.of(Received.config(), keyed, "id", true).contains("Idempotency-Key"))
                .isFalse();
        assertThat(sent(keyed).contains("Idempotency-Key")).isTrue();
    }
}
