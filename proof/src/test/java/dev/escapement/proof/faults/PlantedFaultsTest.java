package dev.escapement.proof.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.call.Client;
import dev.escapement.proof.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every planted fault is still in its place and is seen, and the page about them says when. Where scenarios or faults have changed, the
 * figures do too: {@code -DargLine=-Descapement.faults=write} writes the page anew.
 */
@DisplayName("Planted faults")
class PlantedFaultsTest {

    /** Many more than any of them needs; paid for only where one is not seen. */
    private static final String MOST_SCENARIOS = System.getProperty("escapement.faults.most", "20000");

    /** Random policies are full of what is advised against. A field: a logger that nobody holds forgets its level. */
    private static final Logger SILENCED = Logger.getLogger(Client.class.getName());

    private static final List<Fault> FAULTS = FaultReader.readAll();

    @BeforeAll
    static void silence() {
        SILENCED.setLevel(Level.OFF);
    }

    @Test
    void everyTextIsThereOnce() {
        for (Fault fault : FAULTS) {
            assertThatCode(() -> fault.patch().patched()).as(fault.toString()).doesNotThrowAnyException();
        }
    }

    @Test
    void everyFaultHasANameOfItsOwnAndARule() {
        assertThat(FAULTS).hasSizeGreaterThan(45);
        assertThat(FAULTS).extracting(Fault::name).doesNotHaveDuplicates();
        assertThat(FAULTS).extracting(Fault::rule).allMatch(rule -> rule.matches("[A-Z]\\d+"));
    }

    @Test
    void theEngineAsItIsShowsNone() {
        Witness witness = new Witness();

        assertThat(LongStream.rangeClosed(1, 1_000).mapToObj(witness)).containsOnlyNulls();
        assertThat(FAULTS.stream().flatMap(fault -> fault.scene().stream()).map(witness))
                .containsOnlyNulls();
    }

    @Test
    void everyFaultIsSeenAndThePageSaysWhen(@TempDir Path directory) throws IOException, InterruptedException {
        Path fresh = directory.resolve("FAULTS.md");
        Path told = directory.resolve("told.txt");
        Process search = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        // Hundreds of patched classes are compiled; with one level there would be room for few.
                        "-XX:ReservedCodeCacheSize=240m",
                        // What the machine has to say is not for the page.
                        "-Xlog:disable",
                        "-Xlog:all=warning:stderr",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlantedFaults.class.getName(),
                        MOST_SCENARIOS)
                .redirectOutput(fresh.toFile())
                .redirectError(told.toFile())
                .start();

        int exit = search.waitFor();
        assertThat(Files.readAllLines(told)).noneMatch(line -> line.startsWith("not seen"));
        assertThat(exit).as(Files.readString(told)).isZero();
        Path page = SourceTree.repository().resolve("proof").resolve("FAULTS.md");
        if ("write".equals(System.getProperty("escapement.faults"))) {
            Files.copy(fresh, page, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(page)
                .as("the figures, written anew by the command on the page")
                .hasSameTextualContentAs(fresh);
    }

    @Test
    void aListReadsAsItIsWritten() {
        List<Fault> faults = FaultReader.read("room", """
                # What this is about.

                fault: one
                rule: A1
                file: call/Lane.java
                find: here
                put:

                fault: two
                rule: B2
                file: time/Timer.java
                find:
                    there
                    and on
                put: no: more
                """);

        assertThat(faults)
                .extracting(fault -> fault.name() + ", " + fault.rule() + ", " + fault.patch())
                .containsExactly(
                        "one, A1, SourcePatch[file=dev/escapement/call/Lane.java, find=here, put=]",
                        "two, B2, SourcePatch[file=dev/escapement/time/Timer.java, find=there\nand on, put=no: more]");
    }

    @Test
    void aListThatIsNoneIsRefused() {
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nrule: A1"))
                .hasMessageContaining("does not say");
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nfail: call/Lane.java"))
                .hasMessageContaining("fail: call/Lane.java");
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nrule: A1\nrule: A2"))
                .hasMessageContaining("rule: A2");
    }
}
