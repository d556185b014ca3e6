package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of any input, however it ends and however long it would like to be. */
class LineReaderTest {

    @Test
    void readsLinesWhateverTheyEndWith() throws Exception {
        assertThat(lines("a\nb\r\n\r\n\nc\rd\ne")).containsExactly("a", "b", "", "", "c\rd", "e");
        assertThat(lines("a\n")).containsExactly("a");
        assertThat(lines("a\r")).containsExactly("a");
        assertThat(lines("\n")).containsExactly("");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void countsLinesFromOne() throws Exception {
        LineReader reader = reader("a\nb".getBytes(StandardCharsets.UTF_8));

        assertThat(reader.number()).isZero();
        reader.next();
        assertThat(reader.number()).isEqualTo(1);
        reader.next();
        assertThat(reader.number()).isEqualTo(2);
        assertThat(reader.next()).isNull();
        assertThat(reader.number()).isEqualTo(2);
    }

    @Test
    void skipsOneByteOrderMark() throws Exception {
        assertThat(lines("\ufeffa\n\ufeffb")).containsExactly("a", "\ufeffb");
    }

    @Test
    void takesALineOfTheLongestLengthAndNotOneByteMore() throws Exception {
        String longest = "a".repeat(LineReader.MAX_LINE_BYTES);

        assertThat(lines(longest + "\nb")).containsExactly(longest, "b");
        assertThat(lines("b\n" + longest)).containsExactly("b", longest);
        assertThatThrownBy(() -> lines("b\n" + longest + "a"))
                .isInstanceOf(WrongUsage.class)
                .hasMessage("line longer than 8192 bytes");
    }

    @Test
    void aLineWithoutEndIsRefusedBeforeItIsHeld() {
        long[] handedOut = {0};
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                handedOut[0]++;
                return 'a';
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                Arrays.fill(into, offset, offset + length, (byte) 'a');
                handedOut[0] += length;
                return length;
            }
        };

        assertThatThrownBy(() -> new LineReader(endless).next()).isInstanceOf(WrongUsage.class);
        assertThat(handedOut[0]).isLessThan(100_000);
    }

    @Test
    void refusesWhatIsNotUtf8() {
        for (byte[] bytes : new byte[][] {
            {(byte) 0xff},
            {(byte) 0xc0, (byte) 0x80},
            {'a', (byte) 0xe2, (byte) 0x82},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80}
        }) {
            assertThatThrownBy(() -> reader(bytes).next())
                    .isInstanceOf(WrongUsage.class)
                    .hasMessage("expected UTF-8");
        }
    }

    @Test
    void readsThroughAnInputThatComesInSmallParts() throws Exception {
        byte[] bytes = "größe\nzwei".getBytes(StandardCharsets.UTF_8);
        InputStream trickling = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(1, length));
            }
        };

        assertThat(all(new LineReader(trickling))).containsExactly("größe", "zwei");
    }

    private static List<String> lines(String text) throws IOException, WrongUsage {
        return all(reader(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static LineReader reader(byte[] bytes) {
        return new LineReader(new ByteArrayInputStream(bytes));
    }

    private static List<String> all(LineReader reader) throws IOException, WrongUsage {
        List<String> lines = new ArrayList<>();
        for (String line = reader.next(); line != null; line = reader.next()) {
            lines.add(line);
        }
        return lines;
    }
}
