package dev.escapement.netty.scenes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The nginx that the machine has, as an upstream in a directory of its own: plain and TLS, with connections that live for seven requests or a
 * second, a large file, a sink for uploads, and a log line for each request.
 */
final class Nginx implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 20;

    private final Path executable;
    private final Path directory;
    private final int plainPort = freePort();
    private final int tlsPort = freePort();
    private final Process process;

    private Nginx(Path executable, Path directory, Path certificate, Path key) throws IOException {
        this.executable = executable;
        this.directory = directory;
        Files.writeString(directory.resolve("nginx.conf"), configuration(certificate, key));
        process = command()
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.log").toFile())
                .start();
    }

    /** Where it is, if it is installed. */
    static Optional<Path> installed() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of), Stream.of(Path.of("/usr/sbin")))
                .map(folder -> folder.resolve("nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it, and returns once it accepts connections. */
    static Nginx start(Path executable, Path directory, Path certificate, Path key)
            throws IOException, InterruptedException {
        Nginx nginx = new Nginx(executable, directory, certificate, key);
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!nginx.accepts()) {
            if (!nginx.process.isAlive() || System.nanoTime() > endNanos) {
                String said = Files.readString(directory.resolve("out.log"));
                nginx.process.destroy();
                throw new AssertionError("nginx did not start: " + said);
            }
            TimeUnit.MILLISECONDS.sleep(1); // Another process: nobody tells when it is up.
        }
        return nginx;
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), tlsPort)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private ProcessBuilder command(String... more) {
        return new ProcessBuilder(Stream.concat(
                        Stream.of(executable.toString(), "-p", directory.toString(), "-c", "nginx.conf"),
                        Stream.of(more))
                .toList());
    }

    private String configuration(Path certificate, Path key) throws IOException {
        int sink = freePort();
        return """
                daemon off;
                user root;
                worker_processes 2;
                pid nginx.pid;
                error_log error.log notice;
                events { worker_connections 512; }
                http {
                    log_format line '$request_method $request_uri $status';
                    access_log access.log line;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    client_max_body_size 64m;
                    keepalive_requests 7;
                    keepalive_timeout 1s;
                    gzip_types *;
                    server {
                        listen 127.0.0.1:%d;
                        listen 127.0.0.1:%d ssl;
                        ssl_certificate %s;
                        ssl_certificate_key %s;
                        location = /small { return 200 small; }
                        location = /large { root files; }
                        location = /chunked { root files; gzip on; }
                        location = /upload { proxy_pass http://127.0.0.1:%d; }
                        location = /refuse { client_max_body_size 1k; proxy_pass http://127.0.0.1:%d; }
                    }
                    server {
                        listen 127.0.0.1:%d;
                        access_log off;
                        location / { return 200 $content_length; }
                    }
                }
                """.formatted(plainPort, tlsPort, certificate, key, sink, sink, sink);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String origin(boolean tls) {
        return tls ? "https://127.0.0.1:" + tlsPort : "http://127.0.0.1:" + plainPort;
    }

    /** New workers take over; the old ones close what lies idle and end what is under way. */
    void reload() throws IOException, InterruptedException {
        Process told = command("-s", "reload").redirectErrorStream(true).start();
        String said = new String(told.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!told.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || told.exitValue() != 0) {
            throw new AssertionError("nginx -s reload: " + said);
        }
    }

    /** Ends it in good order, and says what it logged: method, target and status of each request. */
    List<String> stop() throws IOException, InterruptedException {
        command("-s", "quit").redirectErrorStream(true).start().waitFor();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("nginx does not end");
        }
        return Files.readAllLines(directory.resolve("access.log"));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
