package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pure decisions of the transport, case by case. */
@ExtendWith(LeakWatch.class)
class RulesTest {

    private static ResponseHead head(boolean persistent, boolean closeAsked, boolean keepAliveSaid) {
        ResponseHead head = new ResponseHead();
        head.persistentByDefault = persistent;
        head.closeAsked = closeAsked;
        head.keepAliveSaid = keepAliveSaid;
        return head;
    }

    @ParameterizedTest
    @DisplayName("E6 the rule of reuse: every fact alone forbids it")
    @CsvSource({
        // sent, surplus, contradicted, 1.1, close, keep-alive, ended, lending, idle limit, lifetime
        "true, 0, false, true, false, false, false, true, 1, 1, KEEP",
        "true, 0, false, false, false, true, false, true, 1, 1, KEEP",
        "false, 0, false, true, false, false, false, true, 1, 1, UNFINISHED",
        "true, 1, false, true, false, false, false, true, 1, 1, SURPLUS",
        "false, 1, false, true, true, false, true, false, 0, 0, SURPLUS",
        "false, 0, false, true, true, false, true, false, 0, 0, UNFINISHED",
        "true, 0, false, true, true, false, false, true, 1, 1, CLOSE",
        "true, 0, false, true, true, true, false, true, 1, 1, CLOSE",
        "true, 0, false, false, false, false, false, true, 1, 1, CLOSE",
        "true, 0, false, true, false, false, true, true, 1, 1, CLOSE",
        "true, 0, false, true, false, false, false, false, 1, 1, CLOSE",
        "true, 0, false, true, false, false, false, true, 0, 1, CLOSE",
        "true, 0, false, true, false, false, false, true, 1, 0, CLOSE",
        "true, 0, true, true, false, false, false, true, 1, 1, CONTRADICTED",
        "true, 1, true, true, true, false, false, true, 1, 1, SURPLUS",
        "false, 0, true, true, true, false, false, true, 1, 1, UNFINISHED"
    })
    void reuse(
            boolean sent,
            long surplus,
            boolean contradicted,
            boolean persistent,
            boolean closeAsked,
            boolean keepAlive,
            boolean ended,
            boolean lending,
            long idleLimitNanos,
            long lifetimeLeftNanos,
            ReuseRule expected) {
        assertThat(ReuseRule.judge(
                        sent,
                        surplus,
                        contradicted,
                        head(persistent, closeAsked, keepAlive),
                        ended,
                        lending,
                        idleLimitNanos,
                        lifetimeLeftNanos))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @DisplayName("R10 E9 what the end of a connection means, by every fact")
    @CsvSource({
        // untouched, reused, replaced, whole, answer begun
        "true, true, false, false, false, REPLACE",
        "true, false, false, false, false, RESET",
        "true, false, true, false, false, STALE",
        "true, true, true, false, false, STALE",
        "false, true, false, false, false, RESET",
        "false, false, false, false, false, RESET",
        "false, true, true, false, true, TRUNCATED",
        "false, false, false, true, true, WHOLE",
        "false, true, false, true, true, WHOLE"
    })
    void ends(boolean untouched, boolean reused, boolean replaced, boolean whole, boolean begun, EndRule expected) {
        assertThat(EndRule.ended(untouched, reused, replaced, whole, begun)).isEqualTo(expected);
    }

    @Test
    @DisplayName("R10 E9 bytes before ours replace a connection that had served, once, and are unsolicited else")
    void earlyBytes() {
        assertThat(EndRule.spokeFirst(true, false)).isEqualTo(EndRule.REPLACE);
        assertThat(EndRule.spokeFirst(false, false)).isEqualTo(EndRule.UNSOLICITED);
        assertThat(EndRule.spokeFirst(false, true)).isEqualTo(EndRule.UNSOLICITED);
    }

    @ParameterizedTest
    @DisplayName("S1 versions of Netty compare by their numbers, one part after the other")
    @CsvSource({
        "4.2.18.Final, false",
        "4.2.17.Final, true",
        "4.2.9.Final, true",
        "4.2.19.Final, false",
        "4.2.100.Final, false",
        "4.1.140.Final, true",
        "4.3.0.Final, false",
        "5.0.0.Alpha2, false",
        "4.2.18.Final-SNAPSHOT, false",
        "4.2.18-SNAPSHOT, false",
        "4.2, true",
        "4, true",
        "3.10.6.Final, true",
        "unknown, true"
    })
    void versions(String version, boolean below) {
        assertThat(NettyVersion.isBelow(version, NettyVersion.FLOOR)).isEqualTo(below);
    }

    @Test
    @DisplayName("S1 the Netty of this build is new enough")
    void presentVersion() {
        NettyVersion.requireFloor();
    }

    @Test
    @DisplayName("E6 in the clear a destination is its endpoint; under TLS also the name and port that were verified")
    void destinations() {
        URI named = URI.create("https://example.com/x");
        URI namedInCapitals = URI.create("https://EXAMPLE.com:443/y");
        URI otherName = URI.create("https://example.org/x");
        URI otherPort = URI.create("https://example.com:444/x");
        Endpoint clear = Endpoint.of("http://[::1]:8080");
        Endpoint secure = Endpoint.of("https://[::1]:8443");

        assertThat(Destination.of(clear, named)).isEqualTo(Destination.of(clear, otherPort));
        assertThat(Destination.of(clear, named).serves(clear, otherName)).isTrue();
        assertThat(Destination.of(clear, named).serves(secure, named)).isFalse();

        Destination destination = Destination.of(secure, named);
        assertThat(destination).isEqualTo(Destination.of(secure, namedInCapitals));
        assertThat(destination.serves(Endpoint.of("https://[::1]:8443"), namedInCapitals))
                .isTrue();
        assertThat(destination.serves(secure, otherName)).isFalse();
        assertThat(destination.serves(secure, otherPort)).isFalse();
        assertThat(destination.serves(Endpoint.of(named), named)).isFalse();
        assertThat(destination).isNotEqualTo(Destination.of(secure, otherName));
        assertThat(destination.address()).isEqualTo("::1");
        assertThat(destination.peerName()).isEqualTo("example.com");
        assertThat(destination).hasToString("https://[::1]:8443 as https://example.com:443");
        assertThat(Destination.of(Endpoint.of(named), named)).hasToString("https://example.com:443");
    }

    @Test
    @DisplayName("P2 every bad setting is named with its value and its range, all at once")
    void settings(@TempDir Path directory) throws Exception {
        assertThatThrownBy(() -> NettyTransport.builder()
                        .connectTimeout(Duration.ZERO)
                        .connectStagger(Duration.ofMillis(9))
                        .tlsHandshakeTimeout(Duration.ofMinutes(2))
                        .idleLimit(Duration.ofHours(2))
                        .lifetimeLimit(Duration.ofMillis(999))
                        .earlyAnswerWait(Duration.ofSeconds(11))
                        .maxConnectionsPerEndpoint(0)
                        .maxWaitersPerEndpoint(-1)
                        .maxHeadBytes(255)
                        .maxBodyBytes(-1)
                        .maxInterimAnswers(1001)
                        .eventLoopThreads(0)
                        .build())
                .isInstanceOfSatisfying(SettingsException.class, exception -> {
                    assertThat(exception.faults())
                            .extracting(SettingsException.Fault::setting)
                            .containsExactly(
                                    "connectTimeout",
                                    "connectStagger",
                                    "tlsHandshakeTimeout",
                                    "idleLimit",
                                    "lifetimeLimit",
                                    "earlyAnswerWait",
                                    "maxConnectionsPerEndpoint",
                                    "maxWaitersPerEndpoint",
                                    "maxHeadBytes",
                                    "maxBodyBytes",
                                    "maxInterimAnswers",
                                    "eventLoopThreads");
                    assertThat(exception).hasMessageContaining("maxHeadBytes = 255, expected 256 to 1048576");
                });
        Path noCertificate = Files.writeString(directory.resolve("none.pem"), "nothing");
        assertThatThrownBy(() -> NettyTransport.builder()
                        .tls(TlsSettings.ofDefaults().withTrustCertificates(noCertificate))
                        .build())
                .hasMessageContaining("none.pem");
        assertThatThrownBy(() -> NettyTransport.builder()
                        .tls(TlsSettings.ofDefaults().withTrustCertificates(directory.resolve("missing.pem")))
                        .build())
                .hasMessageContaining("missing.pem");
        assertThatThrownBy(() -> NettyTransport.builder()
                        .tls(TlsSettings.insecure().withTrustCertificates(noCertificate))
                        .build())
                .hasMessageContaining("one at most");
    }
}
