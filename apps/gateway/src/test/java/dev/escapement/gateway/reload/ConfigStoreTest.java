package dev.escapement.gateway.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.reload.ReloadResult.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which version is in force, and what is told of the others. */
class ConfigStoreTest {

    private final RecordingHook hook = new RecordingHook();
    private final List<String> log = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final InstantSource wallClock = () -> now;
    private final ConfigStore<String> store =
            new ConfigStore<>("gateway.yaml", Addresses.OF_TEXT, hook, wallClock, log::add);

    @Test
    @DisplayName("A good text is prepared beside the running version, then comes into force")
    void aGoodTextComesIntoForce() {
        store.load(Texts.named("a"));
        ReloadResult second = store.load(Texts.named("b"));

        assertThat(second.kind()).isEqualTo(Kind.LOADED);
        assertThat(second.version()).isEqualTo(store.config().version());
        assertThat(store.version()).isEqualTo("b");
        assertThat(hook.told).containsExactly("prepare a after nothing", "commit a", "prepare b after a", "commit b");
        assertThat(store.figures().loaded()).isEqualTo(2);
    }

    @Test
    @DisplayName("P6: a text with a fault changes nothing, and its faults are kept and told")
    void aBadTextLeavesTheRunningVersionWhole() {
        store.load(Texts.named("a"));
        Instant loaded = now;
        now = now.plusSeconds(60);

        ReloadResult refused = store.load(Texts.bytes("nam: b\n"));

        assertThat(refused.kind()).isEqualTo(Kind.REFUSED);
        assertThat(refused.version()).isEqualTo(store.config().version());
        assertThat(store.version()).isEqualTo("a");
        assertThat(hook.told).doesNotContain("commit b");
        assertThat(store.figures().loadedAt()).isEqualTo(loaded);
        assertThat(store.figures().refused()).isEqualTo(1);
        assertThat(store.figures().lastFailure().orElseThrow().at()).isEqualTo(now);
        assertThat(store.figures().lastFailure().orElseThrow().faults()).isEqualTo(refused.faults());
        assertThat(refused.faults())
                .extracting(Fault::toString)
                .contains("gateway.yaml:1:1: nam: unknown key; did you mean \"name\"?");
        assertThat(log).contains("gateway.yaml:1:1: nam: unknown key; did you mean \"name\"?");
    }

    @Test
    @DisplayName("What cannot be built is refused like what cannot be read")
    void whatCannotBePreparedIsRefused() {
        store.load(Texts.named("a"));
        hook.unpreparable = "b";

        ReloadResult refused = store.load(Texts.named("b"));

        assertThat(refused.kind()).isEqualTo(Kind.REFUSED);
        assertThat(refused.faults()).extracting(Fault::toString).containsExactly("gateway.yaml: cannot make b");
        assertThat(store.version()).isEqualTo("a");
        assertThat(hook.told).last().isEqualTo("prepare b after a");
    }

    @Test
    @DisplayName("The same text is no change, and takes back what was wrong with another one")
    void theSameTextIsNoChange() {
        store.load(Texts.named("a"));
        store.load(Texts.bytes("?"));

        ReloadResult unchanged = store.load(Texts.named("a"));

        assertThat(unchanged.kind()).isEqualTo(Kind.UNCHANGED);
        assertThat(hook.told).hasSize(2);
        assertThat(store.figures().loaded()).isEqualTo(1);
        assertThat(store.figures().lastFailure()).isEmpty();
    }

    @Test
    @DisplayName("Where it listens cannot change without a restart, unless the command line decides that")
    void listeningElsewhereNeedsARestart() {
        store.load(Texts.named("a"));

        ReloadResult refused =
                store.load(Texts.bytes("listen: 127.0.0.1:1\n" + new String(Texts.named("b"), StandardCharsets.UTF_8)));

        assertThat(refused.faults())
                .extracting(Fault::toString)
                .containsExactly(
                        "gateway.yaml:1:9: listen: \"127.0.0.1:1\" needs a restart: expected \"127.0.0.1:8080\", where it"
                                + " listens");

        Addresses given = new Addresses(
                Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7)), Optional.empty());
        ConfigStore<String> decided = new ConfigStore<>("gateway.yaml", given, hook, wallClock, log::add);
        decided.load(Texts.named("a"));
        assertThat(decided.load(Texts.bytes(
                                "listen: 127.0.0.1:1\n" + new String(Texts.named("b"), StandardCharsets.UTF_8)))
                        .kind())
                .isEqualTo(Kind.LOADED);
        assertThat(decided.config().listen().getPort()).isEqualTo(7);
    }

    @Test
    @DisplayName("A version that nobody holds is counted no more once its garbage is collected")
    void forgottenVersionsAreNotAlive() throws InterruptedException {
        store.load(Texts.named("a"));
        Object held = store.config();
        store.load(Texts.named("b"));
        assertThat(store.versionsAlive()).isEqualTo(2);
        assertThat(held).isNotNull();

        held = null;
        long patienceNanos = System.nanoTime() + 10_000_000_000L;
        while (store.versionsAlive() > 1 && System.nanoTime() < patienceNanos) {
            System.gc();
            Thread.onSpinWait();
        }

        assertThat(store.versionsAlive()).isEqualTo(1);
    }
}
