package dev.escapement.proof.faults;

import dev.escapement.proof.SourcePatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the lists of planted faults, one for each room of what can go wrong.
 *
 * <p>A fault is a block of lines. Each is a word, a colon and what it stands for; indented lines go on with the word before them:
 *
 * <pre>
 * fault: what is wrong when it is there
 * rule: A2
 * file: call/CallMachine.java
 * find: a text that the file has once, blanks standing for any
 * put:
 *     what stands there instead
 * scene:
 *     the script of a scenario that shows it
 * </pre>
 *
 * <p>The scene is for those that a random scenario seldom shows. Lines that begin with {@code #} say what a list is about. Stateless.
 */
public final class FaultReader {

    /** The lists, in the order of their telling. */
    static final List<String> ROOMS =
            List.of("ties", "time", "retries", "backoff", "permits", "budget", "breaker", "ends", "streams");

    private static final String FIRST_WORD = "fault";

    private static final Set<String> WORDS = Set.of(FIRST_WORD, "rule", "file", "find", "put", "scene");

    private static final String PACKAGES = "dev/escapement/";

    private FaultReader() {}

    /** All planted faults, room by room. */
    public static List<Fault> readAll() {
        List<Fault> faults = new ArrayList<>();
        for (String room : ROOMS) {
            faults.addAll(read(room, text(room)));
        }
        return List.copyOf(faults);
    }

    private static String text(String room) {
        try (InputStream list = FaultReader.class.getResourceAsStream(room + ".txt")) {
            if (list == null) {
                throw new IllegalStateException("no list of faults about " + room);
            }
            return new String(list.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The faults of one list.
     *
     * @throws IllegalArgumentException if it is none, naming the line or the fault
     */
    static List<Fault> read(String room, String text) {
        List<Map<String, String>> blocks = new ArrayList<>();
        Map<String, String> block = new HashMap<>();
        String word = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("#")) {
                continue;
            }
            if (line.isBlank() || line.startsWith(" ")) {
                String before = block.getOrDefault(word, "");
                if (!line.isBlank()) {
                    block.put(word, before.isEmpty() ? line.strip() : before + "\n" + line.strip());
                }
                continue;
            }
            word = line.substring(0, Math.max(0, line.indexOf(':')));
            if (word.equals(FIRST_WORD)) {
                block = new HashMap<>();
                blocks.add(block);
            }
            if (!WORDS.contains(word) || blocks.isEmpty() || block.containsKey(word)) {
                throw new IllegalArgumentException("expected one of " + WORDS + ", once in each fault: " + line);
            }
            block.put(word, line.substring(word.length() + 1).strip());
        }
        return blocks.stream().map(said -> fault(room, said)).toList();
    }

    private static Fault fault(String room, Map<String, String> said) {
        return new Fault(
                room,
                required("fault", said),
                required("rule", said),
                new SourcePatch(PACKAGES + required("file", said), required("find", said), required("put", said)),
                Optional.ofNullable(said.get("scene")));
    }

    private static String required(String word, Map<String, String> said) {
        String text = said.get(word);
        if (text == null) {
            throw new IllegalArgumentException("a fault does not say \"" + word + "\": " + said);
        }
        return text;
    }
}
