package dev.escapement.checker;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/** Reads the file of {@code --policy}: properties as {@link Properties#load(java.io.Reader)} reads them, in UTF-8. */
final class PolicyFile {

    private static final String OPTION = "--policy";

    /** G5: many times what all settings together take. */
    private static final int MOST_BYTES = 64 * 1024;

    private PolicyFile() {}

    /** What stands in the file by its keys; empty if it cannot be read, which the complaints are told. */
    static Optional<Map<String, String>> read(Path file, Complaints complaints) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length <= MOST_BYTES) {
                return Optional.of(parse(new String(bytes, StandardCharsets.UTF_8)));
            }
            complain(file, "more than " + MOST_BYTES + " bytes", complaints);
        } catch (NoSuchFileException e) {
            complain(file, "no such file", complaints);
        } catch (AccessDeniedException e) {
            complain(file, "access denied", complaints);
        } catch (IOException | IllegalArgumentException e) {
            complain(file, String.valueOf(e.getMessage()), complaints);
        }
        return Optional.empty();
    }

    private static Map<String, String> parse(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
        return settings;
    }

    private static void complain(Path file, String why, Complaints complaints) {
        complaints.add(OPTION, file.toString(), "a readable properties file (" + why + ")");
    }
}
