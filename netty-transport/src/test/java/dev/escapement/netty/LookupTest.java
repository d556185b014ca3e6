package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a transport remembers of names, on a clock of the test's own and with a resolver that answers when it is told to. */
class LookupTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nowNanos = new AtomicLong(3);
    private final Scripted resolver = new Scripted();
    private final Lookup lookup = new Lookup(resolver, nowNanos::get);
    private final List<Lookup.Known> told = new ArrayList<>();

    private static final class Scripted implements NameResolver {

        private final List<String> asked = new ArrayList<>();
        private final List<CompletableFuture<Answer>> answers = new ArrayList<>();

        @Override
        public CompletableFuture<Answer> resolve(String name) {
            asked.add(name);
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        }

        void answers(int ordinal, Duration validFor) {
            answers.get(ordinal - 1).complete(new Answer(List.of(InetAddress.getLoopbackAddress()), validFor));
        }

        void fails(int ordinal, Exception why) {
            answers.get(ordinal - 1).completeExceptionally(why);
        }

        @Override
        public void close() {}
    }

    private void find(String name) {
        lookup.find(name, told::add);
    }

    @Test
    @DisplayName("one lookup at a time for a name, whoever asks; others have their own")
    void oneAtATime() {
        find("one.test");
        find("one.test");
        find("two.test");
        assertThat(resolver.asked).containsExactly("one.test", "two.test");
        assertThat(told).isEmpty();

        resolver.answers(1, Duration.ofSeconds(5));

        assertThat(told).hasSize(2).allMatch(known -> known.failure() == null);
    }

    @Test
    @DisplayName("A6 an answer holds as long as it says, to the nanosecond, counted from its coming")
    void heldForItsTime() {
        find("one.test");
        nowNanos.addAndGet(SECOND);
        resolver.answers(1, Duration.ofSeconds(5));

        nowNanos.addAndGet(5 * SECOND - 1);
        find("one.test");
        assertThat(told).hasSize(2);
        assertThat(resolver.asked).hasSize(1);

        nowNanos.addAndGet(1);
        find("one.test");
        assertThat(told).hasSize(2);
        assertThat(resolver.asked).hasSize(2);
    }

    @Test
    @DisplayName("that there is no such name is believed for a second; that nobody could tell is not remembered")
    void failures() {
        find("gone.test");
        resolver.fails(1, new UnknownHostException("gone.test"));
        nowNanos.addAndGet(SECOND - 1);
        find("gone.test");
        assertThat(told).hasSize(2).allMatch(known -> known.failure() instanceof UnknownHostException);
        nowNanos.addAndGet(1);
        find("gone.test");
        assertThat(resolver.asked).hasSize(2);

        find("dark.test");
        resolver.fails(3, new IOException("no server answers"));
        find("dark.test");
        assertThat(resolver.asked).hasSize(4);
        assertThat(told.get(2).failure()).hasMessage("no server answers");
    }

    @Test
    @DisplayName(
            "an answer that holds for no time serves those that asked, and the next asks anew; a year counts as a day")
    void extremes() {
        find("zero.test");
        find("zero.test");
        resolver.answers(1, Duration.ZERO);
        assertThat(told).hasSize(2);
        find("zero.test");
        assertThat(resolver.asked).hasSize(2);

        find("long.test");
        resolver.answers(3, Duration.ofSeconds(Long.MAX_VALUE));
        nowNanos.addAndGet(Duration.ofDays(1).toNanos() - 1);
        find("long.test");
        assertThat(resolver.asked).hasSize(3);
        nowNanos.addAndGet(1);
        find("long.test");
        assertThat(resolver.asked).hasSize(4);
    }

    @Test
    @DisplayName("G5 256 lookups are under way at most; what comes beyond fails at once, and is not remembered")
    void underWay() {
        for (int i = 0; i < Lookup.MOST_UNDER_WAY; i++) {
            find("name" + i + ".test");
        }
        find("beyond.test");
        assertThat(told).hasSize(1);
        assertThat(told.get(0).failure()).hasMessageContaining("256 lookups");
        assertThat(resolver.asked).hasSize(256);

        resolver.answers(1, Duration.ofSeconds(1));
        find("beyond.test");
        assertThat(resolver.asked).hasSize(257);
    }

    @Test
    @DisplayName("G5 4,096 names are remembered at most: what has expired is forgotten first, then all that is settled")
    void remembered() {
        for (int i = 0; i < Lookup.MOST_NAMES; i++) {
            find("name" + i + ".test");
            resolver.answers(i + 1, Duration.ofSeconds(i < 10 ? 1 : 60));
        }
        nowNanos.addAndGet(SECOND);
        find("one-more.test");
        resolver.answers(Lookup.MOST_NAMES + 1, Duration.ofSeconds(60));
        int asked = resolver.asked.size();
        find("name10.test");
        assertThat(resolver.asked).hasSize(asked);

        for (int i = 0; i < 20; i++) {
            find("more" + i + ".test");
            resolver.answers(asked + i + 1, Duration.ofSeconds(60));
        }
        find("name10.test");
        assertThat(resolver.asked).hasSize(asked + 21);
    }

    private static Origin origin(String uri) {
        return new Origin(Destination.of(Endpoint.of(URI.create(uri)), URI.create(uri)), 3, 5);
    }

    private void answers(int ordinal, String address, int seconds) throws UnknownHostException {
        resolver.answers
                .get(ordinal - 1)
                .complete(
                        new NameResolver.Answer(List.of(InetAddress.getByName(address)), Duration.ofSeconds(seconds)));
    }

    @Test
    @DisplayName(
            "kept connections ask again when the answer has expired, once for a name, and are told what is current now")
    void keptCurrent() throws Exception {
        Origin plain = origin("http://one.test/");
        Origin secret = origin("https://one.test/");
        InetAddress first = InetAddress.getLoopbackAddress();
        InetAddress second = InetAddress.getByName("127.0.0.2");
        find("one.test");
        answers(1, "127.0.0.1", 5);
        nowNanos.addAndGet(5 * SECOND - 1);
        lookup.keepCurrent(plain);
        assertThat(resolver.asked).hasSize(1);
        assertThat(plain.isCurrent(first)).isTrue();
        assertThat(plain.isCurrent(second)).isFalse();

        nowNanos.addAndGet(1);
        lookup.keepCurrent(plain);
        lookup.keepCurrent(plain);
        lookup.keepCurrent(secret);
        assertThat(resolver.asked).hasSize(2);
        answers(2, "127.0.0.2", 5);
        lookup.keepCurrent(secret);

        assertThat(resolver.asked).hasSize(2);
        for (Origin origin : List.of(plain, secret)) {
            assertThat(origin.isCurrent(first)).isFalse();
            assertThat(origin.isCurrent(second)).isTrue();
        }
    }

    @Test
    @DisplayName("where nobody can tell, the last answer stands, and the next question comes a second later")
    void keptWithoutAnswer() throws Exception {
        Origin origin = origin("http://one.test/");
        lookup.keepCurrent(origin);
        answers(1, "127.0.0.1", 1);
        nowNanos.addAndGet(SECOND);
        lookup.keepCurrent(origin);
        resolver.fails(2, new IOException("no server answers"));

        nowNanos.addAndGet(SECOND - 1);
        lookup.keepCurrent(origin);
        assertThat(resolver.asked).hasSize(2);
        assertThat(origin.isCurrent(InetAddress.getLoopbackAddress())).isTrue();
        assertThat(origin.isCurrent(InetAddress.getByName("127.0.0.2"))).isFalse();
        nowNanos.addAndGet(1);
        lookup.keepCurrent(origin);
        assertThat(resolver.asked).hasSize(3);
    }

    @Test
    @DisplayName("addresses are looked up by nobody, kept or not")
    void keptLiterals() {
        lookup.keepCurrent(origin("http://127.0.0.1/"));
        lookup.keepCurrent(origin("http://[::1]/"));
        assertThat(resolver.asked).isEmpty();
    }

    @Test
    @DisplayName("a resolver that throws, or answers nothing, has failed")
    void brokenResolvers() {
        Lookup throwing = new Lookup(
                new NameResolver() {
                    @Override
                    public CompletableFuture<Answer> resolve(String name) {
                        if (name.startsWith("null")) {
                            return CompletableFuture.completedFuture(null);
                        }
                        throw new IllegalStateException("broken");
                    }

                    @Override
                    public void close() {}
                },
                nowNanos::get);
        throwing.find("one.test", told::add);
        throwing.find("null.test", told::add);
        assertThat(told.get(0).failure()).hasMessage("broken");
        assertThat(told.get(1).failure()).hasMessageContaining("nothing");
    }
}
