package dev.escapement.gateway.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.reload.ReloadResult.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a text is read and tried; time is moved by hand. */
class ReloadWatchTest {

    /** A file, as the test wants it to look; null if it is not there. */
    private byte[] file = Texts.named("a");

    private Optional<IOException> unreadable = Optional.empty();
    private int looks;

    private final ConfigSource source = new ConfigSource() {
        @Override
        public String name() {
            return "gateway.yaml";
        }

        @Override
        public Optional<byte[]> read() throws IOException {
            looks++;
            if (unreadable.isPresent()) {
                throw unreadable.get();
            }
            return Optional.ofNullable(file);
        }
    };

    private final RecordingHook hook = new RecordingHook();
    private final List<String> log = new ArrayList<>();
    private final ConfigStore<String> store =
            new ConfigStore<>("gateway.yaml", Addresses.OF_TEXT, hook, () -> Instant.EPOCH, log::add);

    private long nowNanos = 7;
    private final ReloadWatch watch = new ReloadWatch(store, source, nowNanos);

    @BeforeEach
    void theFirstVersionRuns() {
        store.load(file);
        hook.told.clear();
        log.clear();
    }

    /** Lets time pass in steps no longer than the watch wants to sleep, as its thread does. */
    private void pass(long millis) {
        long end = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        long wait = watch.turn(nowNanos);
        while (nowNanos + wait <= end) {
            nowNanos += wait;
            wait = watch.turn(nowNanos);
        }
        nowNanos = end;
    }

    private CompletableFuture<ReloadResult> ask() {
        CompletableFuture<ReloadResult> answer = new CompletableFuture<>();
        watch.ask(answer, nowNanos);
        return answer;
    }

    @Test
    @DisplayName("Another text is seen within a second, and tried when it has stood still for 200 ms")
    void aChangedTextIsTriedOnceItIsStill() {
        file = Texts.named("b");

        pass(999);
        assertThat(looks).isZero();
        pass(1);
        assertThat(looks).isEqualTo(1);
        pass(199);
        assertThat(store.version()).isEqualTo("a");
        pass(1);
        assertThat(store.version()).isEqualTo("b");
        pass(10_000);
        assertThat(store.figures().loaded()).isEqualTo(2);
    }

    @Test
    @DisplayName("A file that is still being written is not tried half")
    void aTextThatStillMovesIsWaitedFor() {
        file = Texts.named("half");
        pass(1_000);
        file = Texts.named("whole");
        pass(200);
        assertThat(store.version()).isEqualTo("a");
        pass(200);

        assertThat(hook.told).containsExactly("prepare whole after a", "commit whole");
    }

    @Test
    @DisplayName("A text that never stands still is tried after 5 s all the same")
    void aRestlessTextIsTriedInTheEnd() {
        file = Texts.named("n0");
        pass(1_000);
        for (int i = 1; i <= 25; i++) {
            assertThat(store.version()).isEqualTo("a");
            file = Texts.named("n" + i);
            pass(200);
        }

        assertThat(store.version()).isEqualTo("n25");
    }

    @Test
    @DisplayName("A burst of requests is one attempt, answered to all")
    void aBurstIsOneAttempt() {
        file = Texts.named("b");
        CompletableFuture<ReloadResult> first = ask();
        pass(150);
        CompletableFuture<ReloadResult> second = ask();
        assertThat(first).isNotDone();
        pass(50);

        assertThat(first.join().kind()).isEqualTo(Kind.LOADED);
        assertThat(second.join()).isSameAs(first.join());
        assertThat(hook.told).hasSize(2);
    }

    @Test
    @DisplayName("Asking with the running text is answered as no change")
    void askingForTheSameIsNoChange() {
        CompletableFuture<ReloadResult> answer = ask();
        pass(200);

        assertThat(answer.join().kind()).isEqualTo(Kind.UNCHANGED);
        assertThat(hook.told).isEmpty();
    }

    @Test
    @DisplayName("A bad text is told once, tried again when somebody asks, and looking goes on")
    void lookingGoesOnAfterABadText() {
        file = Texts.bytes("?");
        pass(1_200);
        assertThat(store.figures().refused()).isEqualTo(1);
        pass(30_000);
        assertThat(store.figures().refused()).isEqualTo(1);

        CompletableFuture<ReloadResult> answer = ask();
        pass(200);
        assertThat(answer.join().kind()).isEqualTo(Kind.REFUSED);
        assertThat(store.figures().refused()).isEqualTo(2);

        file = Texts.named("b");
        pass(1_200);
        assertThat(store.version()).isEqualTo("b");
        assertThat(store.figures().lastFailure()).isEmpty();
    }

    @Test
    @DisplayName("A text that goes back to what runs takes its fault back")
    void goingBackIsNoFault() {
        file = Texts.bytes("?");
        pass(1_200);
        file = Texts.named("a");
        pass(1_200);

        assertThat(store.figures().lastFailure()).isEmpty();
        assertThat(hook.told).isEmpty();
    }

    @Test
    @DisplayName("A file that is gone for a moment is no change; after 5 s it is told, once, and looking goes on")
    void aMissingFileIsToldAfterFiveSeconds() {
        file = null;
        pass(1_000);
        pass(4_999);
        assertThat(log).isEmpty();
        pass(1);
        assertThat(log).contains("gateway.yaml: missing or empty");
        pass(60_000);
        assertThat(store.figures().refused()).isEqualTo(1);

        file = Texts.named("b");
        pass(1_200);
        assertThat(store.version()).isEqualTo("b");

        file = null;
        pass(6_000);
        assertThat(store.figures().refused()).isEqualTo(2);
    }

    @Test
    @DisplayName("Who asks while the file is being replaced gets the new one")
    void askingDuringAReplacementWaitsForIt() {
        file = null;
        CompletableFuture<ReloadResult> answer = ask();
        pass(300);
        assertThat(answer).isNotDone();
        file = Texts.named("b");
        pass(400);

        assertThat(answer.join().kind()).isEqualTo(Kind.LOADED);
    }

    @Test
    @DisplayName("Who asks for a file that stays away, or cannot be read, is told after 5 s")
    void askingForNothingIsRefused() {
        unreadable = Optional.of(new IOException("access denied"));
        CompletableFuture<ReloadResult> answer = ask();
        pass(4_999);
        assertThat(answer).isNotDone();
        pass(1);

        assertThat(answer.join().faults())
                .extracting(Fault::toString)
                .containsExactly("gateway.yaml: cannot be read: access denied");
        pass(20_000);
        assertThat(store.figures().refused()).isEqualTo(1);
    }
}
