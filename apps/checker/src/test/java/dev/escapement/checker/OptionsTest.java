package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.escapement.call.Client;
import dev.escapement.http.Method;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.FailureRule;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.policy.RetryAfterDates;
import dev.escapement.policy.UpstreamSettings;
import dev.escapement.report.ReportDetail;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** Each field of a policy has its option, each option its effect, and the help tells the truth. */
class OptionsTest {

    /** Of a client's settings: what other options make up, and what a program that runs once has no choice in. */
    private static final Set<String> NOT_A_CHOICE = Set.of("policy", "endpoints", "wallClock");

    @Test
    @DisplayName("P1 every setting of policies, budgets, breakers and clients has an option named after it")
    void namesAnOptionForEverySetting() {
        Stream<String> policy =
                settingsOf(PolicyBuilder.class).map(name -> name.equals("version") ? "policyVersion" : name);
        Stream<String> breaker = settingsOf(BreakerSettings.Builder.class).map(name -> "breaker-" + name);
        Stream<String> keys = new UpstreamSettings(Policy.standard(), BreakerSettings.standard())
                .toMap().keySet().stream().map(key -> key.equals("version") ? "policyVersion" : key);
        Stream<String> client = settingsOf(Client.Builder.class)
                .filter(name -> !NOT_A_CHOICE.contains(name))
                .map(name -> name.equals("jitter") ? "seed" : name);
        Stream<String> metadata =
                Stream.of("networkMargin", "retryOwner", "operationPrefix", "budget", "overallTimeout");

        Set<String> options = Set.copyOf(Main.commandLine(new CheckerCommand())
                .getCommandSpec()
                .optionsMap()
                .keySet());

        assertThat(Stream.of(policy, breaker, keys, client, metadata).flatMap(names -> names))
                .hasSizeGreaterThan(60)
                .allSatisfy(setting -> assertThat(options).contains(kebab(setting)));
    }

    private static Stream<String> settingsOf(Class<?> builder) {
        return Arrays.stream(builder.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 1)
                .map(method -> method.getName());
    }

    @Test
    @DisplayName("P7 without options, the checker's own choice where it has one, else the library's default")
    void defaults() {
        Policy policy = policy();
        Policy library = Policy.builder(Duration.ofSeconds(10)).build();

        assertThat(policy.version()).isEqualTo("checker");
        assertThat(policy.retryableMethods()).containsExactlyInAnyOrder(Method.GET, Method.PUT, Method.DELETE);
        assertThat(policy.failureRule()).isEqualTo(FailureRule.CONNECT_FAILURES);
        assertThat(policy.attemptFit()).isEqualTo(AttemptFit.WHOLE);
        assertThat(policy.deadlineOrigin()).isEqualTo(DeadlineOrigin.PERMIT);
        assertThat(policy.permitScope()).isEqualTo(PermitScope.CALL);
        assertThat(policy.cleanupReserveNanos()).isZero();
        assertThat(policy.budget()).isEqualTo(BudgetSettings.none());
        assertThat(upstream().breaker()).isEqualTo(BreakerSettings.none());
        assertThat(policy.serverDelayJitterPercent()).isZero();
        assertThat(policy.retryAfterDates()).isEqualTo(RetryAfterDates.IGNORED);
        assertThat(policy.reportDetail()).isEqualTo(ReportDetail.BASIC);
        assertThat(policy.advisories()).isEmpty();

        assertThat(policy.overallTimeoutNanos()).isEqualTo(library.overallTimeoutNanos());
        assertThat(policy.attemptTimeoutNanos()).isEqualTo(library.attemptTimeoutNanos());
        assertThat(policy.maxRetries()).isEqualTo(library.maxRetries());
        assertThat(policy.initialBackoffNanos()).isEqualTo(library.initialBackoffNanos());
        assertThat(policy.maxBackoffNanos()).isEqualTo(library.maxBackoffNanos());
        assertThat(policy.jitter()).isEqualTo(library.jitter());
        assertThat(policy.minimumAttemptNanos()).isEqualTo(library.minimumAttemptNanos());
        assertThat(policy.maxQueueWaitNanos()).isEqualTo(library.maxQueueWaitNanos());
        assertThat(policy.serverDelayCapNanos()).isEqualTo(library.serverDelayCapNanos());
        assertThat(retried(policy)).isEqualTo(retried(library));
        assertThat(IntStream.range(0, 1_000).filter(policy::provesNoEffect)).isEmpty();
    }

    @Test
    @DisplayName("V4 the demo's defaults: backoff 10 ms, jitter none, one retry, concurrency 2")
    void demoDefaults() {
        Policy policy = policy("--demo");

        assertThat(policy.initialBackoffNanos()).isEqualTo(Duration.ofMillis(10).toNanos());
        assertThat(policy.jitter()).isEqualTo(Jitter.NONE);
        assertThat(policy.maxRetries()).isEqualTo(1);
        assertThat(policy.overallTimeoutNanos())
                .isEqualTo(Duration.ofSeconds(30).toNanos());
        assertThat(Defaults.DEMO.concurrency).isEqualTo(2);
    }

    @Test
    @DisplayName("P1 every policy option reaches its field")
    void everyOptionHasItsEffect() {
        Policy policy = policy(
                "--overall-timeout=9s",
                "--attempt-timeout=1100ms",
                "--max-retries=3",
                "--initial-backoff=12ms",
                "--max-backoff=PT0.013S",
                "--jitter=none",
                "--attempt-fit=clipped",
                "--minimum-attempt=14ms",
                "--cleanup-reserve=15ms",
                "--permit-scope=attempt",
                "--deadline-origin=entry",
                "--max-queue-wait=16ms",
                "--failure-rule=by-effect",
                "--retryable-methods=POST,GET",
                "--retryable-statuses=599,425",
                "--effect-free-statuses=425",
                "--server-delay-cap=17s",
                "--policy-version=v9");

        assertThat(policy.overallTimeoutNanos()).isEqualTo(9_000_000_000L);
        assertThat(policy.attemptTimeoutNanos()).isEqualTo(1_100_000_000L);
        assertThat(policy.maxRetries()).isEqualTo(3);
        assertThat(policy.initialBackoffNanos()).isEqualTo(12_000_000L);
        assertThat(policy.maxBackoffNanos()).isEqualTo(13_000_000L);
        assertThat(policy.jitter()).isEqualTo(Jitter.NONE);
        assertThat(policy.attemptFit()).isEqualTo(AttemptFit.CLIPPED);
        assertThat(policy.minimumAttemptNanos()).isEqualTo(14_000_000L);
        assertThat(policy.cleanupReserveNanos()).isEqualTo(15_000_000L);
        assertThat(policy.permitScope()).isEqualTo(PermitScope.ATTEMPT);
        assertThat(policy.deadlineOrigin()).isEqualTo(DeadlineOrigin.ENTRY);
        assertThat(policy.maxQueueWaitNanos()).isEqualTo(16_000_000L);
        assertThat(policy.failureRule()).isEqualTo(FailureRule.BY_EFFECT);
        assertThat(policy.retryableMethods()).containsExactlyInAnyOrder(Method.POST, Method.GET);
        assertThat(retried(policy)).containsExactly(425, 599);
        assertThat(policy.provesNoEffect(425)).isTrue();
        assertThat(policy.serverDelayCapNanos()).isEqualTo(17_000_000_000L);
        assertThat(policy.version()).isEqualTo("v9");
    }

    @Test
    @DisplayName("P1 every option of policy and breakers reaches its setting, as it is written")
    void everyKnobHasItsEffect() {
        Map<Knob, String> other = new EnumMap<>(Knob.class);
        Map<String, String> library = new UpstreamSettings(Policy.standard(), BreakerSettings.standard()).toMap();
        for (Knob knob : Knob.values()) {
            other.put(
                    knob,
                    switch (knob.label) {
                        case "TIME" -> "31s";
                        case "N" -> "30";
                        case "R" -> "0.25";
                        case "METHODS" -> "POST";
                        case "STATUSES" -> "599";
                        case "NAME" -> "other";
                        case "WORD" -> "symmetric:7";
                        case "RULE" -> "by-effect";
                        case "CHOICE" -> "keyed";
                        default -> knob.label.substring(knob.label.indexOf('|') + 1);
                    });
        }
        other.put(Knob.ATTEMPT_FIT, "clipped");
        other.put(Knob.DEADLINE_ORIGIN, "entry");
        other.put(Knob.RETRY_AFTER_DATES, "read");
        other.remove(Knob.BREAKER_COUNT_WINDOW);

        Map<String, String> read = upstream(other.entrySet().stream()
                        .map(given -> given.getKey().option + "=" + given.getValue())
                        .toArray(String[]::new))
                .toMap();

        assertThat(read.keySet()).containsAll(library.keySet());
        other.forEach((knob, text) -> {
            if (knob != Knob.BUDGET && knob != Knob.BREAKER) {
                assertThat(read).containsEntry(knob.key, text);
            }
        });
        assertThat(upstream("--breaker-count-window=50").toMap()).containsEntry("breaker-count-window", "50");
    }

    @Test
    @DisplayName("E5 --json and --summary ask for full reports, unless told otherwise")
    void asksForFullReports() {
        assertThat(policy("--json").reportDetail()).isEqualTo(ReportDetail.FULL);
        assertThat(policy("--summary").reportDetail()).isEqualTo(ReportDetail.FULL);
        assertThat(policy("--summary", "--report-detail=basic").reportDetail()).isEqualTo(ReportDetail.BASIC);
        assertThat(policy("--report-detail=full").reportDetail()).isEqualTo(ReportDetail.FULL);
    }

    @Test
    @DisplayName("P3 a budget of 0 and empty sets are choices too")
    void emptyChoices() {
        Policy policy = policy("--overall-timeout=0", "--retryable-methods=none", "--retryable-statuses=none");

        assertThat(policy.overallTimeoutNanos()).isZero();
        assertThat(policy.retryableMethods()).isEmpty();
        assertThat(retried(policy)).isEmpty();
    }

    @Test
    @DisplayName("P7 the help says of every option with a value what its default is, and it is true")
    void helpTellsTheDefaults() {
        List<OptionSpec> options = Main.commandLine(new CheckerCommand()).getCommandSpec().options().stream()
                .filter(option ->
                        option.arity().max() > 0 && !option.longestName().equals("--trust"))
                .toList();
        Policy library = policy();

        assertThat(options)
                .hasSizeGreaterThan(20)
                .allSatisfy(option -> assertThat(help(option.longestName()))
                        .contains(" Default: ")
                        .endsWith("."));
        assertThat(help("--overall-timeout")).contains("Default: 10s, with --demo 30s.");
        assertThat(help("--attempt-timeout")).contains("Default: 0.4 of the overall timeout.");
        assertThat(library.attemptTimeoutNanos() * 10).isEqualTo(library.overallTimeoutNanos() * 4);
        assertThat(help("--max-queue-wait")).contains("Default: 0.1 of the overall timeout.");
        assertThat(library.maxQueueWaitNanos() * 10).isEqualTo(library.overallTimeoutNanos());
        assertSamePolicy(
                "--overall-timeout=10s",
                "--max-retries=" + told("--max-retries"),
                "--max-backoff=" + told("--max-backoff"),
                "--attempt-fit=" + told("--attempt-fit"),
                "--minimum-attempt=" + told("--minimum-attempt"),
                "--cleanup-reserve=" + told("--cleanup-reserve"),
                "--permit-scope=" + told("--permit-scope"),
                "--deadline-origin=" + told("--deadline-origin"),
                "--failure-rule=" + told("--failure-rule"),
                "--retryable-methods=" + told("--retryable-methods"),
                "--retryable-statuses=" + told("--retryable-statuses"),
                "--effect-free-statuses=" + told("--effect-free-statuses"),
                "--server-delay-cap=" + told("--server-delay-cap"),
                "--policy-version=" + told("--policy-version"));
        assertThat(help("--initial-backoff")).contains("Default: 25ms, with --demo 10ms.");
        assertThat(library.initialBackoffNanos()).isEqualTo(25_000_000);
        assertThat(help("--jitter")).contains("Default: full, with --demo none.");
        assertThat(library.jitter()).isEqualTo(Jitter.FULL);
        assertThat(help("--concurrency")).contains("Default: " + Defaults.LIST.concurrency + ", with --demo 2.");
    }

    private static void assertSamePolicy(String... options) {
        Policy told = policy(options);
        Policy real = policy();
        assertThat(told).isEqualTo(real);
    }

    /** The value after "Default: ". */
    private static String told(String option) {
        String help = help(option);
        return help.substring(help.indexOf(" Default: ") + " Default: ".length(), help.length() - 1);
    }

    private static String help(String option) {
        return String.join(
                " ",
                Main.commandLine(new CheckerCommand())
                        .getCommandSpec()
                        .findOption(option)
                        .description());
    }

    private static List<Integer> retried(Policy policy) {
        return IntStream.range(0, 1_000).filter(policy::retriesStatus).boxed().toList();
    }

    private static Policy policy(String... args) {
        return upstream(args).policy();
    }

    private static UpstreamSettings upstream(String... args) {
        CheckerCommand command = new CheckerCommand();
        Main.commandLine(command).parseArgs(args);
        Complaints complaints = new Complaints();
        UpstreamSettings upstream = command.upstream(complaints);
        assertThatCode(complaints::throwIfAny).doesNotThrowAnyException();
        return upstream;
    }

    private static String kebab(String name) {
        return "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
