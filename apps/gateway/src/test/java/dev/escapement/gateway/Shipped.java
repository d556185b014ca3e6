package dev.escapement.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jar as it is shipped, in a process of its own, and other programs beside it. */
final class Shipped implements AutoCloseable {

    private static final Pattern ADDRESSES =
            Pattern.compile("listening at ([0-9.]+):([0-9]+), for operators at ([0-9.]+):([0-9]+)");

    private final Process process;
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Matcher> listening = new CompletableFuture<>();

    private Shipped(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of the gateway");
        reader.setDaemon(true);
        reader.start();
    }

    /** By that configuration, on ports that the kernel chooses. */
    static Shipped start(Path config) throws IOException {
        return start("--config", config.toString(), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0");
    }

    /** With those options. */
    static Shipped start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-jar",
                System.getProperty("gateway.jar")));
        command.addAll(List.of(options));
        return new Shipped(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.add(line);
                Matcher addresses = ADDRESSES.matcher(line);
                if (addresses.find()) {
                    listening.complete(addresses);
                }
            }
            listening.completeExceptionally(new IOException("the gateway has ended: " + told));
        } catch (IOException e) {
            listening.completeExceptionally(e);
        }
    }

    private Matcher addresses() {
        return listening.orTimeout(30, TimeUnit.SECONDS).join();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(
                addresses().group(1), Integer.parseInt(addresses().group(2)));
    }

    String uri(String path) {
        return "http://" + addresses().group(1) + ":" + addresses().group(2) + path;
    }

    String admin(String path) {
        return "http://" + addresses().group(3) + ":" + addresses().group(4) + path;
    }

    /** What it has said so far. */
    List<String> told() {
        return List.copyOf(told);
    }

    /** Sends it a signal, by its name without SIG. */
    void signal(String name) throws IOException {
        run("kill", "-" + name, Long.toString(process.pid()));
    }

    /** Its exit code, once it has ended. */
    int ended() {
        return process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Whether that program is installed here. */
    static boolean has(String program) {
        return List.of("/usr/bin/", "/usr/sbin/", "/bin/").stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory + program)));
    }

    /** Runs a program to its end, and returns all that it says. */
    static String run(String... command) throws IOException {
        Process running = new ProcessBuilder(command).redirectErrorStream(true).start();
        running.getOutputStream().close();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        running.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        return said;
    }

    /** nginx by that configuration, in one process, until it is closed. */
    static AutoCloseable nginx(Path directory, String http) {
        try {
            Path config = Files.writeString(directory.resolve("nginx.conf"), """
                    daemon off;
                    master_process off;
                    pid nginx.pid;
                    error_log error.log;
                    events { worker_connections 1024; }
                    http {
                      access_log off;
                      client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
                      %s
                    }
                    """.formatted(http));
            Process nginx = new ProcessBuilder("/usr/sbin/nginx", "-p", directory + "/", "-c", config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return () -> {
                nginx.destroy();
                nginx.onExit().orTimeout(20, TimeUnit.SECONDS).join();
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
