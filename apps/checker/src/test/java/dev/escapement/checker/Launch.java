package dev.escapement.checker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs the shaded jar as people do: as a process of its own, its streams read to their ends. */
final class Launch {

    /**
     * What a process left behind.
     *
     * @param exit 128 + n where signal n ended it
     */
    record Ended(int exit, String out, String err) {

        List<String> lines() {
            return out.lines().toList();
        }
    }

    private final Process process;
    private final CompletableFuture<String> err;

    private Launch(Process process) {
        this.process = process;
        this.err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
    }

    /** Starts the jar without input. */
    static Launch of(String... args) throws IOException {
        Launch launch = reading(List.of(), args);
        launch.process.getOutputStream().close();
        return launch;
    }

    /** Starts the jar, hands it that input, and waits for its end. */
    static Ended withInput(String input, String... args) throws Exception {
        Launch launch = reading(List.of(), args);
        try (OutputStream in = launch.process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        return launch.ended();
    }

    /** Runs the jar to its end, without input. */
    static Ended run(String... args) throws Exception {
        return of(args).ended();
    }

    /** Starts it in a JVM with these options. */
    static Launch reading(List<String> jvmOptions, String... args) throws IOException {
        List<String> command = new ArrayList<>(defaultSignals());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", System.getProperty("checker.jar")));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        // What a JVM picks up from there it tells of on standard error.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new Launch(builder.start());
    }

    /**
     * What makes a process hear SIGINT again where this one was started without, as shells do with what runs in the
     * background.
     */
    private static List<String> defaultSignals() throws IOException {
        List<String> env = List.of("env", "--default-signal=INT");
        Process probe = new ProcessBuilder(List.of("env", "--default-signal=INT", "true"))
                .redirectErrorStream(true)
                .start();
        return probe.onExit().join().exitValue() == 0 ? env : List.of();
    }

    /** Sends it a signal. */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    InputStream standardOutput() {
        return process.getInputStream();
    }

    /** Reads standard output to its end and waits for the process. */
    Ended ended() throws InterruptedException {
        String out = text(process.getInputStream());
        return new Ended(process.waitFor(), out, err.join());
    }

    /** Waits for the process after its standard output was read, or was let go. */
    Ended afterReading() throws InterruptedException {
        return new Ended(process.waitFor(), "", err.join());
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
