package dev.escapement.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line with engines that are well, ill, or not the same twice. */
class ExplorerCommandTest {

    private static Finding well(Scenario scenario) {
        return new Finding(List.of("calls " + scenario.calls().size()), Optional.empty());
    }

    /** It cannot bear a third call. */
    private static Finding ill(Scenario scenario) {
        int calls = scenario.calls().size();
        return new Finding(
                List.of(),
                calls < 3 ? Optional.empty() : Optional.of("L3 permits held after call " + calls + ": 1, expected 0"));
    }

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(Function<Scenario, Finding> play, String... args) {
        out.reset();
        err.reset();
        return Main.commandLine(new ExplorerCommand(play, stream(out), stream(err)))
                .execute(args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("V1 every scenario is played twice, each seed once, on as many threads as asked for")
    void playsAll() {
        AtomicInteger plays = new AtomicInteger();

        int exit = run(
                scenario -> {
                    plays.incrementAndGet();
                    return well(scenario);
                },
                "--scenarios=1000",
                "--seed=-500",
                "--threads=3");

        assertThat(out()).isEqualTo("scenarios=1000 differences=0\n");
        assertThat(exit).isZero();
        assertThat(plays).hasValue(2_000);
    }

    @Test
    @DisplayName("A difference is told by its seed, with the smallest scenario that shows it, as a ready test")
    void tellsDifferences() {
        int exit = run(ExplorerCommandTest::ill, "--scenarios=1000", "--seed=4711", "--threads=1");

        assertThat(exit).isEqualTo(1);
        assertThat(out())
                .matches("(?s)seed 47\\d\\d: L3 permits held after call \\d+: 1, expected 0\n\n    @Test\n.*")
                .contains(String.join(
                        "\n                ",
                        "\"\"\"",
                        "policy overall-timeout=0s",
                        "call 1 at 0s GET",
                        "call 2 at 0s GET",
                        "call 3 at 0s GET",
                        "\"\"\"));"))
                .matches("(?s).*\nscenarios=\\d+ differences=3\n");
        assertThat(out().lines().filter(line -> line.startsWith("seed "))).hasSize(3);
    }

    @Test
    @DisplayName("V1 two traces of one scenario are a difference")
    void tellsWhatIsNotTheSameTwice() {
        AtomicInteger plays = new AtomicInteger();

        int exit = run(
                scenario -> new Finding(List.of("same", "play " + plays.incrementAndGet() % 2), Optional.empty()),
                "--scenarios=1");

        assertThat(exit).isEqualTo(1);
        assertThat(out())
                .startsWith("seed 1: V1 played twice, two traces: line 2 was\nplay 1\nand then\nplay 0\n\n")
                .endsWith("scenarios=1 differences=1\n");
    }

    @Test
    void whatIsThrownIsADifferenceAndTheRunGoesOn() {
        int exit = run(
                scenario -> {
                    if (scenario.equals(Scenario.random(2))) {
                        throw new StackOverflowError("planted");
                    }
                    return well(scenario);
                },
                "--scenarios=5");

        assertThat(exit).isEqualTo(1);
        assertThat(out())
                .startsWith("seed 2: the explorer threw java.lang.StackOverflowError: planted at ")
                .endsWith("scenarios=5 differences=1\n");
    }

    @Test
    void aSeedIsReplayedWithItsScriptAndAllThatIsSeen() {
        int exit = run(ExplorerCommandTest::well, "--replay=42");

        assertThat(exit).isZero();
        assertThat(out())
                .isEqualTo(Scenario.random(42) + "\ncalls "
                        + Scenario.random(42).calls().size() + "\n\nscenarios=1 differences=0\n");
    }

    @Test
    void aScriptIsPlayedAsASeedIs() throws Exception {
        Path file = directory.resolve("script.txt");
        Files.writeString(file, Scenario.random(42).toString());

        assertThat(run(ExplorerCommandTest::well, "--script=" + file)).isZero();

        assertThat(out()).startsWith(Scenario.random(42).toString()).endsWith("scenarios=1 differences=0\n");
        Files.writeString(file, "policy overall-timeout=1s\ncall 1 at 0s GET\ncall 2 at 0s GET\ncall 3 at 0s GET");
        assertThat(run(ExplorerCommandTest::ill, "--script=" + file)).isEqualTo(1);
        assertThat(out()).endsWith("\nL3 permits held after call 3: 1, expected 0\n\nscenarios=1 differences=1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                                | expected one of --scenarios, --replay and --script",
                "--scenarios=1 --replay=2        | expected one of --scenarios, --replay and --script",
                "--scenarios=0                   | --scenarios = 0: expected 1 or more",
                "--scenarios=many                | Invalid value for option '--scenarios': 'many' is not a long",
                "--scenarios=1 --threads=0       | --threads = 0: expected 1 to 1024",
                "--scenarios=2 --seed=9223372036854775807 | --seed = 9223372036854775807: expected room for 2 seeds above it",
                "--scenarios=1 --bogus           | Unknown option: '--bogus'",
                "--script=nowhere                | nowhere: cannot be read: java.nio.file.NoSuchFileException: nowhere",
            })
    void wrongUsageIsOneLineThatNamesIt(String args, String complaint) {
        int exit = run(ExplorerCommandTest::well, args == null ? new String[0] : args.split(" "));

        assertThat(err()).isEqualTo("escapement-explorer: " + complaint + "\n");
        assertThat(out()).isEmpty();
        assertThat(exit).isEqualTo(2);
    }

    @Test
    void aWrongScriptIsWrongUsage() throws Exception {
        Path file = directory.resolve("script.txt");
        Files.writeString(file, "policy overall-timeout=1s\ndance");

        assertThat(run(ExplorerCommandTest::well, "--script=" + file)).isEqualTo(2);

        assertThat(err()).startsWith("escapement-explorer: " + file + ": line 2: \"dance\": expected stage,");
    }

    @Test
    void helpTellsTheOptions() {
        assertThat(run(ExplorerCommandTest::well, "--help")).isZero();
    }
}
