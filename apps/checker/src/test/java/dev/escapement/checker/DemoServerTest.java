package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The demo's server misbehaves as written, and is not pleased by anything but the script. */
class DemoServerTest {

    private DemoServer server;
    private List<Endpoint> list;

    @BeforeEach
    void start() throws Exception {
        server = DemoServer.start();
        list = new ArrayList<>();
        try (EndpointList read = EndpointList.read("demo", server.list())) {
            read.endpoints().forEachRemaining(list::add);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @DisplayName("V4 the list is alpha by GET and beta by POST")
    void offersItsList() {
        assertThat(list).extracting(Endpoint::id).containsExactly("alpha", "beta");
        assertThat(list)
                .extracting(endpoint -> endpoint.request().method().name())
                .containsExactly("GET", "POST");
    }

    @Test
    @DisplayName("V4 alpha is answered by 503, then by 200, and beta by 503: the script is met")
    void meetsTheScript() throws Exception {
        assertThat(server.scriptWasMet()).isFalse();
        assertThat(ask(0)).isEqualTo(503);
        assertThat(ask(1)).isEqualTo(503);
        assertThat(server.scriptWasMet()).isFalse();
        assertThat(ask(0)).isEqualTo(200);
        assertThat(server.scriptWasMet()).isTrue();
    }

    @Test
    @DisplayName("V4 a repeated POST is not in the script")
    void isSpoiltByARepeatedPost() throws Exception {
        ask(0);
        ask(0);
        ask(1);
        ask(1);

        assertThat(server.scriptWasMet()).isFalse();
    }

    @Test
    @DisplayName("V4 neither is a third GET, nor anything else")
    void isSpoiltByAnythingElse() throws Exception {
        ask(0);
        ask(0);
        ask(1);
        assertThat(ask("GET", list.get(1).request().uri())).isEqualTo(404);
        assertThat(server.scriptWasMet()).isFalse();
    }

    private int ask(int index) throws Exception {
        return ask(
                list.get(index).request().method().name(),
                list.get(index).request().uri());
    }

    private static int ask(String method, URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
