package dev.escapement.proof.lincheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.proof.PatchedClasses;
import dev.escapement.proof.SourceTree;
import dev.escapement.proof.stress.Weakening;
import dev.escapement.proof.stress.Weakenings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each Lincheck test of the library sees what it is there to see: with an access of its structure weakened, it fails. Several run
 * in one process, each with one weakness of its own: what one of them checks uses no class that was weakened for another.
 */
class LinchecksTest {

    private static final long PATIENCE_MINUTES = 5;

    /** A test of {@code core}, and the weakening, by what it is, that it must not pass. */
    private record Check(String test, String weakening) {}

    /** None of them is built on another. */
    private static final List<Check> APART = List.of(
            new Check("dev.escapement.call.SignalsLincheckTest#noSignalIsLost", "a bit is set by a read and a write"),
            new Check(
                    "dev.escapement.guard.CircuitBreakerLincheckTest#trialsAreDecidedAtOneInstant",
                    "a phase is replaced by a read and a write"),
            new Check(
                    "dev.escapement.guard.ResultWindowLincheckTest#timeWindow",
                    "the marks of a time window move on by a read and a write"));

    /** Checkers that spend longer on being wrong; each also has a weak copy of its own beside it in {@code core}. */
    private static final List<Check> LONG = List.of(
            new Check(
                    "dev.escapement.permit.PermitPoolLincheckTest#everyOperationIsOneInstant",
                    "a free permit is taken by a read and a write"),
            new Check(
                    "dev.escapement.guard.RetryBudgetLincheckTest#everyOperationIsOneInstant",
                    "a tally is replaced by a read and a write"),
            new Check(
                    "dev.escapement.time.StripesLincheckTest#armDisarmAndPollAreEachOneStep",
                    "disarming believes its glance without the lock"));

    /** Built on some of the others, or built upon. */
    private static final List<Check> BENEATH = List.of(
            new Check(
                    "dev.escapement.call.LaneLincheckTest#firstByteAgainstAbandonment",
                    "the first byte passes the gate by a read and a write"),
            new Check(
                    "dev.escapement.guard.ResultWindowLincheckTest#countWindow",
                    "the sums of a count window are corrected by a read and a write"),
            new Check(
                    "dev.escapement.guard.ResultWindowLincheckTest#bucketOfTime",
                    "failures in a time window are counted by a read and a write"));

    @Test
    void whatStandsApartIsCaught(@TempDir Path patched) throws Exception {
        assertThat(run(APART, patched)).isEqualTo(allCaught(APART));
    }

    @Test
    void whatLiesBeneathIsCaught(@TempDir Path patched) throws Exception {
        assertThat(run(BENEATH, patched)).isEqualTo(allCaught(BENEATH));
    }

    @Test
    @EnabledIfSystemProperty(named = "proof.long", matches = "true")
    void whatTakesLongerIsCaught(@TempDir Path patched) throws Exception {
        assertThat(run(LONG, patched)).isEqualTo(allCaught(LONG));
    }

    private static List<String> allCaught(List<Check> checks) {
        return checks.stream().map(check -> LincheckRuns.CAUGHT + check.test()).toList();
    }

    /** The lines that {@link LincheckRuns} prints, of tests that run against the weakened classes. */
    private static List<String> run(List<Check> checks, Path patched) throws IOException, InterruptedException {
        for (Check check : checks) {
            weakened(check.weakening()).writeTo(patched);
        }
        Path out = patched.resolve("out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-classpath",
                String.join(
                        File.pathSeparator,
                        patched.toString(),
                        SourceTree.repository()
                                .resolve("core/target/test-classes")
                                .toString(),
                        System.getProperty("java.class.path")),
                LincheckRuns.class.getName()));
        checks.forEach(check -> command.add(check.test()));
        Path err = patched.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as("ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readAllLines(out).stream()
                .filter(line -> line.startsWith(LincheckRuns.CAUGHT) || line.startsWith(LincheckRuns.PASSED))
                .toList();
    }

    private static PatchedClasses weakened(String what) {
        return Weakenings.all().stream()
                .filter(weakening -> weakening.what().equals(what))
                .map(Weakening::patch)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such weakening: " + what))
                .compile();
    }
}
