package dev.escapement.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import dev.escapement.transport.JdkHttpTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** V2: the engine on real threads and real sockets, over a transport that is not ours, and what the server saw of it. */
class RealSocketsTest {

    private static final long BOUND_SECONDS = 30;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final WheelScheduler wheel = new WheelScheduler(executor);
    private final ScriptedServer server = ScriptedServer.start();
    private final Client client = Client.builder(new JdkHttpTransport(), Schedulers.of(wheel))
            .policy(Policy.builder(Duration.ofSeconds(BOUND_SECONDS))
                    .jitter(Jitter.NONE)
                    .initialBackoff(Duration.ofMillis(1))
                    .build())
            .concurrency(4)
            .build();

    @AfterEach
    void nothingIsLeft() throws Exception {
        client.close(Duration.ZERO).get(BOUND_SECONDS, TimeUnit.SECONDS);
        wheel.close();
        executor.shutdown();
        server.close();
        ClientFigures figures = client.figures();
        assertThat(figures.permitsHeld() + figures.waiting() + figures.asleep()).isZero();
        assertThat(figures.failedCallOuts() + figures.failedCallbacks()).isZero();
    }

    private Request request(Method method) {
        return Request.of(method, server.uri("/orders"), Headers.empty(), Body.empty());
    }

    private Report reportOf(CompletableFuture<Report> call) throws Exception {
        return call.get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("R1 R2 a GET is asked again after 503, a POST is not")
    void retriesByMethod() throws Exception {
        server.otherwise()
                .serve(received -> ScriptedServer.response(
                        received.method().equals("GET") && server.requests().size() > 1 ? 200 : 503, "body"));

        Report get = reportOf(client.call(request(Method.GET)));
        Report post = reportOf(client.call(request(Method.POST)));

        assertThat(get.attempts()).isEqualTo(2);
        assertThat(((Outcome.Response) get.outcome()).response().status()).isEqualTo(200);
        assertThat(post.attempts()).isOne();
        assertThat(post.suppressed()).contains(Suppressed.METHOD_NOT_RETRYABLE);
        assertThat(server.requests()).extracting(received -> received.method()).containsExactly("GET", "GET", "POST");
    }

    @Test
    @DisplayName("E4 E7 a cancelled call ends here at once; the server has the request and sees its connection go")
    void serverHasWhatTheCallerCancelled() throws Exception {
        Gate never = new Gate();
        server.on(1).readRequest().readToEnd().await(never);

        CompletableFuture<Report> call = client.call(request(Method.POST));
        server.request(1);
        call.cancel(false);
        Report report = reportOf(call);

        assertThat(report.outcome().kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(report.ambiguous()).isTrue();
        assertThat(server.connection(1).awaitPeerEnd()).isNotNull();
        assertThat(server.requests()).hasSize(1);
        never.open();
    }
}
