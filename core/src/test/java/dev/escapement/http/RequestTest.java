package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that could reach the wrong server, or be read in two ways, cannot be built. */
class RequestTest {

    @ParameterizedTest(name = "RFC 9112 §11 {0} is refused: expected {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/path                        | scheme http or https",
                "ftp://host/                  | scheme http or https",
                "file:///etc/hosts            | scheme http or https",
                "http:opaque                  | a host",
                "http:///path                 | a host",
                "http://under_score/          | a host",
                "http://host:0/               | a port of 1 to 65535",
                "http://host:65536/           | a port of 1 to 65535",
                "http://hÖst/                 | a host",
                "http://host/ä                | visible ASCII, anything else percent-encoded",
                "http://host/?q=ä             | visible ASCII, anything else percent-encoded"
            })
    void refusesUrisThatNoServerCanBeAskedFor(String uri, String expected) {
        assertThatThrownBy(() -> Request.get(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("expected " + expected);
    }

    @ParameterizedTest(name = "RFC 9112 §11 [{index}] a URI with a blank or a line end in it is refused")
    @ValueSource(
            strings = {
                "http://host/a b",
                "http://host/a\r\nX: 1",
                "http://host/\t",
                "http://host/\u0000",
                "http://ho st/",
                "",
                "http://"
            })
    void refusesUrisThatBreakTheRequestLine(String uri) {
        assertThatThrownBy(() -> Request.get(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
    }

    @Test
    @DisplayName("RFC 9112 §11 user info is refused, and not repeated in the message")
    void refusesUserInfo() {
        assertThatThrownBy(() -> Request.get("http://user:secret@host/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
    }

    @ParameterizedTest(name = "RFC 9112 §11 {0} is a target")
    @ValueSource(
            strings = {
                "http://host",
                "HTTPS://host:65535/a?b=c#fragment",
                "http://127.0.0.1:1/",
                "http://[::1]:8080/",
                "http://host/%C3%A4"
            })
    void acceptsAbsoluteHttpUris(String uri) {
        assertThat(Request.get(uri).uri()).isEqualTo(URI.create(uri));
    }

    @ParameterizedTest(name = "RFC 9112 §11 {0} is the transport's to write")
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "CONNECTION",
                "Keep-Alive",
                "Proxy-Connection",
                "TE",
                "Trailer",
                "Upgrade",
                "Expect"
            })
    void refusesFieldsThatFrameTheMessage(String name) {
        assertThatThrownBy(() -> Request.get("http://host/").with(name, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("header " + name + ": written by the transport alone");
    }

    @Test
    @DisplayName("P1 a request is a value: adding a header makes another one")
    void isImmutable() {
        Request request = Request.of(Method.PUT, URI.create("http://host/"), Headers.empty(), Body.of("content"));

        Request more = request.with("X-Id", "a");

        assertThat(request.headers().count()).isZero();
        assertThat(more.headers().first("X-Id")).contains("a");
        assertThat(more.method()).isSameAs(Method.PUT);
        assertThat(more.body().length()).isEqualTo(7);
    }

    @Test
    @DisplayName("RFC 9110 §17 the text of a request leaves out query and header values")
    void hidesQueryAndHeaders() {
        Request request = Request.get("http://host:80/path?token=secret").with("X-Key", "hidden");

        assertThat(request.toString()).isEqualTo("GET http://host:80/path");
    }

    @Test
    @DisplayName("RFC 9112 §11 a very long refused URI is cut in the message")
    void boundsTheMessage() {
        String uri = "ftp://host/" + "a".repeat(10_000);

        assertThatThrownBy(() -> Request.get(uri))
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200));
    }

    @Test
    @DisplayName("R8 a body is its bytes, read as often as wanted")
    void bodiesReplay() {
        Body body = Body.of("äb");

        assertThat(body.length()).isEqualTo(3);
        assertThat(body.content()).isEqualTo(body.content());
        assertThat(body.content().isReadOnly()).isTrue();
        assertThat(Body.of("")).isSameAs(Body.empty());
        assertThatCode(body::release).doesNotThrowAnyException();
        assertThatCode(body::release).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("M1 a request with replaced fields keeps all else, and still frames nothing itself")
    void replacing() {
        Request request =
                Request.of(Method.POST, URI.create("http://a.test/x"), Headers.of("A", "1", "B", "2"), Body.of("body"));

        Request replaced = request.replacing(List.of("a"), List.of("A", "3"));

        assertThat(replaced.headers().all("A")).containsExactly("3");
        assertThat(replaced.headers().all("B")).containsExactly("2");
        assertThat(replaced.method()).isEqualTo(Method.POST);
        assertThat(replaced.uri()).isEqualTo(request.uri());
        assertThat(replaced.body()).isSameAs(request.body());
        assertThatThrownBy(() -> request.replacing(List.of(), List.of("Content-Length", "3")))
                .hasMessage("header Content-Length: written by the transport alone");
    }

    @ParameterizedTest(name = "RFC 3986 §3.2.2 {0} can be said in Host")
    @ValueSource(strings = {"a", "A.example:8080", "under_score:1", "10.0.0.7", "[::1]", "[2001:db8::7]:65535", "%41"})
    void anotherHost(String host) {
        Request request =
                Request.get("http://upstream/a").withHost(host).takingTrailers().with("X", "1");

        assertThat(request.host()).contains(host);
        assertThat(request.takesTrailers()).isTrue();
        assertThat(request.uri()).hasHost("upstream");
        assertThat(Request.get("http://upstream/").host()).isEmpty();
    }

    @ParameterizedTest(name = "RFC 3986 §3.2.2 [{index}] what is no host is not said in Host")
    @ValueSource(
            strings = {
                "",
                ":1",
                "a:",
                "a:0",
                "a:65536",
                "a:1:2",
                "u@a",
                "a/b",
                "a b",
                "a\r\nX: 1",
                "[::1",
                "[]",
                "[::1]x",
                "[g::]",
                "ä",
                "%4",
                "%4g"
            })
    void noHost(String host) {
        assertThatThrownBy(() -> Request.get("http://upstream/").withHost(host))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host ");
    }
}
