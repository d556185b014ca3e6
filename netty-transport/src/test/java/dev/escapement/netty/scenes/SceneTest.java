package dev.escapement.netty.scenes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.netty.Certificates;
import dev.escapement.netty.LeakWatch;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * E6 E9 Whatever a server sends, the call ends in the one way that its scene expects, and the next call reads its own answer. Each test is
 * a scene in a mode.
 */
@ExtendWith(LeakWatch.class)
class SceneTest {

    @TempDir
    static Path directory;

    private static SSLContext identity;
    private static Path trusted;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates certificates = Certificates.of(directory, "ip:127.0.0.1");
        identity = certificates.server();
        trusted = certificates.pem(directory);
    }

    static Stream<Arguments> scenes() {
        // One scene can be asked for by a part of its name: -Dscene=413
        String wanted = System.getProperty("scene", "");
        return Scene.all().stream()
                .filter(scene -> scene.name().contains(wanted))
                .flatMap(scene -> scene.modes().stream().map(mode -> Arguments.of(mode.word(), scene, mode)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("E6 E9 a scene ends as it must")
    @MethodSource("scenes")
    void endsAsItMust(String modeWord, Scene scene, Mode mode) throws Exception {
        String expected = scene.expected().get(mode);
        String seen;
        try (Stage stage = new Stage(scene, mode, identity, trusted)) {
            seen = stage.play(expected);
        }
        assertThat(seen).isEqualTo(expected);
    }
}
