package dev.escapement.gateway.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.gateway.record.ParsedJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real browser without a window, driven by its DevTools protocol over a WebSocket: one page, one command at a time.
 *
 * <p>It is looked for in the environment variable {@code CHROMIUM}, then under its usual names on the path.
 */
final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final long PATIENCE_SECONDS = 20;

    private final Process process;
    private final WebSocket socket;
    private final Replies replies = new Replies();
    private final AtomicInteger ids = new AtomicInteger();
    private String session = "";

    private Chromium(Process process, URI devTools) throws Exception {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(devTools, replies)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Where one is installed. */
    static Optional<Path> installed() {
        String named = System.getenv("CHROMIUM");
        if (named != null) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        List<String> folders = Arrays.asList(
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"));
        return Stream.concat(folders.stream(), Stream.of("/usr/bin", "/snap/bin"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it with an empty page of that size; what it keeps goes into the folder. */
    static Chromium start(Path program, Path folder, int width, int height) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--headless", "--no-sandbox"));
        command.addAll(List.of("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"));
        command.addAll(List.of("--disable-component-update", "--disable-sync", "--hide-scrollbars"));
        command.addAll(List.of("--remote-debugging-port=0", "--remote-allow-origins=*", "--user-data-dir=" + folder));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Chromium browser = new Chromium(process, devTools(process));
        String target = browser.send("Target.createTarget", Map.of("url", "about:blank"))
                .get("targetId")
                .toString();
        browser.session = browser.send("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .toString();
        browser.send("Page.enable", Map.of());
        browser.size(width, height);
        return browser;
    }

    /** It says where it listens; the rest of what it says is read away, so that it never waits for a reader. */
    private static URI devTools(Process process) throws IOException {
        BufferedReader said = process.inputReader();
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line).append('\n');
            Matcher matcher = LISTENING.matcher(line);
            if (matcher.find()) {
                Thread rest = new Thread(() -> said.lines().forEach(more -> {}), "chromium-output");
                rest.setDaemon(true);
                rest.start();
                return URI.create(matcher.group(1));
            }
        }
        throw new IOException("the browser ended and said: " + all);
    }

    void size(int width, int height) throws Exception {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Light or dark. */
    void colours(String scheme) throws Exception {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(URI page) throws Exception {
        send("Page.navigate", Map.of("url", page.toString()));
    }

    /** Lets so much of the page's time pass as fast as its requests are answered. */
    void pass(long millis) throws Exception {
        CompletableFuture<Map<String, Object>> over = replies.event("Emulation.virtualTimeBudgetExpired");
        send("Emulation.setVirtualTimePolicy", Map.of("policy", "pauseIfNetworkFetchesPending", "budget", millis));
        over.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The value of an expression in the page. */
    Object value(String expression) throws Exception {
        Map<String, Object> done = send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        Map<?, ?> result = (Map<?, ?>) done.get("result");
        if (done.containsKey("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result);
        }
        return result.get("value");
    }

    /** The whole page as PNG. */
    byte[] screenshot() throws Exception {
        Object data = send("Page.captureScreenshot", Map.of("captureBeyondViewport", true))
                .get("data");
        return Base64.getDecoder().decode(data.toString());
    }

    private Map<String, Object> send(String method, Map<String, Object> parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> reply = replies.reply(id);
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("id", id);
            json.writeStringField("method", method);
            if (!session.isEmpty()) {
                json.writeStringField("sessionId", session);
            }
            json.writeFieldName("params");
            write(json, parameters);
            json.writeEndObject();
        }
        socket.sendText(text.toString(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return reply.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void write(JsonGenerator json, Object value) {
        try {
            if (value instanceof Map<?, ?> members) {
                json.writeStartObject();
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    json.writeFieldName(member.getKey().toString());
                    write(json, member.getValue());
                }
                json.writeEndObject();
            } else if (value instanceof List<?> items) {
                json.writeStartArray();
                items.forEach(item -> write(json, item));
                json.writeEndArray();
            } else {
                json.writePOJO(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Completes what waits for a reply or an event, from the text that the browser sends. */
    private static final class Replies implements WebSocket.Listener {

        private final Map<Object, CompletableFuture<Map<String, Object>>> waiting = new ConcurrentHashMap<>();
        private final StringBuilder text = new StringBuilder();

        CompletableFuture<Map<String, Object>> reply(int id) {
            return waiting.computeIfAbsent((long) id, absent -> new CompletableFuture<>());
        }

        CompletableFuture<Map<String, Object>> event(String method) {
            return waiting.computeIfAbsent(method, absent -> new CompletableFuture<>());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                Map<String, Object> message = ParsedJson.object(text.toString());
                text.setLength(0);
                told(message);
            }
            socket.request(1);
            return null;
        }

        @SuppressWarnings("unchecked")
        private void told(Map<String, Object> message) {
            Object key = message.containsKey("id") ? message.get("id") : message.get("method");
            CompletableFuture<Map<String, Object>> future = waiting.remove(key);
            if (future == null) {
                return;
            }
            if (message.containsKey("error")) {
                future.completeExceptionally(
                        new AssertionError(message.get("error").toString()));
            } else {
                Object body = message.containsKey("id") ? message.get("result") : message.get("params");
                future.complete(body == null ? Map.of() : (Map<String, Object>) body);
            }
        }
    }
}
