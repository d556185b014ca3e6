package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.report.ReportDetail;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One setting of a {@link Policy}, described once: its name, its text, its default, and which values it may have.
 *
 * <p>The builder, the reader of maps, {@link Policy#toString()} and every fault go by these descriptions, in the order of
 * {@link #ALL}. Immutable.
 *
 * @param <T> the type of its values, themselves immutable
 */
final class Setting<T> {

    // Before the settings, which are built with them.
    private static final Pattern HYPHENATED = Pattern.compile("-([a-z])");
    private static final Duration SHORTEST_RESERVE = Duration.ofMillis(5);
    private static final Duration LONGEST_RESERVE = Duration.ofMillis(100);

    static final Setting<String> VERSION = of("version", Notation.TEXT, "unversioned", Check.any());

    static final Setting<Duration> OVERALL_TIMEOUT = of(
            "overall-timeout",
            Notation.DURATION,
            Policy.STANDARD_OVERALL_TIMEOUT,
            Check.length(PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW));

    static final Setting<Duration> ATTEMPT_TIMEOUT = new Setting<>(
            "attempt-timeout",
            Notation.DURATION,
            Setting::twoFifths,
            Check.positive(PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO)
                    .and(Check.length(PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW)));

    static final Setting<Integer> MAX_RETRIES = of("max-retries", Notation.COUNT, 1, Check.retries());

    static final Setting<Duration> INITIAL_BACKOFF = of(
            "initial-backoff",
            Notation.DURATION,
            Duration.ofMillis(25),
            Check.length(PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW));

    static final Setting<Duration> MAX_BACKOFF = of(
            "max-backoff",
            Notation.DURATION,
            Duration.ofMillis(250),
            Check.length(PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW));

    static final Setting<Jitter> JITTER = of("jitter", Notation.JITTER, Jitter.FULL, Check.any());

    static final Setting<AttemptFit> ATTEMPT_FIT =
            of("attempt-fit", Notation.word(AttemptFit.class), AttemptFit.CLIPPED, Check.any());

    static final Setting<Duration> MINIMUM_ATTEMPT = of(
            "minimum-attempt", Notation.DURATION, Duration.ofMillis(10), Check.length(PolicyFault.Kind.OUT_OF_RANGE));

    static final Setting<Duration> CLEANUP_RESERVE = new Setting<>(
            "cleanup-reserve", Notation.DURATION, Setting::fiftieth, Check.length(PolicyFault.Kind.OUT_OF_RANGE));

    static final Setting<PermitScope> PERMIT_SCOPE =
            of("permit-scope", Notation.word(PermitScope.class), PermitScope.CALL, Check.any());

    static final Setting<DeadlineOrigin> DEADLINE_ORIGIN =
            of("deadline-origin", Notation.word(DeadlineOrigin.class), DeadlineOrigin.ENTRY, Check.any());

    static final Setting<Duration> MAX_QUEUE_WAIT = new Setting<>(
            "max-queue-wait", Notation.DURATION, Setting::tenth, Check.length(PolicyFault.Kind.OUT_OF_RANGE));

    static final Setting<FailureRule> FAILURE_RULE =
            of("failure-rule", Notation.word(FailureRule.class), FailureRule.BY_EFFECT, Check.any());

    static final Setting<Delivery> DELIVERY =
            of("delivery", Notation.word(Delivery.class), Delivery.AT_LEAST_ONCE, Check.any());

    static final Setting<Set<Method>> RETRYABLE_METHODS = of(
            "retryable-methods",
            Notation.METHODS,
            Set.of(Method.GET, Method.HEAD, Method.OPTIONS, Method.TRACE, Method.PUT, Method.DELETE),
            Check.any());

    static final Setting<Set<Integer>> RETRYABLE_STATUSES =
            of("retryable-statuses", Notation.STATUSES, Set.of(408, 429, 500, 502, 503, 504), Check.statuses());

    static final Setting<Set<Integer>> EFFECT_FREE_STATUSES =
            of("effect-free-statuses", Notation.STATUSES, Set.of(), Check.statuses());

    static final Setting<Duration> SERVER_DELAY_CAP = of(
            "server-delay-cap", Notation.DURATION, Duration.ofSeconds(30), Check.length(PolicyFault.Kind.OUT_OF_RANGE));

    static final Setting<Integer> SERVER_DELAY_JITTER_PERCENT =
            of("server-delay-jitter-percent", Notation.COUNT, 10, Check.range(0, 100));

    static final Setting<RetryAfterDates> RETRY_AFTER_DATES =
            of("retry-after-dates", Notation.word(RetryAfterDates.class), RetryAfterDates.READ, Check.any());

    static final Setting<Optional<String>> RETRY_FORBIDDING_HEADER =
            of("retry-forbidding-header", Notation.HEADER_NAME, Optional.empty(), Check.headerName());

    static final Setting<BudgetSettings> BUDGET =
            of("budget", new BudgetText(), BudgetSettings.standard(), Check.any());

    static final Setting<ReportDetail> REPORT_DETAIL =
            of("report-detail", Notation.word(ReportDetail.class), ReportDetail.BASIC, Check.any());

    /** All of them, in the order in which they are listed everywhere. */
    static final List<Setting<?>> ALL = List.of(
            VERSION,
            OVERALL_TIMEOUT,
            ATTEMPT_TIMEOUT,
            MAX_RETRIES,
            INITIAL_BACKOFF,
            MAX_BACKOFF,
            JITTER,
            ATTEMPT_FIT,
            MINIMUM_ATTEMPT,
            CLEANUP_RESERVE,
            PERMIT_SCOPE,
            DEADLINE_ORIGIN,
            MAX_QUEUE_WAIT,
            FAILURE_RULE,
            DELIVERY,
            RETRYABLE_METHODS,
            RETRYABLE_STATUSES,
            EFFECT_FREE_STATUSES,
            SERVER_DELAY_CAP,
            SERVER_DELAY_JITTER_PERCENT,
            RETRY_AFTER_DATES,
            RETRY_FORBIDDING_HEADER,
            BUDGET,
            REPORT_DETAIL);

    /** Its name in a map: {@code attempt-timeout}. */
    final String key;

    /** Its name in the builder: {@code attemptTimeout}. */
    final String name;

    final SettingText<T> text;
    private final Function<Duration, T> preset;
    final Check<T> check;

    private Setting(String key, SettingText<T> text, Function<Duration, T> preset, Check<T> check) {
        this.key = key;
        this.name = HYPHENATED.matcher(key).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
        this.text = text;
        this.preset = preset;
        this.check = check;
    }

    private static <T> Setting<T> of(String key, SettingText<T> text, T preset, Check<T> check) {
        return new Setting<>(key, text, overall -> preset, check);
    }

    /** The value where none is given; some follow the overall timeout (P7). */
    T presetFor(Duration overallTimeout) {
        return preset.apply(overallTimeout.isNegative() ? Duration.ZERO : overallTimeout);
    }

    private static Duration twoFifths(Duration overallTimeout) {
        Duration share = overallTimeout.dividedBy(5).multipliedBy(2);
        return share.isZero() ? Duration.ofNanos(1) : share;
    }

    private static Duration tenth(Duration overallTimeout) {
        return overallTimeout.dividedBy(10);
    }

    private static Duration fiftieth(Duration overallTimeout) {
        Duration share = overallTimeout.dividedBy(50);
        if (share.compareTo(SHORTEST_RESERVE) < 0) {
            return SHORTEST_RESERVE;
        }
        return share.compareTo(LONGEST_RESERVE) > 0 ? LONGEST_RESERVE : share;
    }

    @Override
    public String toString() {
        return key;
    }
}
