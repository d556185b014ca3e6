package dev.escapement.gateway.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.reload.ReloadResult.Kind;
import dev.escapement.time.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that reloads, with real files and real time; nothing is asserted of how long it takes. */
@Timeout(60)
class ReloadLoopTest {

    private final CompletableFuture<String> committedB = new CompletableFuture<>();
    private final RecordingHook hook = new RecordingHook() {
        @Override
        public void commit(String next) {
            super.commit(next);
            if (next.equals("b")) {
                committedB.complete(next);
            }
        }
    };
    private final ConfigStore<String> store =
            new ConfigStore<>("gateway.yaml", Addresses.OF_TEXT, hook, () -> Instant.EPOCH, line -> {});

    private ReloadLoop loop(Path file) throws IOException {
        store.load(Files.readAllBytes(file));
        return new ReloadLoop(store, ConfigSource.ofFile(file), MonotonicClock.system());
    }

    @Test
    @DisplayName("A directory that is swapped behind a link, as Kubernetes mounts files, is seen without a word")
    void aSwappedLinkIsSeen(@TempDir Path mount) throws Exception {
        Path first = Files.createDirectory(mount.resolve("first"));
        Path second = Files.createDirectory(mount.resolve("second"));
        Files.write(first.resolve("gateway.yaml"), Texts.named("a"));
        Files.write(second.resolve("gateway.yaml"), Texts.named("b"));
        Path data = Files.createSymbolicLink(mount.resolve("data"), first);

        try (ReloadLoop loop = loop(data.resolve("gateway.yaml"))) {
            loop.start();
            Path next = Files.createSymbolicLink(mount.resolve("next"), second);
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

            assertThat(committedB.get(30, TimeUnit.SECONDS)).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("An operator who asks has the answer when it is decided; once a stop is under way he is turned away")
    void operatorsAreAnswered(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("gateway.yaml"), Texts.named("a"));
        ReloadLoop loop = loop(file);
        loop.start();
        Files.write(file, Texts.named("b"));

        assertThat(loop.reload().kind()).isEqualTo(Kind.LOADED);
        assertThat(store.version()).isEqualTo("b");

        loop.close();
        Files.write(file, Texts.named("c"));
        ReloadResult late = loop.reload();
        assertThat(late.kind()).isEqualTo(Kind.REFUSED);
        assertThat(late.faults())
                .extracting(Fault::toString)
                .containsExactly("gateway.yaml: a stop is under way: nothing is reloaded");
        assertThat(store.version()).isEqualTo("b");
    }
}
