package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.http.Response;
import dev.escapement.policy.Policy;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Transport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list goes through the client in order, and neither a slow reader nor the end of patience costs a report. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CheckRunTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName("W2 reports come in input order, answered or not, and the last line counts them")
    void writesAReportForEveryEndpoint() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Transport transport = answering(() -> asked.incrementAndGet() % 3 == 0 ? 404 : 200);

        Checked checked = program(transport, out).run(list(5), 2, 2, 0);

        assertThat(lines())
                .containsExactly(
                        "e0 status=200 attempts=1 retry_delays_ms=[]",
                        "e1 status=200 attempts=1 retry_delays_ms=[]",
                        "e2 status=404 attempts=1 retry_delays_ms=[]",
                        "e3 status=200 attempts=1 retry_delays_ms=[]",
                        "e4 status=200 attempts=1 retry_delays_ms=[]",
                        "all_joined=5 max_concurrency=2");
        assertThat(checked).isEqualTo(new Checked(true, false));
        assertThat(err.size()).isZero();
    }

    @Test
    @DisplayName("P5 what a policy may not have meant is told once, before all else, and sent all the same")
    void advises() throws Exception {
        Policy hasty = Policy.builder(Duration.ofSeconds(1)).maxRetries(3).build();
        Client client = client(answering(() -> 200));
        Program program = new Program(
                new Caller(client, hasty, endpoint -> CallOptions.none()),
                new TextFormat(),
                Extent.REPORTS,
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Duration.ZERO);

        program.run(list(3), 2, 2, 0);

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("escapement-checker: advice: in an outage each call asks for up to 4 attempts");
        assertThat(lines()).hasSize(4);
    }

    @Test
    @DisplayName("O5 with figures asked for, they come last and count every report")
    void writesFigures() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Program program = new Program(
                caller(client(answering(() -> asked.incrementAndGet() % 3 == 0 ? 404 : 200))),
                new TextFormat(),
                Extent.WITH_FIGURES,
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Duration.ZERO);

        program.run(list(5), 2, 2, 0);

        assertThat(lines()).hasSizeGreaterThan(8).element(5).isEqualTo("all_joined=5 max_concurrency=2");
        assertThat(lines().subList(6, 8))
                .containsExactly("calls=5 attempts=5 amplification=1.00", "outcomes RESPONSE=5 ambiguous=0");
    }

    @Test
    @DisplayName("W1 an empty list starts nothing and is all answered")
    void anEmptyListIsAllAnswered() throws Exception {
        Checked checked = program(answering(() -> 200), out).run(list(0), 2, 7, 0);

        assertThat(lines()).containsExactly("all_joined=0 max_concurrency=7");
        assertThat(checked).isEqualTo(new Checked(true, true));
    }

    @Test
    @DisplayName("W1 while nobody reads, the list stands still; no report is lost and no outcome changed by it")
    void pausesForASlowReader() throws Exception {
        int endpoints = 5 * Output.FULL;
        AtomicInteger asked = new AtomicInteger();
        List<Integer> askedAtWrites = new ArrayList<>();
        OutputStream slow = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int offset, int length) {
                askedAtWrites.add(asked.get());
                out.write(bytes, offset, length);
            }
        };

        Checked checked = program(answering(() -> asked.incrementAndGet() > 0 ? 200 : 500), slow)
                .run(list(endpoints), 2, 2, 0);

        assertThat(askedAtWrites.get(0)).isEqualTo(Output.FULL);
        assertThat(asked).hasValue(endpoints);
        assertThat(checked).isEqualTo(new Checked(true, true));
        List<String> lines = lines();
        assertThat(lines).hasSize(endpoints + 1);
        for (int i = 0; i < endpoints; i++) {
            assertThat(lines.get(i)).isEqualTo("e" + i + " status=200 attempts=1 retry_delays_ms=[]");
        }
    }

    @Test
    @DisplayName("S1 stopping takes no more endpoints and lets running ones end within the grace")
    void drainsWhatRuns() throws Exception {
        VirtualTime time = new VirtualTime();
        SimulatedTransport transport = new SimulatedTransport(time);
        transport.on(SimulatedTransport.path("/1")).answerAfter(Duration.ofMillis(300), 200);
        transport.otherwise().hangAfterWrite();
        Client client = Client.builder(transport, Schedulers.of(time))
                .policy(Policy.builder(Duration.ofSeconds(10)).build())
                .concurrency(2)
                .build();
        OutputStream lettingTimePass = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                time.advance(Duration.ofSeconds(1));
            }

            @Override
            public synchronized void write(byte[] bytes, int offset, int length) {
                out.write(bytes, offset, length);
            }

            @Override
            public synchronized void write(int b) {
                out.write(b);
            }
        };
        Tally tally = new Tally(1);
        CheckRun run = new CheckRun(caller(client), new TextFormat(), tally, output(lettingTimePass), 2);
        time.after(Duration.ofMillis(100), () -> run.stop(Duration.ofMillis(500)));

        List<String> broken = run.run(list(9).endpoints());

        assertThat(broken).isEmpty();
        assertThat(lines())
                .containsExactly(
                        "e0 outcome=CANCELLED attempts=1 retry_delays_ms=[]",
                        "e1 status=200 attempts=1 retry_delays_ms=[]");
        assertThat(tally.unanswered()).isEqualTo(1);
        transport.assertClean();
    }

    @Test
    @DisplayName("W3 a list that cannot be read again is told of, after what was sent has ended")
    void tellsOfABrokenList() throws Exception {
        Iterator<Endpoint> endpoints = list(2).endpoints();
        Iterator<Endpoint> failing = new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (!endpoints.hasNext()) {
                    throw new UncheckedIOException(new IOException("scripted"));
                }
                return true;
            }

            @Override
            public Endpoint next() {
                return endpoints.next();
            }
        };
        Output output = output(out);

        CheckRun run = new CheckRun(caller(client(answering(() -> 200))), new TextFormat(), new Tally(1), output, 2);
        List<String> broken = run.run(failing);

        assertThat(broken).singleElement().asString().contains("scripted");
        assertThat(lines()).hasSize(2);
    }

    @Test
    @DisplayName("W3 a bug is a report of its own and one line of trouble, and the rest is checked")
    void tellsOfABug() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Transport transport = answering(() -> {
            if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("scripted\u001b");
            }
            return 200;
        });

        Checked checked = program(transport, out).run(list(3), 1, 1, 0);

        assertThat(checked.allAnswered()).isFalse();
        assertThat(lines())
                .containsExactly(
                        "e0 status=200 attempts=1 retry_delays_ms=[]",
                        "e1 outcome=BROKEN attempts=1 retry_delays_ms=[]",
                        "e2 status=200 attempts=1 retry_delays_ms=[]",
                        "all_joined=3 max_concurrency=1");
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("escapement-checker: ")
                .contains("scripted\\u001b");
    }

    @Test
    @DisplayName("W3 a bug does not end a list that had to pause")
    void goesOnAfterABugAndAPause() throws Exception {
        int endpoints = 3 * Output.FULL;
        AtomicInteger asked = new AtomicInteger();
        Transport transport = answering(() -> {
            if (asked.incrementAndGet() % 5_000 == 7) {
                throw new IllegalStateException("scripted");
            }
            return 200;
        });

        Checked checked = program(transport, out).run(list(endpoints), 2, 2, 0);

        assertThat(checked).isEqualTo(new Checked(true, false));
        assertThat(lines())
                .hasSize(endpoints + 1)
                .filteredOn(line -> line.contains("BROKEN"))
                .hasSize(3);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(3).allMatch(line -> line.contains("scripted"));
    }

    private static EndpointList list(int count) throws IOException, WrongUsage {
        String text = IntStream.range(0, count)
                .mapToObj(i -> "e" + i + " GET http://host/" + i + "\n")
                .collect(Collectors.joining());
        return EndpointList.read("list", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private Program program(Transport transport, OutputStream to) {
        return new Program(
                caller(client(transport)),
                new TextFormat(),
                Extent.REPORTS,
                to,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Duration.ZERO);
    }

    private static Client client(Transport transport) {
        return Client.builder(transport, Schedulers.of(new VirtualTime()))
                .concurrency(2)
                .build();
    }

    private static Caller caller(Client client) {
        return new Caller(client, Policy.standard(), endpoint -> CallOptions.none());
    }

    private Output output(OutputStream to) {
        return new Output(
                to,
                new Progress(
                        new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 0, new VirtualTime()::now));
    }

    /** Answers every attempt inline. */
    private static Transport answering(java.util.function.IntSupplier status) {
        return (request, exchange) -> {
            int answer = status.getAsInt();
            exchange.tryWrite();
            exchange.requestSent();
            exchange.clean(ConnectionFate.REUSED, 0);
            exchange.succeed(Response.of(answer));
            return Attempt.OVER;
        };
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
