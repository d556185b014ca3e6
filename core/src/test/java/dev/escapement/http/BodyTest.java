package dev.escapement.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bodies in parts (R8, A8): what a subscriber hears of each kind, and who may subscribe. */
class BodyTest {

    /** Hears everything, as text. */
    private static final class Hearing implements Flow.Subscriber<ByteBuffer> {
        private final List<String> heard = new ArrayList<>();
        private Flow.Subscription subscription;

        static Hearing of(Body body) {
            Hearing hearing = new Hearing();
            body.parts().subscribe(hearing);
            return hearing;
        }

        Hearing ask(long count) {
            subscription.request(count);
            return this;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(ByteBuffer part) {
            heard.add(UTF_8.decode(part).toString());
        }

        @Override
        public void onError(Throwable why) {
            heard.add(why.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            heard.add("end");
        }
    }

    private static final Flow.Publisher<ByteBuffer> TWO = subscriber -> {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                subscriber.onNext(ByteBuffer.wrap("one".getBytes(UTF_8)));
                subscriber.onNext(ByteBuffer.wrap("two".getBytes(UTF_8)));
                subscriber.onComplete();
            }

            @Override
            public void cancel() {}
        });
    };

    @Test
    @DisplayName("A body in memory comes as one part, to each subscriber, once it is asked for")
    void inMemory() {
        Body body = Body.of("text");

        Hearing first = Hearing.of(body);
        assertThat(first.heard).isEmpty();
        first.ask(5).ask(5);
        assertThat(first.heard).containsExactly("text", "end");
        assertThat(Hearing.of(body).ask(1).heard).containsExactly("text", "end");
        assertThat(body.isStreamed()).isFalse();
    }

    @Test
    @DisplayName("An empty one ends without being asked")
    void empty() {
        assertThat(Hearing.of(Body.empty()).heard).containsExactly("end");
    }

    @Test
    @DisplayName("Demand of nothing is an error, cancelling is silence")
    void wrongDemand() {
        assertThat(Hearing.of(Body.of("text")).ask(0).heard).containsExactly("IllegalArgumentException");
        Hearing cancelled = Hearing.of(Body.of("text"));
        cancelled.subscription.cancel();
        assertThat(cancelled.ask(1).heard).isEmpty();
    }

    @Test
    @DisplayName("R8 a body that can be read once, in memory or in parts, refuses the second subscriber")
    void once() {
        for (Body body : List.of(Body.once(ByteBuffer.wrap("onetwo".getBytes(UTF_8))), Body.once(TWO, 6))) {
            assertThat(body.isConsumed()).isFalse();
            assertThat(String.join("", Hearing.of(body).ask(1).heard)).isEqualTo("onetwoend");
            assertThat(body.isConsumed()).isTrue();
            assertThat(Hearing.of(body).ask(1).heard).containsExactly("IllegalStateException");
        }
    }

    @Test
    @DisplayName("R8 one that each attempt reads anew never is consumed")
    void anew() {
        Body body = Body.of(TWO, Body.UNKNOWN_LENGTH);

        for (int i = 0; i < 3; i++) {
            assertThat(Hearing.of(body).ask(9).heard).containsExactly("one", "two", "end");
        }
        assertThat(body.isConsumed()).isFalse();
        assertThat(body.isStreamed()).isTrue();
        assertThatThrownBy(body::content).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("A body with trailers has the same content, and a length that is not told")
    void trailers() {
        Body body = Body.once(TWO, 6).withTrailers(() -> Headers.of("Checksum", "7"));

        assertThat(body.length()).isEqualTo(Body.UNKNOWN_LENGTH);
        assertThat(body.isStreamed()).isTrue();
        assertThat(Hearing.of(body).ask(9).heard).containsExactly("one", "two", "end");
        assertThat(body.trailers().first("checksum")).contains("7");
        assertThat(body.isConsumed()).isTrue();
        assertThat(Body.of("text").trailers().count()).isZero();
    }

    @Test
    @DisplayName("A length that is none is refused, by name and value")
    void lengths() {
        assertThatThrownBy(() -> Body.of(TWO, -2)).hasMessageContaining("body length -2");
    }

    @Test
    @DisplayName("RFC 9110 10.1.1: who sends nothing expects nothing; who does keeps the expectation through changes")
    void expectation() {
        Request request =
                Request.of(Method.PUT, java.net.URI.create("http://server.test/"), Headers.empty(), Body.of(TWO, 6));

        assertThat(request.expectsContinue()).isFalse();
        assertThat(request.expectingContinue().with("A", "b").expectsContinue()).isTrue();
        assertThat(request.expectingContinue()
                        .replacing(List.of(), List.of("A", "b"))
                        .expectsContinue())
                .isTrue();
        assertThatThrownBy(() -> Request.get("http://server.test/").expectingContinue())
                .hasMessageContaining("100-continue");
    }
}
