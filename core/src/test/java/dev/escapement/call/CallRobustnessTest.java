package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static dev.escapement.fixtures.SimulatedTransport.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.CallOut;
import dev.escapement.http.Request;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.transport.TransportFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Single cases in which an engine breaks that reads well. */
class CallRobustnessTest {

    @Test
    @DisplayName("a call without a request or without options is refused at the door and holds nothing")
    void nothingIsNoRequest() {
        World world = new World();
        world.transport.otherwise().answer(200);
        Client client = world.client();

        assertThatThrownBy(() -> client.call(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.call(GET, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.call(null, CallOptions.none(), world.reports::add))
                .isInstanceOf(NullPointerException.class);

        world.time.runUntilIdle();
        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a clock that throws after the send ends the call at once, not when something wakes it")
    void brokenClockAfterSendEndsTheCallAtOnce() {
        World world = new World();
        world.transport.otherwise().hangAfterWrite();
        // Entry, the first look's is the same; the second measures the send (A4).
        world.time
                .callOuts()
                .before(CallOut.CLOCK_READ, world.time.callOuts().count(CallOut.CLOCK_READ) + 3)
                .raise(new IllegalStateException("planted"));

        world.call(GET);

        assertThat(world.report().outcome().kind()).isEqualTo(Outcome.Kind.BROKEN);
        world.assertClean();
    }

    @Test
    @DisplayName(
            "L4 a permit for an attempt that never starts serves the next waiter at once, whatever else is not clean")
    void unusedPermitDoesNotWaitForAnOlderLane() {
        World world = new World()
                .policy(policy -> policy.permitScope(PermitScope.ATTEMPT)
                        .cleanupReserve(ms(500))
                        .maxQueueWait(ms(30)));
        world.concurrency = 2;
        world.transport.on(path("/slow"), 1).hangAfterWrite().ignoreAbandonment();
        world.transport.on(path("/other")).answerAfter(ms(79), 200);
        world.transport.on(path("/next")).answer(200);
        List<Report> next = new ArrayList<>();
        world.call(Request.get("http://server.test/slow"));
        world.time.advance(ms(60));
        world.call(Request.get("http://server.test/other"));
        // The slow one times out at 100 and its lane is never clean; at 110 it waits for a second permit, until 140.
        world.time.advance(ms(60));
        world.client().call(Request.get("http://server.test/next"), CallOptions.none(), next::add);
        world.time.advance(ms(18));
        assertThat(world.client().figures().waiting()).isEqualTo(2);

        // The grant at 139 is looked at only at 140, where the wait has expired (A6).
        world.time
                .callOuts()
                .after(CallOut.EXECUTE, world.time.callOuts().count(CallOut.EXECUTE) + 1)
                .run(() -> world.time.stall(ms(1)));
        world.time.advance(ms(3));

        assertThat(next).as("the next waiter, at %s", world.time.elapsed()).hasSize(1);
        assertThat(next.get(0).outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
    }

    @Test
    @DisplayName("E1 a transport that said it failed with nothing written may not write any more")
    void failedAttemptMayNotWrite() {
        World world = new World();
        world.transport.on(1).connect().fail(TransportFailure.Kind.RESET).writeAll();
        world.transport.on(2).answer(200);

        world.call(World.POST);
        world.time.runUntilIdle();

        assertThat(world.transport.sends()).isEqualTo(2);
        assertThat(world.transport.attempt(1).isWriteRefused()).isTrue();
        assertThat(world.transport.attempt(1).isSent()).isFalse();
        world.report().release();
        world.assertClean();
    }
}
