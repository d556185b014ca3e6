package dev.escapement.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The soak over sockets works: one short round of what takes half an hour in earnest. */
class SocketSoakTest {

    @Test
    @DisplayName("A5 E6 E8 one round over sockets: every call one outcome, nothing left")
    void oneRound() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        long calls = SocketSoak.run(
                Duration.ZERO, Duration.ofSeconds(3), 5, new PrintStream(printed, true, StandardCharsets.UTF_8));

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(calls).isPositive();
        assertThat(text).contains("round=1 paranoid heap_kb=").contains("PASSED calls=" + calls + " ");
    }
}
