package dev.escapement.netty.scenes;

import dev.escapement.call.Call;
import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.ClientFigures;
import dev.escapement.call.Streaming;
import dev.escapement.fixtures.ScriptedConnection;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.netty.IoKind;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.NettyTransportBuilder;
import dev.escapement.netty.PoolStats;
import dev.escapement.netty.SceneDoor;
import dev.escapement.netty.TlsProvider;
import dev.escapement.netty.TlsSettings;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Where one scene is played once: a server that follows it, a client over a transport of its own, and a clock that stands still unless
 * the scene moves it, so that no slowness of a machine ever decides an outcome.
 *
 * <p>Played in three parts: the call, the canary (one more call, well served, that must read its own answer), and the clearing away, after
 * which nothing may be left. The server's threads take the steps; the test's thread does everything else.
 */
final class Stage implements AutoCloseable {

    /** Generous, and no result depends on it: it ends a scene that would hang. */
    private static final long PATIENCE_SECONDS = 20;

    /** By the clock that stands still, so it says only how soon a timer is looked at after a scene has moved the clock. */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(20);

    private final Scene scene;
    private final Mode mode;
    private final AtomicLong nowNanos = new AtomicLong(1_000_000_000);
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final ScriptedServer server;

    /** In the clear and well served, for the canary of a scene whose own server cannot serve it. */
    private final ScriptedServer elsewhere;

    private final NettyTransport transport;
    private final Client client;
    private final List<CountDownLatch> played;
    private final CompletableFuture<Call> call = new CompletableFuture<>();
    private final CompletableFuture<Report> ended = new CompletableFuture<>();
    private final CompletableFuture<PartsReader> body = new CompletableFuture<>();

    /** What a streamed call was told of; added to by the loop, read when the call has ended. */
    private final Queue<Integer> interim = new ConcurrentLinkedQueue<>();

    Stage(Scene scene, Mode mode, SSLContext identity, Path trusted) {
        this.scene = scene;
        this.mode = mode;
        boolean raw = scene.ask().whom() == Ask.Whom.RAW_SERVER;
        server = mode.isSecure() && !raw ? ScriptedServer.start(identity) : ScriptedServer.start();
        elsewhere = ScriptedServer.start();
        NettyTransportBuilder builder = NettyTransport.builder()
                .eventLoopThreads(1)
                .allocator(buffers)
                .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
                .tlsHandshakeTimeout(scene.ask().handshakeLimit())
                .earlyAnswerWait(Duration.ofSeconds(10))
                .continueWait(scene.ask().continueWait())
                .maxHeadBytes(1024)
                .maxBodyBytes(2048)
                .maxInterimAnswers(3);
        if (mode.isPureJava()) {
            builder.ioKind(IoKind.NIO);
        }
        if (mode.isSecure()) {
            TlsSettings tls = TlsSettings.ofDefaults().withTrustCertificates(trusted);
            builder.tls(mode.isPureJava() ? tls.withProvider(TlsProvider.JDK) : tls);
        }
        if (mode.isSplit()) {
            builder.channels(() -> {
                NioSocketChannel channel = new NioSocketChannel();
                channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(1).maxMessagesPerRead(1));
                return channel;
            });
        }
        transport = SceneDoor.onClock(builder, nowNanos::get).build();
        // Guards would spare the server what it is there for.
        client = Client.builder(transport, transport.schedulers())
                .breaker(BreakerSettings.none())
                .policy(Policy.builder(Duration.ofSeconds(1))
                        .attemptTimeout(ATTEMPT_TIMEOUT)
                        .maxRetries(scene.ask().retries())
                        .initialBackoff(Duration.ZERO)
                        .budget(BudgetSettings.none())
                        .build())
                .build();
        played =
                scene.connections().stream().map(steps -> new CountDownLatch(1)).toList();
        for (int i = 0; i < played.size(); i++) {
            int index = i;
            server.on(i + 1).step(connection -> follow(index, connection));
        }
        if (raw) {
            server.otherwise().close();
        } else {
            server.otherwise().step(Stage::serve);
        }
        elsewhere.otherwise().step(Stage::serve);
    }

    // The server.

    private void follow(int index, ScriptedConnection connection) throws IOException, InterruptedException {
        boolean serves = true;
        try {
            if (index == 0 && scene.ask().reused()) {
                serveOnce(connection);
            }
            for (Step step : scene.connections().get(index)) {
                take(step, connection);
                serves &= step.verb() != Step.Verb.SILENT;
            }
        } finally {
            played.get(index).countDown();
        }
        if (serves) {
            serve(connection);
        } else {
            connection.readToEnd();
        }
    }

    private void take(Step step, ScriptedConnection connection) throws IOException, InterruptedException {
        switch (step.verb()) {
            case TAKE -> connection.readRequest();
            case TAKE_HEAD -> connection.readHead();
            case TAKE_BYTES -> connection.readBytes((int) step.amount());
            case SEND -> connection.send(step.sent());
            case HALF_CLOSE -> connection.endOutput();
            case CLOSE -> connection.close();
            case CUT -> connection.cut();
            case RESET -> connection.reset();
            case SILENT -> {}
            case WAIT_ENDED -> await(ended);
            case WAIT_IDLE ->
                await("an idle connection", () -> transport.stats().idle() > 0);
            case CANCEL -> await(call).cancel();
            case DROP -> await(body).drop();
            case WAIT_READ -> {
                PartsReader reader = await(body);
                await("so much of the body", () -> reader.bytesRead() >= step.amount());
            }
            case WAIT_BODY -> await(await(body).read());
            case PASS -> nowNanos.addAndGet(step.amount());
        }
    }

    /** Answers each request so that the answer can belong to no other, until the client ends the connection. */
    private static void serve(ScriptedConnection connection) throws IOException {
        try {
            while (true) {
                serveOnce(connection);
            }
        } catch (EOFException clientIsDone) {
            // The one good end of serving.
        }
    }

    private static void serveOnce(ScriptedConnection connection) throws IOException {
        String target = connection.readRequest().target();
        connection.send(ScriptedServer.response(200, target + " on " + connection.ordinal()));
    }

    // The client.

    /** Plays it to the end, and says what came of the call, its connections and the canary. */
    String play(String expected) throws InterruptedException {
        Report report = call();
        String read = read(report);
        String result =
                interim.stream().map(status -> status + ", ").collect(Collectors.joining()) + Result.of(report, read);
        for (int i = 0; i < Math.min(played.size(), server.connectionCount()); i++) {
            if (!played.get(i).await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the server stands still: " + server.connection(i + 1));
            }
        }
        // What the server did last may still be on its way: what was expected is waited for, anything else is told.
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        String connections = Result.of(atRest());
        while (!expected.startsWith(result + " | " + connections + " |") && System.nanoTime() < endNanos) {
            Thread.onSpinWait();
            connections = Result.of(atRest());
        }
        await(ended).release();
        int before = server.connectionCount();
        ScriptedServer asked = scene.ask().whom() == Ask.Whom.SERVER ? server : elsewhere;
        boolean same = canary("/after", asked) <= before && asked == server;
        return result + " | " + connections + " | " + (same ? "same" : "new");
    }

    /** The call alone. Its report's bodies are released with {@link #play}, or by the caller. */
    Report call() throws InterruptedException {
        if (scene.ask().reused()) {
            canary("/before", server);
        }
        URI uri = scene.ask().whom() == Ask.Whom.NOBODY
                ? URI.create("http://127.0.0.1:" + ScriptedServer.refusingPort() + "/scene")
                : uri(server, "/scene");
        CallOptions options = mode.isStreamed()
                ? CallOptions.none()
                        .withStreaming(Streaming.toEnd().withInterim((status, headers) -> interim.add(status)))
                : CallOptions.none();
        call.complete(client.call(scene.ask().request(uri), options, ended::complete));
        return await(ended);
    }

    private String read(Report report) throws InterruptedException {
        if (!(report.outcome() instanceof Outcome.Response answered)) {
            return "";
        }
        PartsReader reader = PartsReader.of(answered.response().body());
        body.complete(reader);
        return await(reader.read());
    }

    private URI uri(ScriptedServer to, String path) {
        return to == server && scene.ask().whom() == Ask.Whom.RAW_SERVER
                ? URI.create("https://127.0.0.1:" + to.port() + path)
                : to.uri(path);
    }

    private PoolStats atRest() throws InterruptedException {
        await("rest", () -> {
            PoolStats now = transport.stats();
            return client.figures().permitsHeld() + now.active() + now.connecting() + now.waiting() == 0;
        });
        return transport.stats();
    }

    /** One more call, which must read its own answer; says on which connection it did. */
    private int canary(String path, ScriptedServer asked) throws InterruptedException {
        CompletableFuture<Report> answered = new CompletableFuture<>();
        client.call(Request.get(uri(asked, path).toString()), CallOptions.none(), answered::complete);
        Report report = await(answered);
        String body = report.outcome() instanceof Outcome.Response whole
                        && whole.response().status() == 200
                ? Result.text(whole.response().body())
                : report.outcome().toString();
        report.release();
        if (!body.startsWith(path + " on ")) {
            throw new AssertionError("the canary read " + body);
        }
        atRest();
        return Integer.parseInt(body.substring((path + " on ").length()));
    }

    // The end.

    /** Clears away, and fails if anything is left. */
    @Override
    public void close() {
        try {
            clearAway();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void clearAway() throws InterruptedException {
        await(client.close(Duration.ZERO));
        ClientFigures figures = client.figures();
        if (figures.permitsHeld() + figures.waiting() + figures.asleep() != 0
                || figures.failedCallbacks() + figures.failedCallOuts() + figures.forcedCleanups() != 0) {
            throw new AssertionError("left with the client: " + figures);
        }
        transport.close();
        PoolStats stats = transport.stats();
        if (stats.active() + stats.idle() + stats.connecting() + stats.waiting() != 0) {
            throw new AssertionError("left with the transport: " + stats);
        }
        for (ScriptedServer one : List.of(server, elsewhere)) {
            for (int i = 1; i <= one.connectionCount(); i++) {
                one.connection(i).awaitDone(); // It reads until the client's end of the connection is gone.
            }
            one.close();
        }
        await(
                "the last buffers to be given back",
                () -> buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory() == 0);
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > endNanos) {
                throw new AssertionError("waited in vain for " + what);
            }
            Thread.sleep(0, 100_000);
        }
    }

    private static <T> T await(CompletableFuture<T> fact) throws InterruptedException {
        try {
            return fact.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("waited in vain", e);
        }
    }
}
