package dev.escapement.brownout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Request;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Endpoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two workers, a queue of three, and work of exactly 20 ms, or 80 when slowed down by 4. */
class UpstreamTest {

    private static final Request REQUEST = Request.get("http://upstream.test/");

    private final VirtualTime time = new VirtualTime();
    private final SimulatedTransport transport = new SimulatedTransport(time);

    /** Draws the middle of what can be drawn. */
    private final Upstream upstream = new Upstream(time, scenario(), (request, attempt, bound) -> bound / 2);

    private static Scenario scenario() {
        Scenario standard = Scenario.standard();
        return new Scenario(
                standard.callers(),
                standard.meanGap(),
                2,
                Duration.ofMillis(20),
                3,
                4,
                standard.brownoutFrom(),
                standard.brownoutTo(),
                standard.end(),
                standard.callBudget());
    }

    @BeforeEach
    void connect() {
        transport.otherwise().writeAll().act(upstream::receive).hang();
    }

    @Test
    void answersFirstComeFirstServedAsManyAtATimeAsThereAreWorkers() {
        send(5);

        time.advance(Duration.ofMillis(20));
        assertThat(answered()).containsExactly(1, 2);
        time.advance(Duration.ofMillis(20));
        assertThat(answered()).containsExactly(1, 2, 3, 4);
        time.advance(Duration.ofMillis(20));
        assertThat(answered()).containsExactly(1, 2, 3, 4, 5);
        assertThat(statuses()).containsOnly(200);
        assertThat(upstream.wasted()).isZero();
    }

    @Test
    void shedsAtOnceWhatFindsTheQueueFull() {
        send(6);

        assertThat(answered()).containsExactly(6);
        assertThat(statuses()).containsExactly(503);
        assertThat(upstream.received()).isEqualTo(6);
        assertThat(upstream.shed()).isEqualTo(1);
    }

    @Test
    void worksForThoseWhoHaveGone() {
        Attempt gone = send();
        send(2);
        gone.abandon();

        time.advance(Duration.ofMillis(20));
        assertThat(answered()).containsExactly(2);
        assertThat(upstream.wasted()).isEqualTo(1);
        time.advance(Duration.ofMillis(20));
        assertThat(answered()).as("after what was done in vain").containsExactly(2, 3);
    }

    @Test
    void slownessIsThatOfTheWorkBegunInIt() {
        send();
        upstream.slowBy(4);
        send();
        upstream.slowBy(1);

        time.advance(Duration.ofMillis(20));
        assertThat(answered()).containsExactly(1);
        time.advance(Duration.ofMillis(59));
        assertThat(answered()).containsExactly(1);
        time.advance(Duration.ofMillis(1));
        assertThat(answered()).containsExactly(1, 2);
    }

    private void send(int times) {
        for (int i = 0; i < times; i++) {
            send();
        }
    }

    private Attempt send() {
        return transport.send(REQUEST, new RecordingExchange(time, Long.MAX_VALUE, Endpoint.of(REQUEST.uri())));
    }

    /** The ordinals of the attempts that were answered. */
    private List<Integer> answered() {
        return transport.attempts().stream()
                .filter(attempt -> attempt.endedAt().isPresent())
                .map(attempt -> attempt.ordinal())
                .toList();
    }

    private List<Integer> statuses() {
        return transport.attempts().stream()
                .filter(attempt -> attempt.endedAt().isPresent())
                .map(attempt ->
                        ((RecordingExchange) attempt.exchange()).response().status())
                .toList();
    }
}
