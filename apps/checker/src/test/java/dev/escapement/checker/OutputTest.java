package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines reach the stream in order and soon, and a stream that fails is left alone. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OutputTest {

    private final List<String> steps = new ArrayList<>();

    @Test
    void writesLinesInOrderAndFlushesWhenNoneIsWaiting() throws Exception {
        Output output = output(new Recording(Integer.MAX_VALUE));
        output.add("größe");
        output.add("b");
        output.end();
        output.add("c");

        output.drain();

        assertThat(String.join("", steps)).isEqualTo("größe\nb\n<flush>");
        assertThat(output.drained()).isEqualTo(2);

        output.end();
        output.drain();

        assertThat(String.join("", steps)).isEqualTo("größe\nb\n<flush>c\n<flush>");
        assertThat(output.drained()).isEqualTo(3);
        assertThat(output.failure()).isEmpty();
    }

    @Test
    void aLineIsFlushedBeforeTheNextIsWaitedFor() throws Exception {
        Output output = output(new Recording(Integer.MAX_VALUE) {
            @Override
            public void flush() {
                super.flush();
                // Only what was flushed lets the run go on.
                output().end();
            }
        });
        this.output = output;
        output.add("a");

        output.drain();

        assertThat(String.join("", steps)).isEqualTo("a\n<flush><flush>");
    }

    @Test
    void tellsOnceOfAFailureAndDropsWhatFollows() throws Exception {
        List<String> told = new ArrayList<>();
        Output output = output(new Recording(1));
        output.whenBroken(() -> told.add("broken"));
        output.add("a");
        output.add("b");
        output.add("c");
        output.end();

        output.drain();

        assertThat(String.join("", steps)).isEqualTo("a\n");
        assertThat(told).containsExactly("broken");
        assertThat(output.drained()).isEqualTo(3);
        assertThat(output.failure()).get().extracting(Throwable::getMessage).isEqualTo("scripted");
    }

    @Test
    void isFullOnceFourThousandLinesWait() throws Exception {
        Output output = output(new Recording(Integer.MAX_VALUE));
        for (int i = 1; i < Output.FULL; i++) {
            output.add("a");
        }
        assertThat(output.isFull()).isFalse();

        output.add("a");
        assertThat(output.isFull()).isTrue();

        output.end();
        output.drain();
        assertThat(output.isFull()).isFalse();
    }

    private Output output;

    private Output output() {
        return output;
    }

    private static Output output(OutputStream out) {
        PrintStream err = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return new Output(out, new Progress(err, false, false, 0, new VirtualTime()::now));
    }

    /** Writes down what it is told to do, until it has taken so many lines. */
    private class Recording extends OutputStream {

        private final int lines;
        private int taken;

        Recording(int lines) {
            this.lines = lines;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (taken == lines) {
                throw new IOException("scripted");
            }
            String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
            steps.add(text);
            taken += text.equals("\n") ? 1 : 0;
        }

        @Override
        public void flush() {
            steps.add("<flush>");
        }
    }
}
