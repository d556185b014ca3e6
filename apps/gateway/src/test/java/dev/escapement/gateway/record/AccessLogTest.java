package dev.escapement.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.config.AccessLogConfig.Format;
import dev.escapement.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How records become lines of a file: by whom, when, and what becomes of them where they do not. */
@Timeout(20)
class AccessLogTest {

    private static final MonotonicClock CLOCK = () -> 250 * GivenReport.MS;

    @TempDir
    Path folder;

    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();

    private AccessLogConfig config(String name, int queue) {
        return new AccessLogConfig(folder.resolve(name).toString(), Format.JSON, false, Set.of(), queue);
    }

    private AccessLog open(AccessLogConfig config) throws IOException {
        return AccessLog.open(config, CLOCK, complaints::add);
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name));
    }

    private static RequestRecord record(String target) {
        return GivenRecord.answered(GivenRequest.get(target));
    }

    /** Waits for something that the writer does; the test's time ends it where that never comes. */
    private static void until(Callable<Boolean> done) {
        try {
            while (!done.call()) {
                if (Thread.interrupted()) {
                    throw new AssertionError("it did not come");
                }
                Thread.onSpinWait();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A request whose line is not made before the latch is open: it holds the writer. */
    private static RequestRecord holding(CountDownLatch reached, CountDownLatch open) {
        return GivenRecord.answered(GivenRequest.get(() -> {
            reached.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return "/held";
        }));
    }

    @Test
    @DisplayName("Lines: each request has one, in order, and what was there before stays")
    void eachRequestHasALine() throws IOException {
        Files.writeString(folder.resolve("a.log"), "before\n");
        AccessLog log = open(config("a.log", 1_000));

        for (int i = 0; i < 100; i++) {
            log.ended(record("/" + i));
        }
        log.close();

        List<String> lines = lines("a.log");
        assertThat(lines).hasSize(101).startsWith("before");
        for (int i = 0; i < 100; i++) {
            assertThat(ParsedJson.object(lines.get(i + 1))).containsEntry("path", "/" + i);
        }
        assertThat(log.dropped()).isZero();
    }

    @Test
    @DisplayName("Lines: they are in the file soon after the request, without another to push them")
    void linesAreWrittenWhenIdle() throws IOException {
        AccessLog log = open(config("a.log", 10));

        // Each one finds the writer asleep, awake or about to sleep.
        for (int i = 1; i <= 20; i++) {
            int written = i;
            log.ended(record("/" + i));
            until(() -> lines("a.log").size() == written);
        }
        log.close();
    }

    @Test
    @DisplayName("Queue: where it is full a line is dropped and counted, and the loop goes on")
    void fullQueueDrops() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        AccessLog log = open(config("a.log", 5));
        log.ended(holding(reached, open));
        reached.await();

        for (int i = 0; i < 12; i++) {
            log.ended(record("/" + i));
        }
        assertThat(log.dropped()).isEqualTo(7);
        open.countDown();
        log.close();

        assertThat(lines("a.log")).hasSize(6);
        assertThat(log.dropped()).isEqualTo(7);
    }

    @Test
    @DisplayName("Queue: what comes after the log was closed is counted as lost")
    void closedLogDrops() throws IOException {
        AccessLog log = open(config("a.log", 5));
        log.close();

        log.ended(record("/late"));

        assertThat(log.dropped()).isEqualTo(1);
        assertThat(lines("a.log")).isEmpty();
    }

    @Test
    @DisplayName("Closing: it waits no longer than it may, and says so")
    void closingIsBounded() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        AccessLog log = open(config("a.log", 5));
        log.ended(holding(reached, open));
        reached.await();

        assertThat(log.close(Duration.ofMillis(10))).isFalse();
        open.countDown();
        assertThat(log.close(Duration.ofSeconds(20))).isTrue();
        assertThat(lines("a.log")).hasSize(1);
    }

    @Test
    @DisplayName("Reopening: after a rename the lines go to a new file of the old name, and none is lost")
    void reopensAfterRename() throws IOException {
        AccessLog log = open(config("a.log", 10_000));
        Path path = folder.resolve("a.log");

        int sent = 0;
        for (int turn = 1; turn <= 5; turn++) {
            for (int i = 0; i < 200; i++) {
                log.ended(record("/" + sent++));
            }
            Files.move(path, folder.resolve("a.log." + turn));
            log.reopen();
            until(() -> Files.exists(path));
        }
        log.ended(record("/last"));
        log.close();

        assertThat(lines("a.log")).last().asString().contains("/last");
        List<String> all = new ArrayList<>();
        for (int turn = 1; turn <= 5; turn++) {
            all.addAll(lines("a.log." + turn));
        }
        all.addAll(lines("a.log"));
        assertThat(all).hasSize(sent + 1);
        assertThat(log.dropped()).isZero();
    }

    @Test
    @DisplayName("Reopening: a path that cannot be opened is complained of, and the old file is kept")
    void keepsTheOldFile() throws IOException {
        AccessLog log = open(config("a.log", 10));

        log.apply(config("missing/b.log", 10));
        until(() -> !complaints.isEmpty());
        log.ended(record("/"));
        log.close();

        assertThat(complaints).singleElement().asString().contains("missing/b.log", "the old file is kept");
        assertThat(lines("a.log")).hasSize(1);
    }

    @Test
    @DisplayName("Configuration: path and format change while it runs")
    void appliesAnotherConfiguration() throws IOException {
        AccessLog log = open(config("a.log", 10));
        log.ended(record("/first"));
        until(() -> !lines("a.log").isEmpty());

        log.apply(new AccessLogConfig(folder.resolve("b.log").toString(), Format.COMBINED, false, Set.of(), 10));
        until(() -> Files.exists(folder.resolve("b.log")));
        log.ended(record("/second"));
        log.close();

        assertThat(lines("a.log")).singleElement().asString().startsWith("{");
        assertThat(lines("b.log")).singleElement().asString().contains("\"GET /second HTTP/1.1\" 200");
    }

    @Test
    @DisplayName("Configuration: off is no file, and nothing is lost by it")
    void offIsNoFile() throws IOException {
        AccessLog log = open(new AccessLogConfig("off", Format.JSON, false, Set.of(), 1));

        for (int i = 0; i < 10; i++) {
            log.ended(record("/"));
        }
        log.close();

        assertThat(log.dropped()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @DisplayName("Configuration: a file that cannot be opened at the start is an error at the start")
    void failsAtTheStart() {
        assertThatThrownBy(() -> open(config("missing/a.log", 10))).isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("Long requests: an interim line has the figures of its moment, though the record changes")
    void interimLineIsOfItsMoment() throws IOException {
        AccessLog log = open(config("a.log", 10));
        RequestRecord record = record("/stream");
        record.endedNanos = 0;
        record.bytesOut = 1_000;

        log.goesOn(record);
        record.bytesOut = 2_000;
        record.endedNanos = 300 * GivenReport.MS;
        log.ended(record);
        log.close();

        List<String> lines = lines("a.log");
        assertThat(ParsedJson.object(lines.get(0)))
                .containsEntry("interim", true)
                .containsEntry("bytes_out", 1_000L);
        assertThat(ParsedJson.object(lines.get(1))).doesNotContainKey("interim").containsEntry("bytes_out", 2_000L);
    }

    @Test
    @DisplayName(
            "Trouble: lines that a full disk does not take are counted, complained of once, and spoil no other line")
    void fullDiskIsSurvived() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        AccessLog log = open(new AccessLogConfig(full.toString(), Format.JSON, false, Set.of(), 10));

        for (int i = 1; i <= 3; i++) {
            int lost = i;
            log.ended(record("/lost"));
            until(() -> log.dropped() == lost);
        }
        log.apply(config("a.log", 10));
        until(() -> Files.exists(folder.resolve("a.log")));
        log.ended(record("/kept"));
        log.close();

        assertThat(lines("a.log")).singleElement().asString().contains("/kept");
        assertThat(complaints).hasSize(2);
        assertThat(complaints.peek()).contains("lines are lost");
        assertThat(complaints).last().asString().contains("written again");
    }

    @Test
    @DisplayName("Trouble: a record that cannot be told costs its own line alone")
    void brokenRecordCostsItsLine() throws IOException {
        AccessLog log = open(config("a.log", 10));
        RequestRecord broken = GivenRecord.answered(GivenRequest.get(() -> {
            throw new IllegalStateException("a bug");
        }));

        log.ended(record("/before"));
        log.ended(broken);
        log.ended(record("/after"));
        log.close();

        assertThat(lines("a.log")).hasSize(2).allSatisfy(ParsedJson::object);
        assertThat(log.dropped()).isEqualTo(1);
    }
}
