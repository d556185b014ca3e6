package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** DNS against a server of the test's own: addresses and for how long they hold, and each way of having none. */
@ExtendWith(LeakWatch.class)
class DnsResolverTest {

    private DnsServer server;
    private DnsResolver resolver;

    @BeforeEach
    void start() throws Exception {
        server = new DnsServer();
        resolver = server.resolver().build();
    }

    @AfterEach
    void end() throws Exception {
        resolver.close();
        server.close();
    }

    private static InetAddress address(int... bytes) throws UnknownHostException {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) bytes[i];
        }
        return InetAddress.getByAddress(raw);
    }

    private static NameResolver.Answer got(CompletableFuture<NameResolver.Answer> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<NameResolver.Answer> answer) throws Exception {
        try {
            throw new AssertionError("an answer: " + got(answer));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @Test
    @DisplayName("addresses hold for the shortest TTL, each answer for its own")
    void timeToLive() throws Exception {
        server.has("one.test", 7, address(127, 0, 0, 1), address(127, 0, 0, 2));

        NameResolver.Answer first = got(resolver.resolve("one.test"));
        server.has("one.test", 299, address(127, 0, 0, 3));
        NameResolver.Answer second = got(resolver.resolve("one.test"));

        assertThat(first.addresses()).containsExactly(address(127, 0, 0, 1), address(127, 0, 0, 2));
        assertThat(first.validFor()).isEqualTo(Duration.ofSeconds(7));
        assertThat(second.addresses()).containsExactly(address(127, 0, 0, 3));
        assertThat(second.validFor()).isEqualTo(Duration.ofSeconds(299));
    }

    @Test
    @DisplayName("a TTL of zero counts as a second")
    void zero() throws Exception {
        server.has("zero.test", 0, address(127, 0, 0, 1));
        assertThat(got(resolver.resolve("zero.test")).validFor()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("what an alias says of itself counts too: an address holds no longer than the way to it")
    void aliases() throws Exception {
        server.alias("www.test", 5, "edge.test");
        server.alias("edge.test", 60, "host.test");
        server.has("host.test", 299, address(127, 0, 0, 9));

        NameResolver.Answer answer = got(resolver.resolve("www.test"));
        server.alias("www.test", 900, "host.test");
        NameResolver.Answer changed = got(resolver.resolve("www.test"));

        assertThat(answer.addresses()).containsExactly(address(127, 0, 0, 9));
        assertThat(answer.validFor()).isEqualTo(Duration.ofSeconds(5));
        assertThat(changed.validFor()).isEqualTo(Duration.ofSeconds(299));
    }

    @Test
    @DisplayName("both families are asked for where the machine has both")
    void bothFamilies() throws Exception {
        assumeThat(NetUtil.isIpV4StackPreferred()).isFalse();
        InetAddress six = address(0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        server.has("both.test", 9, address(127, 0, 0, 1), six);

        assertThat(got(resolver.resolve("both.test")).addresses())
                .containsExactlyInAnyOrder(address(127, 0, 0, 1), six);
    }

    @Test
    @DisplayName("no such name, and a name without an address, are unknown hosts; a failing server is not")
    void noAddress() throws Exception {
        server.has("empty.test", 5);
        server.fails("broken.test", DnsResponseCode.SERVFAIL);
        server.fails("refused.test", DnsResponseCode.REFUSED);

        assertThat(failure(resolver.resolve("nowhere.test")))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("nowhere.test");
        assertThat(failure(resolver.resolve("empty.test"))).isInstanceOf(UnknownHostException.class);
        assertThat(failure(resolver.resolve("broken.test")))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("ServFail");
    }

    @Test
    @DisplayName("T2 a server that says nothing is given up after the query's timeout, and the next is asked")
    void silence() throws Exception {
        server.isSilentAbout("silent.test");
        try (DnsResolver hasty =
                server.resolver().queryTimeout(Duration.ofMillis(30)).build()) {
            assertThat(failure(hasty.resolve("silent.test")))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("silent.test");
        }

        try (DnsServer next = new DnsServer();
                DnsResolver both = DnsResolver.builder()
                        .queryTimeout(Duration.ofMillis(30))
                        .searchDomains(List.of())
                        .servers(List.of(server.address(), next.address()))
                        .build()) {
            next.has("silent.test", 4, address(127, 0, 0, 5));
            assertThat(got(both.resolve("silent.test")).addresses()).containsExactly(address(127, 0, 0, 5));
        }
    }

    @Test
    @DisplayName("what does not fit a datagram is asked for again by TCP, and comes whole")
    void truncated() throws Exception {
        List<InetAddress> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(address(127, 1, i / 256, i % 256));
        }
        server.has("many.test", 11, many.toArray(new InetAddress[0]));

        NameResolver.Answer answer = got(resolver.resolve("many.test"));

        assertThat(answer.addresses()).containsExactlyInAnyOrderElementsOf(many);
        assertThat(answer.validFor()).isEqualTo(Duration.ofSeconds(11));
        assertThat(server.askedByTcp()).isEqualTo(1);
    }

    @Test
    @DisplayName("a name without a dot is tried with the search domains, and its TTL is found all the same")
    void searchDomains() throws Exception {
        server.has("host.two.test", 21, address(127, 0, 0, 4));
        try (DnsResolver searching = DnsResolver.builder()
                .servers(List.of(server.address()))
                .searchDomains(List.of("one.test", "two.test"))
                .build()) {
            NameResolver.Answer answer = got(searching.resolve("host"));
            assertThat(answer.addresses()).containsExactly(address(127, 0, 0, 4));
            assertThat(answer.validFor()).isEqualTo(Duration.ofSeconds(21));
        }
        assertThat(server.asked("host.one.test")).isPositive();
    }

    @Test
    @DisplayName("the hosts file comes before the servers")
    void hostsFile() throws Exception {
        NameResolver.Answer answer = got(resolver.resolve("localhost"));
        assertThat(answer.addresses()).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
        assertThat(answer.validFor()).isEqualTo(Duration.ofSeconds(60));
        assertThat(server.asked("localhost")).isZero();
    }

    @Test
    @DisplayName("closed, it fails what is open and whatever comes later")
    void closed() throws Exception {
        server.isSilentAbout("silent.test");
        DnsResolver patient =
                server.resolver().queryTimeout(Duration.ofSeconds(30)).build();
        CompletableFuture<NameResolver.Answer> open = patient.resolve("silent.test");
        server.awaitAsked("silent.test", 1);
        patient.close();

        assertThat(failure(open)).isNotNull();
        assertThat(failure(patient.resolve("one.test"))).isNotNull();
        patient.close();
    }

    @Test
    @DisplayName("P2 every bad setting is named with its range")
    void settings() {
        assertThatThrownBy(() -> DnsResolver.builder()
                        .queryTimeout(Duration.ofMillis(9))
                        .servers(List.of(InetSocketAddress.createUnresolved("dns.test", 53)))
                        .build())
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        exception -> assertThat(exception.faults())
                                .extracting(SettingsException.Fault::setting)
                                .containsExactly("queryTimeout", "servers"));
    }

    @Test
    @DisplayName("where jdk.net.hosts.file says where names come from, the JDK's resolver is the default")
    void hostsFileOfTheJdk() {
        assertThat(System.getProperty("jdk.net.hosts.file")).isNotNull();
        try (NameResolver system = NameResolver.ofSystem()) {
            assertThat(system).isInstanceOf(JdkResolver.class);
        }
    }
}
