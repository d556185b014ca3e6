package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Schedulers;
import dev.escapement.time.Timer;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** L2, S1: however many calls hand permits on to each other on one thread, they stand on one stack frame. */
class TurnsTest {

    /** Far more than a stack holds, were one call to run on top of another. */
    private static final int MANY = 100_000;

    /** Enough for that too, in a world that keeps notes. */
    private static final int REFUSED = 10_000;

    @ParameterizedTest
    @EnumSource(VirtualTime.Home.class)
    @DisplayName("S1 when the home refuses, all waiters end one after another, not one inside another")
    void refusedWaitersDoNotGrowTheStack(VirtualTime.Home home) {
        World world = new World(new VirtualTime(1_000_000, home));
        world.concurrency = 1;
        world.maxQueue = REFUSED;
        world.transport.otherwise().hang();
        for (int i = 0; i <= REFUSED; i++) {
            world.client().call(GET, CallOptions.none(), world.reports::add);
        }
        world.time.runReady();
        assertThat(world.client().figures().waiting()).isEqualTo(REFUSED);

        world.time.refuseTasks();
        world.time.withinContext(() -> world.transport.attempt(1).answerCleanly(200));

        assertThat(world.reports).hasSize(REFUSED + 1);
        assertThat(world.client().figures().permitsHeld()).isZero();
        assertThat(world.client().figures().failedCallOuts()).isZero();
    }

    @Test
    @DisplayName("L2 a hundred thousand waiters are served one after another by a home that runs tasks in place")
    void homeThatRunsInPlaceDoesNotGrowTheStack() {
        InPlace home = new InPlace();
        AtomicInteger reports = new AtomicInteger();
        Deque<Exchange> first = new ArrayDeque<>();
        Client client = Client.builder(
                        (request, exchange) -> {
                            if (first.isEmpty()) {
                                first.add(exchange);
                            } else {
                                exchange.clean(ConnectionFate.NONE, 0);
                                exchange.succeed(Response.of(200));
                            }
                            return () -> {};
                        },
                        Schedulers.of(home))
                .policy(World.plain(policy -> policy))
                .concurrency(1)
                .maxQueue(MANY)
                .build();
        for (int i = 0; i <= MANY; i++) {
            client.call(GET, CallOptions.none(), report -> {
                assertThat(report.outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
                reports.incrementAndGet();
            });
        }

        first.peek().clean(ConnectionFate.NONE, 0);
        first.peek().succeed(Response.of(200));

        assertThat(reports).hasValue(MANY + 1);
        assertThat(client.figures().permitsHeld()).isZero();
        assertThat(client.figures().failedCallOuts() + client.figures().failedCallbacks())
                .isZero();
    }

    /** Everyone is in context, tasks run inside {@code execute}, and time stands still. */
    private static final class InPlace implements Scheduler {

        @Override
        public long nanos() {
            return 1_000;
        }

        @Override
        public boolean inContext() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean arm(Timer timer, long deadlineNanos) {
            return true;
        }

        @Override
        public boolean disarm(Timer timer) {
            return true;
        }
    }
}
