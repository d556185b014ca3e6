package dev.escapement.call;

import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.SimulatedServer;
import dev.escapement.fixtures.SimulatedServer.Deed;
import dev.escapement.fixtures.SimulatedServer.Entry;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.report.Outcome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** E4, I5: what the other side did, beside what the call says of it. */
class RemoteEffectTest {

    private static final Request EVENT = Request.of(Method.POST, "http://server.test/events");

    private final World world = new World(new VirtualTime(4_821))
            .policy(p -> p.attemptTimeout(ms(1_000)).maxRetries(0));
    private final SimulatedServer server = new SimulatedServer(world.time);

    /** The world's beginning is 03.000; the call enters at .360, its deadline is 04.000, and it is looked at 1 ms late. */
    private void playEvent4821(CallOptions options) {
        world.transport.otherwise().serveBy(server);
        server.on(1).commitAt(ms(1_090));
        server.on(2).commitAt(ms(1_220));
        world.time.advance(ms(360));

        world.call(EVENT, options.withDeadlineNanos(world.time.instant(ms(1_000))));
        world.time.stall(ms(641));
        world.time.runReady();
        world.call(EVENT, options);
        world.time.runUntilIdle();
    }

    @Test
    @DisplayName(
            "E4 evt-4821: the timeout seen at 04.001 says ambiguous, and the caller's repeat makes a second record")
    void repeatWithoutTheOperationsKeyMakesTwoRecords() {
        playEvent4821(CallOptions.none());

        assertThat(world.reports)
                .extracting(report -> report.outcome().kind())
                .containsExactly(Outcome.Kind.OVERALL_DEADLINE, Outcome.Kind.RESPONSE);
        assertThat(world.reports.get(0).endedNanos()).isEqualTo(world.time.instant(ms(1_001)));
        assertThat(world.reports.get(0).ambiguous()).isTrue();
        assertThat(server.log(Deed.COMMITTED)).extracting(Entry::at).containsExactly(ms(1_090), ms(1_220));
        assertThat(server.records()).isEqualTo(2);
        world.assertClean();
    }

    @Test
    @DisplayName("I5 evt-4821: the operation's own key, given by the application to both calls, makes it one record")
    void repeatWithTheOperationsKeyMakesOneRecord() {
        playEvent4821(CallOptions.none().withIdempotencyKey("evt-4821"));

        assertThat(world.reports.get(0).ambiguous()).isTrue();
        assertThat(server.log(Deed.COMMITTED)).extracting(Entry::at).containsExactly(ms(1_090));
        assertThat(server.log(Deed.REPLAYED)).hasSize(1);
        assertThat(server.records()).isOne();
        world.assertClean();
    }

    @Test
    @DisplayName("V2 E7 an attempt abandoned before the first byte is never received")
    void abandonedBeforeTheFirstByteIsNeverReceived() {
        world.transport.on(1).connect().pause(ms(50)).serveBy(server);

        Call call = world.call(EVENT);
        call.cancel();
        world.time.runUntilIdle();

        assertThat(world.report().ambiguous()).isFalse();
        assertThat(server.log()).isEmpty();
        world.assertClean();
    }
}
