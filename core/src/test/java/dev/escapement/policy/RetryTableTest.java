package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The retry table of the README, read from there and asked of the rule cell by cell. */
class RetryTableTest {

    private static final Path README = Path.of(System.getProperty("basedir", "."), "..", "README.md");
    private static final Pattern CODE = Pattern.compile("`([A-Z0-9_]+)`");
    private static final long AMPLE_NANOS = Duration.ofMinutes(1).toNanos();

    /** One column: a policy, the methods it speaks of, and whether they carry a key. */
    private record Column(Policy policy, List<Method> methods, boolean keyed) {}

    static Stream<Arguments> rows() throws IOException {
        return table().stream().skip(1).map(row -> Arguments.of(row.get(0), row));
    }

    @ParameterizedTest(name = "R7 {0}")
    @MethodSource("rows")
    void theRuleSaysWhatTheRowSays(String seen, List<String> row) throws IOException {
        List<Column> columns = columns();

        for (Outcome result : results(seen)) {
            for (Progress progress : progresses(seen)) {
                for (int i = 0; i < columns.size(); i++) {
                    Column column = columns.get(i);
                    for (Method method : column.methods()) {
                        assertThat(word(column, method, result, progress))
                                .as("%s, %s, %s, column %d", result, progress, method, i + 1)
                                .isEqualTo(row.get(i + 1).replace("`", ""));
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("R1 the columns speak of every method, with and without a key")
    void noMethodIsForgotten() throws IOException {
        List<Column> columns = columns();
        Set<String> all = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH");

        assertThat(names(columns.subList(0, 2))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(names(columns.subList(2, 3))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(names(columns.subList(3, 5))).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    @DisplayName("E9 the rows speak of every failure, and every retried status")
    void noResultIsForgotten() throws IOException {
        Set<TransportFailure.Kind> failures = EnumSet.noneOf(TransportFailure.Kind.class);
        Set<Integer> statuses = new TreeSet<>();
        for (List<String> row : table().subList(1, table().size())) {
            for (Outcome result : results(row.get(0))) {
                if (result instanceof Outcome.TransportFailed failed) {
                    failures.add(failed.failure().kind());
                } else if (result instanceof Outcome.Response answered
                        && row.get(1).equals("retry")) {
                    statuses.add(answered.response().status());
                }
            }
        }

        assertThat(failures).containsExactlyInAnyOrder(TransportFailure.Kind.values());
        assertThat(statuses).containsExactly(408, 429, 500, 502, 503, 504);
    }

    /** The rows of the table, headings first, as trimmed cells. */
    private static List<List<String>> table() throws IOException {
        List<List<String>> table = Files.readAllLines(README).stream()
                .dropWhile(line -> !line.startsWith("| what was seen"))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("| ---"))
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
        assertThat(table)
                .hasSizeGreaterThan(8)
                .allSatisfy(row -> assertThat(row).hasSize(6));
        return table;
    }

    private static List<Column> columns() throws IOException {
        List<Column> columns = new ArrayList<>();
        for (String heading : table().get(0).subList(1, 6)) {
            boolean keyed = heading.equals("keyed");
            List<Method> methods = keyed
                    ? Stream.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH")
                            .map(Method::of)
                            .toList()
                    : code(heading).stream().map(Method::of).toList();
            columns.add(new Column(heading.startsWith("checker") ? checker() : Policy.standard(), methods, keyed));
        }
        return columns;
    }

    private static Set<String> names(List<Column> columns) {
        Set<String> names = new TreeSet<>();
        columns.forEach(column -> column.methods().forEach(method -> names.add(method.name())));
        return names;
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    private static List<Outcome> results(String seen) {
        return code(seen).stream().map(RetryTableTest::result).toList();
    }

    private static Outcome result(String code) {
        if (code.equals("ATTEMPT_TIMEOUT")) {
            return Outcome.AttemptTimeout.INSTANCE;
        }
        return Character.isDigit(code.charAt(0))
                ? new Outcome.Response(Response.of(Integer.parseInt(code)))
                : new Outcome.TransportFailed(
                        TransportFailure.of(TransportFailure.Kind.valueOf(code), "as the table says"));
    }

    private static List<Progress> progresses(String seen) {
        String words = seen.substring(0, seen.indexOf('`')).strip();
        return switch (words) {
            case "status" -> List.of(Progress.COMPLETE, Progress.UNKNOWN);
            case "no connection:", "nothing written:" -> List.of(Progress.NOT_STARTED);
            case "written, in part or whole or unknown:" ->
                List.of(Progress.PREFIX_WRITTEN, Progress.COMPLETE, Progress.UNKNOWN);
            case "written or not:" -> List.of(Progress.values());
            default -> throw new AssertionError("a row that this test cannot read: " + seen);
        };
    }

    private static String word(Column column, Method method, Outcome result, Progress progress) {
        Scene scene = new Scene(column.policy())
                .method(method)
                .keyed(column.keyed())
                .progress(progress)
                .deadline(AMPLE_NANOS);
        if (result instanceof Outcome.Response answered) {
            scene.answered(answered.response());
        } else if (result instanceof Outcome.TransportFailed failed) {
            scene.failed(failed.failure().kind());
        }
        RetryDecision decision = scene.decide();
        return switch (decision.kind()) {
            case ACCEPT -> "answer";
            case RETRY -> "retry";
            case STOP -> ((RetryDecision.Stop) decision).reason().name();
            case OVERFLOW -> throw new AssertionError("overflow");
        };
    }

    private static Policy checker() {
        return Policy.builder(Duration.ofSeconds(10))
                .failureRule(FailureRule.CONNECT_FAILURES)
                .retryableMethods(Set.of(Method.GET, Method.PUT, Method.DELETE))
                .attemptFit(AttemptFit.WHOLE)
                .build();
    }
}
