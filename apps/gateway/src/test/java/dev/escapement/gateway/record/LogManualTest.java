package dev.escapement.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The manual page's account of the access log, against the program. */
class LogManualTest {

    @Test
    @DisplayName("Manual: every member of a line and every part of the time is there")
    void everyMemberIsThere() throws IOException {
        String manual = Files.readString(Path.of("README.md"));
        String section = manual.substring(manual.indexOf("\n### The access log\n"));

        for (LogField field : LogField.values()) {
            assertThat(section).contains("`" + field.key().getValue() + "`");
        }
        for (TimeParts.Part part : TimeParts.PARTS) {
            assertThat(section).contains("`" + part.word() + "`");
        }
    }
}
