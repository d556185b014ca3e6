package dev.escapement.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    @ParameterizedTest
    @DisplayName("an endpoint is scheme, host in lower case and port, and nothing else of a URI")
    @CsvSource({
        "http://Example.COM/a?b#c, http://example.com:80, false, example.com, 80",
        "HTTPS://example.com, https://example.com:443, true, example.com, 443",
        "https://example.com:80, https://example.com:80, true, example.com, 80",
        "http://[2001:DB8::1]:8080/, 'http://[2001:db8::1]:8080', false, '[2001:db8::1]', 8080",
        "http://example.com:65535, http://example.com:65535, false, example.com, 65535"
    })
    void endpointOfAUri(String url, String shown, boolean secure, String host, int port) {
        Endpoint endpoint = Endpoint.of(url);

        assertThat(endpoint).hasToString(shown).isEqualTo(Endpoint.of(shown)).hasSameHashCodeAs(Endpoint.of(shown));
        assertThat(endpoint.secure()).isEqualTo(secure);
        assertThat(endpoint.host()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.isOriginOf(URI.create(url))).isTrue();
        assertThat(endpoint.isOriginOf(URI.create(shown + "/elsewhere"))).isTrue();
    }

    @Test
    @DisplayName("endpoints that differ in scheme, host or port alone are different")
    void differences() {
        Endpoint endpoint = Endpoint.of("http://example.com:443");

        for (String other :
                new String[] {"https://example.com:443", "http://example.org:443", "http://example.com:80"}) {
            assertThat(endpoint).isNotEqualTo(Endpoint.of(other));
            assertThat(endpoint.isOriginOf(URI.create(other))).isFalse();
        }
    }

    @ParameterizedTest
    @DisplayName("P2 what is not http or https with a host and a real port is refused")
    @ValueSource(
            strings = {
                "ftp://example.com",
                "//example.com",
                "http:/path",
                "mailto:a@example.com",
                "http://h:0",
                "http://h:65536"
            })
    void wrongOnes(String url) {
        assertThatThrownBy(() -> Endpoint.of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected http or https, a host, and a port of 1 to 65535");
    }
}
