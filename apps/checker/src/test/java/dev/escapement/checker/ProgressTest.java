package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The progress line is seen by people only, and never mixes with reports. */
class ProgressTest {

    private static final String ERASE = "\r\033[K";

    private final VirtualTime time = new VirtualTime();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void staysSilentWhereNobodyLooks() {
        Progress progress = progress(false, true);

        progress.show(1);
        progress.makeWay();
        progress.erase();

        assertThat(err.size()).isZero();
    }

    @Test
    void isRedrawnATenthOfASecondLaterAtTheEarliest() {
        Progress progress = progress(true, false);

        progress.show(1);
        time.stall(Duration.ofNanos(99_999_999));
        progress.show(2);
        time.stall(Duration.ofNanos(1));
        progress.show(1_234);

        assertThat(written()).isEqualTo(ERASE + "checked 1 of 5,000" + ERASE + "checked 1,234 of 5,000");
    }

    @Test
    void makesWayForReportsOnTheSameScreenOnly() {
        Progress beside = progress(true, true);
        beside.show(1);
        beside.makeWay();
        beside.makeWay();
        assertThat(written()).isEqualTo(ERASE + "checked 1 of 5,000" + ERASE);

        err.reset();
        Progress alone = progress(true, false);
        alone.show(1);
        alone.makeWay();
        assertThat(written()).isEqualTo(ERASE + "checked 1 of 5,000");
        alone.erase();
        assertThat(written()).isEqualTo(ERASE + "checked 1 of 5,000" + ERASE);
    }

    @Test
    void knowsATerminalByItsDevice() {
        assertThat(Terminal.isTerminal(Path.of("/dev/pts/3"))).isTrue();
        assertThat(Terminal.isTerminal(Path.of("/dev/tty1"))).isTrue();
        assertThat(Terminal.isTerminal(Path.of("/dev/console"))).isTrue();
        assertThat(Terminal.isTerminal(Path.of("/dev/null"))).isFalse();
        assertThat(Terminal.isTerminal(Path.of("pipe:[4711]"))).isFalse();
        assertThat(Terminal.isTerminal(Path.of("/tmp/out.txt"))).isFalse();
    }

    private Progress progress(boolean seen, boolean besideReports) {
        return new Progress(new PrintStream(err, false, StandardCharsets.UTF_8), seen, besideReports, 5_000, time::now);
    }

    private String written() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
