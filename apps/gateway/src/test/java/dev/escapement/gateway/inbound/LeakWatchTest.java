package dev.escapement.gateway.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeakWatchTest {

    @Test
    @DisplayName("V1 a buffer that nobody has released is seen, and one that was released is none")
    void leaksAreSeen() {
        LeakWatch watch = new LeakWatch();
        watch.beforeAll(null);
        ByteBufAllocator.DEFAULT.buffer().release();
        watch.afterAll(null);

        lose();

        TestServer.awaitThat(() -> {
            System.gc();
            LeakRecorder.ALL.forEach(LeakRecorder::look);
            return !LeakRecorder.LEAKS.isEmpty();
        });
        assertThatThrownBy(() -> watch.afterAll(null)).isInstanceOf(AssertionError.class);
        watch.beforeAll(null);
        assertThat(LeakRecorder.LEAKS).isEmpty();
    }

    private static void lose() {
        assertThat(ByteBufAllocator.DEFAULT.buffer().writeByte(1).readableBytes())
                .isEqualTo(1);
    }
}
