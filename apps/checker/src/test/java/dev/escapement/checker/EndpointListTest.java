package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list is checked whole, copied, and read again as often as endpoints are asked for. */
class EndpointListTest {

    @Test
    void handsOutEndpointsInOrderWithTheirLines() throws Exception {
        try (EndpointList list = read("# head\na GET http://h/1\n\nb POST http://h/2\na GET http://h/3")) {
            List<String> seen = new ArrayList<>();
            list.endpoints()
                    .forEachRemaining(
                            endpoint -> seen.add(endpoint.line() + " " + endpoint.id() + " " + endpoint.request()));

            assertThat(list.count()).isEqualTo(3);
            assertThat(seen).containsExactly("2 a GET http://h/1", "4 b POST http://h/2", "5 a GET http://h/3");
        }
    }

    @Test
    void sharesAnIdAmongSeveralEndpoints() throws Exception {
        try (EndpointList list = read("a GET http://h/\na GET http://h/\n")) {
            assertThat(list.count()).isEqualTo(2);
        }
    }

    @Test
    void anEmptyListIsAList() throws Exception {
        try (EndpointList list = read("")) {
            Iterator<Endpoint> endpoints = list.endpoints();

            assertThat(list.count()).isZero();
            assertThat(endpoints.hasNext()).isFalse();
            assertThatThrownBy(endpoints::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void namesInputLineAndFault() {
        assertThatThrownBy(() -> read("a GET http://h/\n# fine\nb GET nowhere\nc FETCH http://h/"))
                .isInstanceOf(WrongUsage.class)
                .hasMessage("list.txt:3: URI \"nowhere\": expected scheme http or https");
        assertThatThrownBy(() -> read("a GET http://h/\n" + "x".repeat(10_000)))
                .isInstanceOf(WrongUsage.class)
                .hasMessage("list.txt:2: line longer than 8192 bytes");
    }

    @Test
    void leavesNoCopyBehind() throws Exception {
        long before = copies();
        EndpointList list = read("a GET http://h/");
        assertThatThrownBy(() -> read("nonsense")).isInstanceOf(WrongUsage.class);
        assertThatThrownBy(() -> EndpointList.read("list.txt", new Failing())).isInstanceOf(IOException.class);

        list.close();

        assertThat(copies()).isEqualTo(before);
    }

    private static long copies() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().matches("escapement-checker-.*\\.list"))
                    .count();
        }
    }

    private static EndpointList read(String text) throws IOException, WrongUsage {
        return EndpointList.read("list.txt", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static final class Failing extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("scripted");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("scripted");
        }
    }
}
