package dev.escapement.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two loops that turn when the test says so. */
class LoopWatchTest {

    private final EmbeddedChannel one = new EmbeddedChannel();
    private final EmbeddedChannel other = new EmbeddedChannel();
    private long nowNanos;

    private final LoopWatch watch = new LoopWatch(List.of(one.eventLoop(), other.eventLoop()), () -> nowNanos);

    private void pass(int seconds, EmbeddedChannel... turning) {
        for (int i = 0; i < seconds; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            for (EmbeddedChannel channel : turning) {
                channel.advanceTimeBy(1, TimeUnit.SECONDS);
                channel.runScheduledPendingTasks();
            }
        }
    }

    @Test
    @DisplayName("Liveness: loops that turn are not stalled, however long they do nothing else")
    void turningLoopsAreWell() {
        pass(100, one, other);

        assertThat(watch.longestStall()).isZero();
    }

    @Test
    @DisplayName("Liveness: one loop that does not turn is seen, and is forgiven when it does again")
    void oneStalledLoopIsSeen() {
        pass(5, one, other);
        pass(12, one);
        assertThat(watch.longestStall()).isEqualTo(Duration.ofSeconds(11));

        other.advanceTimeBy(12, TimeUnit.SECONDS);
        other.runScheduledPendingTasks();
        assertThat(watch.longestStall()).isZero();
    }
}
