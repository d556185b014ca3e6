package dev.escapement.proof.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.proof.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of this module names every checker there is. */
class PageTest {

    private static String page() throws IOException {
        return Files.readString(SourceTree.repository().resolve("proof/README.md"));
    }

    @Test
    void everyRaceIsInTheTable() throws IOException {
        for (Race race : Race.all()) {
            List<String> names = List.of(race.name().split("\\."));
            String group = names.get(names.size() - 2);

            assertThat(page()).containsPattern("`" + group + "`: [^|]*`" + names.get(names.size() - 1) + "`");
        }
    }

    @Test
    void everyLincheckTestIsInTheTable() throws IOException {
        Path tests = SourceTree.repository().resolve("core/src/test/java");
        try (Stream<Path> files = Files.walk(tests)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("LincheckTest.java"))
                    .map(name -> "`" + name.replace(".java", "") + "`")
                    .toList();

            assertThat(names).isNotEmpty();
            assertThat(page()).contains(names);
        }
    }
}
