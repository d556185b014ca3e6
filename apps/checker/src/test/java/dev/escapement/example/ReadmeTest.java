package dev.escapement.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.netty.NettyTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the README shows compiles, works, and is what is shown. */
class ReadmeTest {

    private static final Path CHECKER = Path.of(System.getProperty("basedir", "."));

    @Test
    void theEmbeddingInTheReadmeIsTheCompiledOne() throws IOException {
        assertThat(between(readme(), "## In a gateway\n\n```java\n", "```\n")).isEqualTo(example("Orders"));
        assertThat(between(readme(), "## Bodies in parts\n\n```java\n", "```\n"))
                .isEqualTo(example("Relay"));
    }

    private static String example(String name) throws IOException {
        String source = Files.readString(CHECKER.resolve("src/test/java/dev/escapement/example/" + name + ".java"));
        return between(source, "    // README begin\n", "    // README end\n").replaceAll("(?m)^ {4}", "");
    }

    @Test
    @DisplayName("V4 the output in the README is the demo's")
    void theDemoInTheReadmeIsTheContracts() throws IOException {
        assertThat(between(readme(), "```text\nalpha", "```\n")).isEqualTo("""
                 status=200 attempts=2 retry_delays_ms=[10]
                beta status=503 attempts=1 retry_delays_ms=[]
                all_joined=2 max_concurrency=2
                """);
    }

    @Test
    @DisplayName("A3 the tie rule stands where the README says, and so do the tests that pin it")
    void theTieRuleIsWhereTheReadmeSays() throws IOException {
        Path core = CHECKER.resolve("../../core/src");
        String machine = Files.readString(core.resolve("main/java/dev/escapement/call/CallMachine.java"));

        assertThat(readme()).contains("`judge` and `judgeLane`", "`CallMachine`", "`TieRuleTest`");
        assertThat(machine).contains("private void judge()", "private void judgeLane(");
        assertThat(core.resolve("test/java/dev/escapement/call/TieRuleTest.java"))
                .exists();
    }

    @Test
    void theMapNamesEveryRoom() throws IOException {
        Set<String> mapped = Pattern.compile("^\\| `core` · `(\\w+)`", Pattern.MULTILINE)
                .matcher(readme())
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        try (Stream<Path> rooms = Files.list(CHECKER.resolve("../../core/src/main/java/dev/escapement"))) {
            assertThat(mapped)
                    .containsExactlyInAnyOrderElementsOf(
                            rooms.map(room -> room.getFileName().toString()).toList());
        }
    }

    @Test
    @DisplayName("I5 the embedding forwards an answer, and repeats a keyed POST under its key")
    void theEmbeddingWorks() throws Exception {
        try (ScriptedServer upstream = ScriptedServer.start();
                NettyTransport transport = NettyTransport.ofDefaults()) {
            upstream.otherwise().readRequest().respond(503, "").readRequest().respond(201, "");

            int status = new Orders(transport, Duration.ofMinutes(1))
                    .forward(
                            Request.of(Method.POST, upstream.uri("/orders"), Headers.empty(), Body.of("one")),
                            "order-17")
                    .join();

            assertThat(status).isEqualTo(201);
            assertThat(upstream.requests())
                    .hasSize(2)
                    .allSatisfy(request ->
                            assertThat(request.header("Idempotency-Key")).contains("\"order-17\""));
        }
    }

    private static String readme() throws IOException {
        return Files.readString(CHECKER.resolve("../../README.md"));
    }

    private static String between(String text, String begin, String end) {
        Matcher matcher = Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL)
                .matcher(text);
        assertThat(matcher.find()).as("%s…%s", begin, end).isTrue();
        return matcher.group(1);
    }
}
