package dev.escapement.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The jar as people start it: as a process of its own. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplorerIT {

    /** @param out what it wrote to standard output */
    private record Ended(int exit, String out) {}

    private static ProcessBuilder command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("explorer.jar")));
        command.addAll(List.of(args));
        return new ProcessBuilder(command);
    }

    private static Ended run(String... args) throws Exception {
        return ended(
                command(args).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    private static Ended ended(Process process) throws Exception {
        try (InputStream out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), text);
        }
    }

    @Test
    @DisplayName("V1, V3 two hundred thousand scenarios show no difference, and are the same twice")
    void noDifference() throws Exception {
        Ended ended = run("--scenarios", "200000");

        assertThat(ended.out()).isEqualTo("scenarios=200000 differences=0\n");
        assertThat(ended.exit()).isZero();
    }

    @Test
    void aReplayTellsTheScriptAndTheTrace() throws Exception {
        Ended ended = run("--replay", "1");

        assertThat(ended.out()).contains("policy ").endsWith("\nscenarios=1 differences=0\n");
        assertThat(ended.exit()).isZero();
    }

    @Test
    void wrongUsageIsExitTwo() throws Exception {
        assertThat(run("--scenarios", "0")).isEqualTo(new Ended(2, ""));
    }

    @Test
    @DisplayName("a run that is asked to stop tells what it has played")
    void stopsInGoodOrder() throws Exception {
        Process process =
                command("--scenarios", "1000000000", "--seed", "1000000000").start();
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            // It is under way.
            assertThat(err.readLine()).contains(" of 1000000000 scenarios, ");
            process.toHandle().destroy(); // Process.destroy would close what is still to be read.

            Ended ended = ended(process);
            assertThat(ended.out()).matches("(?s).*scenarios=[1-9]\\d* differences=\\d\n");
            assertThat(ended.exit()).isNotZero();
        }
    }
}
