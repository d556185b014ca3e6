package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.report.Effect;
import dev.escapement.report.Suppressed;
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
    private static final Duration LEFT = Duration.ofMinutes(1);
    private static final String FORBIDDING_HEADER = "X-No-Retry";
    private static final int FIRST_ACTION = 2;
    private static final List<Method> METHODS = List.of(
            Method.GET,
            Method.HEAD,
            Method.OPTIONS,
            Method.TRACE,
            Method.PUT,
            Method.DELETE,
            Method.POST,
            Method.PATCH);

    /** One column of actions: a policy, the methods it speaks of, and whether they carry a key. */
    private record Column(Policy policy, List<Method> methods, boolean keyed) {}

    static Stream<Arguments> rows() throws IOException {
        return table().stream().skip(1).map(row -> Arguments.of(row.get(0), row));
    }

    @ParameterizedTest(name = "R7 {0}")
    @MethodSource("rows")
    void theRuleDoesWhatTheRowSays(String seen, List<String> row) throws IOException {
        List<Column> columns = columns();

        for (String result : code(seen)) {
            for (Progress progress : progresses(words(seen))) {
                for (int i = 0; i < columns.size(); i++) {
                    Column column = columns.get(i);
                    for (Method method : column.methods()) {
                        assertThat(action(scene(column, method, result, progress, List.of(words(seen)))))
                                .as("%s, %s, %s, column %d", result, progress, method, FIRST_ACTION + i)
                                .isEqualTo(row.get(FIRST_ACTION + i).replace("`", ""));
                    }
                }
            }
        }
    }

    @ParameterizedTest(name = "E2 {0}")
    @MethodSource("rows")
    void whatMayBeTrueThereIsTheEffect(String seen, List<String> row) {
        Effect effect = Effect.valueOf(code(row.get(1)).get(0));

        for (String result : code(seen)) {
            for (Progress progress : progresses(words(seen))) {
                for (Method method : METHODS) {
                    Response response = isStatus(result) ? Response.of(Integer.parseInt(result)) : null;
                    assertThat(RetryRule.effect(Policy.standard(), method, response, progress))
                            .as("%s, %s, %s", result, progress, method)
                            .isEqualTo(method.isSafe() ? Effect.ABSENT : effect);
                }
            }
        }
    }

    @Test
    @DisplayName("R7 of the rows about a 503 alone, each comes before those below it")
    void guardsStandInTheirOrder() throws IOException {
        Column column = columns().get(0);
        List<List<String>> guarded = table().stream()
                .filter(row -> row.get(0).endsWith(": status `503`"))
                .toList();
        List<String> conditions = guarded.stream().map(row -> words(row.get(0))).toList();

        assertThat(conditions).hasSize(8);
        for (int i = 0; i < conditions.size(); i++) {
            Scene scene = scene(column, Method.GET, "503", Progress.COMPLETE, conditions.subList(i, conditions.size()));
            assertThat(action(scene))
                    .as(conditions.get(i))
                    .isEqualTo(guarded.get(i).get(FIRST_ACTION).replace("`", ""));
        }
    }

    @Test
    @DisplayName("R1 the columns speak of every method, with and without a key")
    void noMethodIsForgotten() throws IOException {
        List<Column> columns = columns();

        assertThat(methods(columns.subList(0, 2))).containsExactlyInAnyOrderElementsOf(METHODS);
        assertThat(methods(columns.subList(2, 3))).containsExactlyInAnyOrderElementsOf(METHODS);
        assertThat(methods(columns.subList(3, 5))).containsExactlyInAnyOrderElementsOf(METHODS);
    }

    @Test
    @DisplayName("E9 the rows speak of every failure, every retried status, and every reason of the rule's")
    void nothingIsForgotten() throws IOException {
        Set<TransportFailure.Kind> failures = EnumSet.noneOf(TransportFailure.Kind.class);
        Set<Integer> statuses = new TreeSet<>();
        Set<Suppressed> reasons = EnumSet.noneOf(Suppressed.class);
        for (List<String> row : table().subList(1, table().size())) {
            for (String result : code(row.get(0))) {
                if (isStatus(result)) {
                    if (row.get(FIRST_ACTION).equals("retry")) {
                        statuses.add(Integer.parseInt(result));
                    }
                } else if (!result.equals("ATTEMPT_TIMEOUT")) {
                    failures.add(TransportFailure.Kind.valueOf(result));
                }
            }
            row.subList(FIRST_ACTION, row.size())
                    .forEach(cell -> code(cell).forEach(reason -> reasons.add(Suppressed.valueOf(reason))));
        }

        assertThat(failures).containsExactlyInAnyOrder(TransportFailure.Kind.values());
        assertThat(statuses).containsExactly(408, 429, 500, 502, 503, 504);
        // What comes after these is no decision of the rule's: the call was stopped by something else.
        assertThat(reasons).isEqualTo(EnumSet.range(Suppressed.NOT_RETRYABLE, Suppressed.BUDGET_EMPTY));
    }

    /** The rows of the table, headings first, as trimmed cells. */
    private static List<List<String>> table() throws IOException {
        List<List<String>> table = Files.readAllLines(README).stream()
                .dropWhile(line -> !line.startsWith("| what we saw"))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("| ---"))
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
        assertThat(table)
                .hasSizeGreaterThan(15)
                .allSatisfy(row -> assertThat(row).hasSize(7));
        return table;
    }

    private static List<Column> columns() throws IOException {
        List<Column> columns = new ArrayList<>();
        for (String heading : table().get(0).subList(FIRST_ACTION, 7)) {
            boolean keyed = heading.equals("keyed");
            List<Method> methods =
                    keyed ? METHODS : code(heading).stream().map(Method::of).toList();
            columns.add(new Column(heading.startsWith("checker") ? checker() : gateway(), methods, keyed));
        }
        return columns;
    }

    private static List<Method> methods(List<Column> columns) {
        return columns.stream().flatMap(column -> column.methods().stream()).toList();
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    /** What stands before the colon. */
    private static String words(String seen) {
        return seen.substring(0, seen.indexOf(':'));
    }

    private static boolean isStatus(String result) {
        return Character.isDigit(result.charAt(0));
    }

    private static List<Progress> progresses(String words) {
        return switch (words) {
            case "no connection", "nothing written" -> List.of(Progress.NOT_STARTED);
            case "written in part" -> List.of(Progress.PREFIX_WRITTEN);
            case "written in part or whole or unknown" ->
                List.of(Progress.PREFIX_WRITTEN, Progress.COMPLETE, Progress.UNKNOWN);
            default -> List.of(Progress.COMPLETE, Progress.UNKNOWN);
        };
    }

    private static Scene scene(
            Column column, Method method, String result, Progress progress, List<String> conditions) {
        Scene scene = new Scene(column.policy())
                .method(method)
                .keyed(column.keyed())
                .progress(progress)
                .deadline(LEFT.toNanos());
        Headers headers = Headers.empty();
        for (String condition : conditions) {
            switch (condition) {
                case "a body that can be read once, some of it taken" -> scene.bodyGone();
                case "the header by which the server forbids it" -> headers = headers.and(FORBIDDING_HEADER, "1");
                case "an outer layer owns retries" -> scene.ownedAbove();
                case "retries used up" -> scene.attempts(1 + column.policy().maxRetries());
                case "asked to come back after the deadline" ->
                    headers = headers.and("Retry-After", Long.toString(LEFT.toSeconds() + 1));
                case "asked for a pause over the cap" -> {
                    // One that ends after the deadline is over the cap as well; two lines would be no hint at all.
                    headers = headers.contains("Retry-After") ? headers : headers.and("Retry-After", "31");
                }
                case "breaker open" -> scene.breakerOpen();
                case "budget empty" -> scene.budgetEmpty();
                case "confirmed success",
                        "overload",
                        "rejection",
                        "another failure",
                        "no connection",
                        "nothing written",
                        "written in part",
                        "written whole or unknown, no reply",
                        "written in part or whole or unknown",
                        "reply begun, then lost" -> {}
                default -> throw new AssertionError("a row that this test cannot read: " + condition);
            }
        }
        if (isStatus(result)) {
            return scene.answered(Response.of(Integer.parseInt(result), headers, Body.empty()));
        }
        return result.equals("ATTEMPT_TIMEOUT")
                ? scene.timedOut()
                : scene.failed(TransportFailure.Kind.valueOf(result));
    }

    private static String action(Scene scene) {
        RetryDecision decision = scene.decide();
        return switch (decision.kind()) {
            case ACCEPT -> "answer";
            case RETRY -> "retry";
            case STOP -> ((RetryDecision.Stop) decision).reason().name();
            case OVERFLOW -> throw new AssertionError("overflow");
        };
    }

    private static Policy gateway() {
        return Policy.builder(Policy.STANDARD_OVERALL_TIMEOUT)
                .retryForbiddingHeader(FORBIDDING_HEADER)
                .build();
    }

    private static Policy checker() {
        return Policy.builder(Duration.ofSeconds(10))
                .failureRule(FailureRule.CONNECT_FAILURES)
                .retryableMethods(Set.of(Method.GET, Method.PUT, Method.DELETE))
                .attemptFit(AttemptFit.WHOLE)
                .retryForbiddingHeader(FORBIDDING_HEADER)
                .build();
    }
}
