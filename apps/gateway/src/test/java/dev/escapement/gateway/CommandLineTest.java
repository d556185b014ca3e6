package dev.escapement.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.ConfigReader;
import dev.escapement.gateway.config.ConfigResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line does that starts nothing. */
class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine(new GatewayCommand(new Hangup()));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    @Test
    @DisplayName("--check of a good configuration says so, and exits 0")
    void checkingAGoodConfiguration(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
                policies: {spare: {timeout: 1s}}
                upstreams: {u: {endpoints: "http://127.0.0.1:9000"}}
                routes: [{name: all, upstream: u}]
                """);

        assertThat(run("--check", file.toString())).isZero();

        assertThat(out.toString()).startsWith(file + ": no faults; version ");
        assertThat(err.toString().strip())
                .isEqualTo("warning: " + file + ":1:19: policies.spare: no effect: nobody has this policy");
    }

    @Test
    @DisplayName("--check of a bad configuration lists every fault on standard error, and exits 2")
    void checkingABadConfiguration(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), "upstrams: {}\nroutes: {}\n");

        assertThat(run("--check", file.toString())).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1:1: no \"upstreams\": expected a mapping of upstreams by name",
                        file + ":1:1: upstrams: unknown key; did you mean \"upstreams\"?",
                        file + ":2:9: routes: a mapping: expected a list of mappings");
    }

    @Test
    @DisplayName("A file that is not there is a configuration with a fault")
    void checkingNothing(@TempDir Path directory) throws IOException {
        Path none = directory.resolve("none.yaml");
        assertThat(run("--check", none.toString())).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo(none + ": missing or empty");
        assertThat(run("--check", directory.toString())).isEqualTo(2);
        assertThat(run("--config", none.toString())).isEqualTo(2);
    }

    @Test
    @DisplayName("--print-defaults prints a configuration")
    void theDefaultsArePrinted() {
        assertThat(run("--print-defaults")).isZero();

        assertThat(ConfigReader.read("defaults", out.toString().getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ConfigResult.Good.class);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("Wrong usage is one line on standard error, and exit code 2")
    @ValueSource(
            strings = {
                "--listen nowhere",
                "--admin 127.0.0.1",
                "--check a --config b",
                "--check a --print-defaults",
                "--unknown",
                "FILE",
                "--config"
            })
    void wrongUsageIsOneLine(String arguments) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);

        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("escapement-gateway: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @DisplayName("--help names every option, signal and exit code; --version names the program")
    void helpAndVersion() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--config", "--listen", "--admin", "--check", "--print-defaults", "HUP", "USR1", "Exit codes:");
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("escapement-gateway ");
    }
}
