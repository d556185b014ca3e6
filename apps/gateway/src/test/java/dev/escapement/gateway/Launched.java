package dev.escapement.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shipped jar as a process of its own, and what it says on standard error. Confined to its test's thread. */
final class Launched implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile(
            "escapement-gateway: listening at 127\\.0\\.0\\.1:([0-9]+), for operators at 127\\.0\\.0\\.1:([0-9]+)");

    /** Whoever still runs then is ended, so that whoever reads on hears the end of it. */
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader err;
    private final List<String> said = new ArrayList<>();

    private Launched(Process process) {
        this.process = process;
        this.err = process.errorReader();
    }

    static Launched jar(Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-jar",
                System.getProperty("gateway.jar")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .start();
        CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        return new Launched(process);
    }

    /** Reads on to a line that matches, which must come. */
    Matcher hears(Pattern pattern) throws IOException {
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            said.add(line);
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new AssertionError("no line like " + pattern + " in " + said);
    }

    void hears(String text) throws IOException {
        hears(Pattern.compile(".*" + Pattern.quote(text) + ".*"));
    }

    /** The ports of clients and of operators, once it listens. */
    int[] ports() throws IOException {
        Matcher listening = hears(LISTENING);
        return new int[] {Integer.parseInt(listening.group(1)), Integer.parseInt(listening.group(2))};
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Its exit code; everything that it said until then has been read. */
    int ends() throws IOException, InterruptedException {
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            said.add(line);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("ended, having said %s", said)
                .isTrue();
        return process.exitValue();
    }

    List<String> said() {
        return List.copyOf(said);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
