package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.escapement.http.Method;
import dev.escapement.report.ReportDetail;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies from flat maps: each key has its effect, nothing wrong passes, and everything wrong is told at once. */
class SettingsTextTest {

    private static final long SEED = 1_105L;

    private static final List<String> POLICY_KEYS = List.of(
            "version",
            "overall-timeout",
            "attempt-timeout",
            "max-retries",
            "initial-backoff",
            "max-backoff",
            "jitter",
            "attempt-fit",
            "minimum-attempt",
            "cleanup-reserve",
            "permit-scope",
            "deadline-origin",
            "max-queue-wait",
            "failure-rule",
            "delivery",
            "retryable-methods",
            "retryable-statuses",
            "effect-free-statuses",
            "server-delay-cap",
            "server-delay-jitter-percent",
            "retry-after-dates",
            "retry-forbidding-header",
            "budget-ratio",
            "budget-floor",
            "budget-window",
            "report-detail");

    @Test
    @DisplayName("P1 every setting of a policy can be read from a map, under the builder's name with hyphens")
    void everyKeyHasItsEffect() {
        Map<String, String> map = new HashMap<>();
        map.put("version", "v 7");
        map.put("overall-timeout", "1s");
        map.put("attempt-timeout", "PT0.3S");
        map.put("max-retries", "5");
        map.put("initial-backoff", "11ms");
        map.put("max-backoff", "77ms");
        map.put("jitter", "symmetric:20");
        map.put("attempt-fit", "whole");
        map.put("minimum-attempt", "3ms");
        map.put("cleanup-reserve", "13ms");
        map.put("permit-scope", "attempt");
        map.put("deadline-origin", "permit");
        map.put("max-queue-wait", "0s");
        map.put("failure-rule", "connect-failures");
        map.put("delivery", "at-most-once");
        map.put("retryable-methods", "PURGE,GET");
        map.put("retryable-statuses", "599,425");
        map.put("effect-free-statuses", "none");
        map.put("server-delay-cap", "19ms");
        map.put("server-delay-jitter-percent", "23");
        map.put("retry-after-dates", "ignored");
        map.put("retry-forbidding-header", "X-No-Retry");
        map.put("budget-ratio", "0.15");
        map.put("budget-floor", "4");
        map.put("budget-window", "20s");
        map.put("report-detail", "full");

        Policy policy = Policy.of(map);

        assertThat(map.keySet()).containsExactlyInAnyOrderElementsOf(POLICY_KEYS);
        assertThat(policy)
                .isEqualTo(Policy.builder(Duration.ofSeconds(1))
                        .version("v 7")
                        .attemptTimeout(Duration.ofMillis(300))
                        .maxRetries(5)
                        .initialBackoff(Duration.ofMillis(11))
                        .maxBackoff(Duration.ofMillis(77))
                        .jitter(Jitter.symmetric(20))
                        .attemptFit(AttemptFit.WHOLE)
                        .minimumAttempt(Duration.ofMillis(3))
                        .cleanupReserve(Duration.ofMillis(13))
                        .permitScope(PermitScope.ATTEMPT)
                        .deadlineOrigin(DeadlineOrigin.PERMIT)
                        .maxQueueWait(Duration.ZERO)
                        .failureRule(FailureRule.CONNECT_FAILURES)
                        .delivery(Delivery.AT_MOST_ONCE)
                        .retryableMethods(Set.of(Method.GET, Method.of("PURGE")))
                        .retryableStatuses(Set.of(425, 599))
                        .effectFreeStatuses(Set.of())
                        .serverDelayCap(Duration.ofMillis(19))
                        .serverDelayJitterPercent(23)
                        .retryAfterDates(RetryAfterDates.IGNORED)
                        .retryForbiddingHeader("X-No-Retry")
                        .budget(BudgetSettings.of(0.15, 4, Duration.ofSeconds(20)))
                        .reportDetail(ReportDetail.FULL)
                        .build());
    }

    @Test
    @DisplayName("P7 what a map does not give has its default, which follows the overall timeout where it does")
    void absentKeysAreDefaults() {
        assertThat(Policy.of(Map.of("overall-timeout", "5s")))
                .isEqualTo(Policy.builder(Duration.ofSeconds(5)).build());
        assertThat(Policy.of(Map.of("overall-timeout", "5s", "budget-floor", "9"))
                        .budget())
                .isEqualTo(BudgetSettings.of(0.2, 9, Duration.ofSeconds(10)));
        assertThat(UpstreamSettings.of(Map.of("overall-timeout", "5s")).breaker())
                .isEqualTo(BreakerSettings.standard());
    }

    @Test
    @DisplayName("P1 a policy shows every effective value, in a fixed order and the words that are read")
    void showsEffectiveValues() {
        assertThat(Policy.standard())
                .hasToString("Policy[version=unversioned overall-timeout=2s attempt-timeout=800ms max-retries=1"
                        + " initial-backoff=25ms max-backoff=250ms jitter=full attempt-fit=clipped minimum-attempt=10ms"
                        + " cleanup-reserve=40ms permit-scope=call deadline-origin=entry max-queue-wait=200ms"
                        + " failure-rule=by-effect delivery=at-least-once"
                        + " retryable-methods=DELETE,GET,HEAD,OPTIONS,PUT,TRACE"
                        + " retryable-statuses=408,429,500,502,503,504 effect-free-statuses=none server-delay-cap=30s"
                        + " server-delay-jitter-percent=10 retry-after-dates=read retry-forbidding-header=none"
                        + " budget-ratio=0.2 budget-floor=3 budget-window=10s report-detail=basic]");
        assertThat(Policy.standard().toMap().keySet()).containsExactlyElementsOf(POLICY_KEYS);
    }

    @Test
    @DisplayName("P1 a breaker's settings stand in the same map, under keys of their own")
    void readsABreaker() {
        Map<String, String> map = new HashMap<>(Map.of("overall-timeout", "1s", "max-retries", "0"));
        map.put("breaker-consecutive-failures", "7");
        map.put("breaker-failure-rate-percent", "40");
        map.put("breaker-minimum-calls", "10");
        map.put("breaker-time-window", "30s");
        map.put("breaker-slow-call", "400ms");
        map.put("breaker-slow-rate-percent", "80");
        map.put("breaker-open-period", "2s");
        map.put("breaker-trials", "3");
        map.put("breaker-table-size", "99");

        UpstreamSettings settings = UpstreamSettings.of(map);

        BreakerSettings.Builder breaker = BreakerSettings.builder()
                .consecutiveFailures(7)
                .failureRatePercent(40)
                .minimumCalls(10)
                .timeWindow(Duration.ofSeconds(30))
                .slowCall(Duration.ofMillis(400))
                .slowRatePercent(80)
                .openPeriod(Duration.ofSeconds(2))
                .trials(3)
                .tableSize(99);
        assertThat(settings.breaker()).isEqualTo(breaker.build());
        assertThat(settings.policy())
                .isEqualTo(Policy.builder(Duration.ofSeconds(1)).maxRetries(0).build());

        map.remove("breaker-time-window");
        map.put("breaker-count-window", "50");

        assertThat(UpstreamSettings.of(map).breaker())
                .isEqualTo(breaker.countWindow(50).build());
        assertThat(UpstreamSettings.of(Map.of("overall-timeout", "1s", "breaker", "none"))
                        .breaker()
                        .isNone())
                .isTrue();
    }

    @Test
    @DisplayName("P2 a policy alone knows no keys of a breaker")
    void aPolicyAloneHasNoBreaker() {
        assertThat(faults(Map.of("overall-timeout", "1s", "breaker-trials", "3")))
                .containsExactly("breaker-trials = \"3\": expected a known key; the nearest is max-retries");
    }

    @ParameterizedTest(name = "P2 {0}={1} cannot be read")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attempt-timeout      | 250        | the like of 250ms, 1.5s, 2m or PT0.25S",
                "attempt-timeout      | 0          | the like of 250ms, 1.5s, 2m or PT0.25S",
                "attempt-timeout      | ``         | the like of 250ms, 1.5s, 2m or PT0.25S",
                "max-retries          | many       | a whole number",
                "max-retries          | +1         | a whole number",
                "max-retries          | ` 1`       | a whole number",
                "max-retries          | 1.0        | a whole number",
                "max-retries          | 9999999999 | a whole number",
                "jitter               | loud       | none, full, equal, decorrelated, or symmetric: and a percentage of 1 to 100",
                "jitter               | symmetric:0 | none, full, equal, decorrelated, or symmetric: and a percentage of 1 to 100",
                "attempt-fit          | WHOLE      | whole or clipped",
                "permit-scope         | both       | call or attempt",
                "deadline-origin      | start      | entry or permit",
                "failure-rule         | by_effect  | connect-failures or by-effect",
                "delivery             | once       | at-most-once or at-least-once or keyed",
                "retryable-methods    | GET;PUT    | none, or methods with commas between them",
                "retryable-methods    | GET, PUT   | none, or methods with commas between them",
                "retryable-methods    | CONNECT    | none, or methods with commas between them",
                "retryable-methods    | ``         | none, or methods with commas between them",
                "retryable-statuses   | 5xx        | none, or statuses with commas between them",
                "retryable-statuses   | 500,       | none, or statuses with commas between them",
                "retryable-statuses   | -5         | none, or statuses with commas between them",
                "retry-after-dates    | yes        | read or ignored",
                "budget-ratio         | 20%        | the like of 0.2",
                "budget-ratio         | .2         | the like of 0.2",
                "budget-floor         | some       | a whole number",
                "budget               | 0.2        | none",
                "report-detail        | all        | basic or full"
            })
    void unreadable(String key, String text, String expected) {
        PolicyException refusal = refusal(Map.of("overall-timeout", "1s", key, text));

        assertThat(refusal.faults())
                .containsExactly(new PolicyFault(PolicyFault.Kind.UNREADABLE, key, '"' + text + '"', expected));
    }

    @ParameterizedTest(name = "P2 {0}={1} is out of range, and told by its key")
    @CsvSource(
            delimiter = '|',
            value = {
                "attempt-timeout             | 0s     | 0          | more than 0",
                "attempt-timeout             | PT-1S  | PT-1S      | 0 or more",
                "max-retries                 | 32     | 32         | 0 to 31",
                "max-retries                 | -1     | -1         | 0 to 31",
                "retryable-statuses          | 42     | 42         | statuses of 200 to 999",
                "server-delay-jitter-percent | 101    | 101        | 0 to 100",
                "retry-forbidding-header     | x y    | `x y`      | none, or a header name",
                "budget-ratio                | 1.5    | 1.5        | 0 to 1 with at most 6 decimals",
                "budget-floor                | -1     | -1         | 0 or more",
                "budget-window               | 1ms    | PT0.001S   | whole milliseconds, PT1S to PT1M",
                "breaker-trials              | 0      | 0          | 1 to 64",
                "breaker-table-size          | 0      | 0          | 1 to 1048576"
            })
    void outOfRange(String key, String text, String value, String range) {
        PolicyException refusal = catchThrowableOfType(
                PolicyException.class, () -> UpstreamSettings.of(Map.of("overall-timeout", "1s", key, text)));

        assertThat(refusal.faults())
                .extracting(PolicyFault::toString)
                .containsExactly(key + " = " + value.replace('`', '"') + ": expected " + range);
    }

    @Test
    @DisplayName("P7 a map without an overall timeout describes no policy: there is no infinite one")
    void theOverallTimeoutIsRequired() {
        assertThat(refusal(Map.of()).faults())
                .containsExactly(new PolicyFault(
                        PolicyFault.Kind.MISSING,
                        "overall-timeout",
                        "nothing",
                        "the like of 250ms, 1.5s, 2m or PT0.25S"));
        assertThat(faults(Map.of("overall-timeout", "soon")))
                .containsExactly("overall-timeout = \"soon\": expected the like of 250ms, 1.5s, 2m or PT0.25S");
    }

    @ParameterizedTest(name = "P2 {0} is unknown; the nearest is {1}")
    @CsvSource({
        "atempt-timeout, attempt-timeout",
        "attemptTimeout, attempt-timeout",
        "retries, max-retries",
        "budget-flor, budget-floor",
        "Jitter, jitter",
        "retryable-status, retryable-statuses"
    })
    void unknownKeys(String key, String nearest) {
        PolicyException refusal = refusal(Map.of("overall-timeout", "1s", key, "1s"));

        assertThat(refusal.faults())
                .containsExactly(new PolicyFault(
                        PolicyFault.Kind.UNKNOWN, key, "\"1s\"", "a known key; the nearest is " + nearest));
    }

    @Test
    @DisplayName("P2 everything wrong with a map is told at once, in a fixed order, and shown safely")
    void everyFaultAtOnce() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("zzz", "last\u001b[2J");
        map.put("aaa\n", "x".repeat(100));
        map.put("report-detail", "much");
        map.put("max-retries", "32");
        map.put("budget-floor", "-1");
        map.put("budget-ratio", "none");
        map.put("attempt-timeout", "0s");
        map.put("max-backoff", "PT-1S");
        map.put("initial-backoff", "quick");

        assertThat(faults(map))
                .containsExactly(
                        "attempt-timeout = 0: expected more than 0",
                        "max-retries = 32: expected 0 to 31",
                        "max-backoff = PT-1S: expected 0 or more",
                        "budget-floor = -1: expected 0 or more",
                        "overall-timeout = nothing: expected the like of 250ms, 1.5s, 2m or PT0.25S",
                        "initial-backoff = \"quick\": expected the like of 250ms, 1.5s, 2m or PT0.25S",
                        "budget-ratio = \"none\": expected the like of 0.2",
                        "report-detail = \"much\": expected basic or full",
                        "aaa\\u000a = \"" + "x".repeat(64) + "…\": expected a known key; the nearest is budget",
                        "zzz = \"last\\u001b[2J\": expected a known key; the nearest is budget");
        assertThat(refusal(map).faults()).isEqualTo(refusal(new HashMap<>(map)).faults());
    }

    @Test
    @DisplayName("P2 none of a budget or a breaker stands beside no part of one")
    void noneStandsAlone() {
        assertThat(faults(Map.of("overall-timeout", "1s", "budget", "none", "budget-floor", "1")))
                .containsExactly("budget-floor = \"1\": expected nothing beside budget=none");
        assertThat(Policy.of(Map.of("overall-timeout", "1s", "budget", "none")).budget())
                .isEqualTo(BudgetSettings.none());
        assertThatThrownBy(() ->
                        UpstreamSettings.of(Map.of("overall-timeout", "1s", "breaker", "none", "breaker-trials", "1")))
                .hasMessage("breaker-trials = \"1\": expected nothing beside breaker=none");
        assertThatThrownBy(() -> UpstreamSettings.of(
                        Map.of("overall-timeout", "1s", "breaker-time-window", "9s", "breaker-count-window", "99")))
                .hasMessage("breaker-count-window = \"99\": expected no breaker-time-window beside it");
    }

    @Test
    @DisplayName("P1 properties are read with their defaults, and refused where they are not made of strings")
    void readsProperties() {
        Properties defaults = new Properties();
        defaults.setProperty("overall-timeout", "3s");
        defaults.setProperty("max-retries", "2");
        Properties properties = new Properties(defaults);
        properties.setProperty("max-retries", "4");

        assertThat(Policy.of(properties))
                .isEqualTo(Policy.builder(Duration.ofSeconds(3)).maxRetries(4).build());
        assertThat(UpstreamSettings.of(properties).policy()).isEqualTo(Policy.of(properties));

        properties.put("jitter", 7);

        assertThatThrownBy(() -> Policy.of(properties))
                .isInstanceOf(PolicyException.class)
                .hasMessage("jitter = \"7\": expected a text");
    }

    @Test
    @DisplayName("P1 the properties that the README shows are a policy")
    void theReadmeShowsAPolicy() throws IOException {
        String readme = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "README.md"));
        int begin = readme.indexOf("```properties\n") + "```properties\n".length();
        Properties properties = new Properties();
        properties.load(new StringReader(readme.substring(begin, readme.indexOf("```", begin))));

        assertThat(Policy.of(properties))
                .isEqualTo(Policy.builder(Duration.ofMillis(1_500))
                        .version("orders-2")
                        .attemptTimeout(Duration.ofMillis(400))
                        .maxRetries(2)
                        .jitter(Jitter.symmetric(20))
                        .budget(BudgetSettings.of(0.1, 3, Duration.ofSeconds(10)))
                        .build());
    }

    @Test
    @DisplayName("P1 whatever settings there are, they read back from their own words")
    void everySettingReadsBack() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 2_000; i++) {
            Policy policy = anyPolicy(random);
            UpstreamSettings settings = new UpstreamSettings(policy, anyBreaker(random));

            assertThat(Policy.of(policy.toMap())).as("seed %d", SEED).isEqualTo(policy);
            assertThat(UpstreamSettings.of(settings.toMap()))
                    .as("seed %d", SEED)
                    .isEqualTo(settings);
            if (!policy.version().contains(" ")) {
                assertThat(Policy.of(words(policy.toString())))
                        .as("seed %d", SEED)
                        .isEqualTo(policy);
            }
        }
    }

    /** What stands between the brackets of {@code Policy[key=value key=value]}. */
    private static Map<String, String> words(String shown) {
        return Arrays.stream(shown.substring(shown.indexOf('[') + 1, shown.length() - 1)
                        .split(" "))
                .collect(Collectors.toMap(
                        word -> word.substring(0, word.indexOf('=')), word -> word.substring(word.indexOf('=') + 1)));
    }

    private static Policy anyPolicy(SplittableRandom random) {
        PolicyBuilder policy = Policy.builder(anyLength(random))
                .version(random.nextBoolean() ? "v" + random.nextInt() : "version=" + random.nextInt() + " of a = b")
                .attemptTimeout(anyLength(random).plusNanos(1))
                .maxRetries(random.nextInt(32))
                .initialBackoff(anyLength(random))
                .maxBackoff(anyLength(random))
                .jitter(any(
                        random,
                        Jitter.NONE,
                        Jitter.EQUAL,
                        Jitter.DECORRELATED,
                        Jitter.symmetric(1 + random.nextInt(100))))
                .attemptFit(any(random, AttemptFit.values()))
                .minimumAttempt(anyLength(random))
                .permitScope(any(random, PermitScope.values()))
                .deadlineOrigin(any(random, DeadlineOrigin.values()))
                .failureRule(any(random, FailureRule.values()))
                .delivery(any(random, Delivery.values()))
                .retryableMethods(any(random, Set.of(), Set.of(Method.PATCH, Method.of("x-!")), Set.of(Method.GET)))
                .retryableStatuses(anyStatuses(random))
                .effectFreeStatuses(anyStatuses(random))
                .serverDelayCap(anyLength(random))
                .serverDelayJitterPercent(random.nextInt(101))
                .retryAfterDates(any(random, RetryAfterDates.values()))
                .budget(any(
                        random,
                        BudgetSettings.none(),
                        BudgetSettings.of(
                                random.nextInt(1_000_001) / 1e6,
                                random.nextInt(1_000_000),
                                Duration.ofMillis(random.nextLong(1_000, 60_001)))))
                .reportDetail(any(random, ReportDetail.values()));
        if (random.nextBoolean()) {
            policy.retryForbiddingHeader("x-" + random.nextInt(9)).cleanupReserve(anyLength(random));
        }
        return policy.build();
    }

    @Test
    @DisplayName("P2 what a message shows of a text is printable ASCII, 64 characters at most")
    void shownTexts() {
        assertThat(Notation.escaped(" ~")).isEqualTo(" ~");
        assertThat(Notation.escaped("\u001f\u007f")).isEqualTo("\\u001f\\u007f");
        assertThat(Notation.escaped("x".repeat(64))).isEqualTo("x".repeat(64));
        assertThat(Notation.escaped("x".repeat(65))).isEqualTo("x".repeat(64) + "…");
    }

    private static BreakerSettings anyBreaker(SplittableRandom random) {
        BreakerSettings.Builder breaker = BreakerSettings.builder()
                .consecutiveFailures(random.nextInt(65_537))
                .failureRatePercent(random.nextInt(101))
                .minimumCalls(1 + random.nextInt(100))
                .slowRatePercent(random.nextInt(101))
                .openPeriod(anyLength(random).plusNanos(1))
                .trials(1 + random.nextInt(64))
                .tableSize(1 + random.nextInt(1 << 20));
        if (random.nextBoolean()) {
            breaker.countWindow(100 + random.nextInt(1_000));
        }
        if (random.nextBoolean()) {
            breaker.slowCall(any(random, anyLength(random).plusNanos(1), Duration.ofNanos(Long.MAX_VALUE)));
        }
        return random.nextInt(10) == 0 ? BreakerSettings.none() : breaker.build();
    }

    private static Duration anyLength(SplittableRandom random) {
        return Duration.ofNanos(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
    }

    private static Set<Integer> anyStatuses(SplittableRandom random) {
        Set<Integer> statuses = new HashSet<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            statuses.add(random.nextInt(200, 1_000));
        }
        return statuses;
    }

    @SafeVarargs
    private static <T> T any(SplittableRandom random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static List<String> faults(Map<String, String> map) {
        return refusal(map).faults().stream().map(PolicyFault::toString).toList();
    }

    private static PolicyException refusal(Map<String, String> map) {
        PolicyException refusal = catchThrowableOfType(PolicyException.class, () -> Policy.of(map));
        assertThat(refusal).isNotNull();
        return refusal;
    }
}
