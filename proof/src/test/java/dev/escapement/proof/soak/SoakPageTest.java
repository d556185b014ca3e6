package dev.escapement.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The commands on the page start programs that exist. */
class SoakPageTest {

    @Test
    @DisplayName("V1 each program that the page starts has a main method, and takes the options it is given there")
    void commandsExist() throws Exception {
        List<MatchResult> commands = Pattern.compile("jar (dev\\.escapement\\.\\S+) (--\\w+)")
                .matcher(page())
                .results()
                .toList();

        assertThat(commands).hasSize(2);
        for (MatchResult command : commands) {
            Class<?> program = Class.forName(command.group(1));
            assertThat(program.getMethod("main", String[].class)).isNotNull();
            String source = Files.readString(
                    Path.of("src", "main", "java").resolve(command.group(1).replace('.', '/') + ".java"));
            assertThat(source).contains("\"" + command.group(2) + "\"").contains(command.group() + " ");
        }
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("SOAK.md"));
    }
}
