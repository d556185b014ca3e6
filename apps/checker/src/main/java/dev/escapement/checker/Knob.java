package dev.escapement.checker;

import java.util.Arrays;
import java.util.Locale;

/**
 * One setting of the upstream that is asked: a key of {@link dev.escapement.policy.UpstreamSettings}, and the words of the
 * help on its option. In the order of the help.
 *
 * <p>What values it can have, and which it has unless said, is not known here: the library reads and checks the text, and
 * {@link Defaults} holds the checker's own choices.
 */
enum Knob {
    OVERALL_TIMEOUT("TIME", "The longest an endpoint may take, all attempts and pauses included."),
    ATTEMPT_TIMEOUT("TIME", "The longest one attempt may take, connecting included.", "0.4 of the overall timeout"),
    MAX_RETRIES("N", "Attempts after the first, 0 to 31."),
    INITIAL_BACKOFF("TIME", "The pause before the first retry; it doubles with each."),
    MAX_BACKOFF("TIME", "The longest such pause."),
    JITTER(
            "WORD",
            "How pauses are spread: none; full, from 0 on; equal, from half on; symmetric:20, so many percent up and"
                    + " down; decorrelated, up to three times the last one."),
    ATTEMPT_FIT(
            "whole|clipped",
            "A retry needs its whole attempt timeout before the deadline, or only the minimum attempt."),
    MINIMUM_ATTEMPT("TIME", "The shortest useful retry, where the fit is clipped."),
    CLEANUP_RESERVE("TIME", "What attempts leave of the overall timeout for cleaning up."),
    PERMIT_SCOPE(
            "call|attempt",
            "What one of the --concurrency permits covers: an endpoint with all its pauses, or one attempt."),
    DEADLINE_ORIGIN("entry|permit", "The overall timeout counts from the start, or from the permit on."),
    MAX_QUEUE_WAIT(
            "TIME",
            "The longest wait for a permit, where --window is above --concurrency.",
            "0.1 of the overall timeout"),
    FAILURE_RULE(
            "RULE",
            "What is retried where no answer came. connect-failures: those and attempt timeouts; by-effect: also other"
                    + " transient failures, and any method if nothing was written."),
    DELIVERY(
            "CHOICE",
            "What may be repeated where it may have been done already. at-least-once: by the method; keyed: what carries"
                    + " an idempotency key, so nothing here; at-most-once: nothing."),
    RETRYABLE_METHODS("METHODS", "With commas between them, or none."),
    RETRYABLE_STATUSES("STATUSES", "With commas between them, or none."),
    EFFECT_FREE_STATUSES("STATUSES", "Those after which any method may be repeated, since nothing was done."),
    SERVER_DELAY_CAP("TIME", "A server that asks for a longer pause (Retry-After) gets no retry."),
    SERVER_DELAY_JITTER_PERCENT(
            "N", "How far above it, in percent, a pause that a server asked for may be spread, 0 to 100."),
    RETRY_AFTER_DATES("read|ignored", "Whether a server may say by a date how long to pause."),
    RETRY_FORBIDDING_HEADER("NAME", "An answer with this header is not retried."),
    BUDGET(
            "none|standard",
            "Whether all endpoints share a budget of retries; so do they if one of its options is given."),
    BUDGET_RATIO("R", "So many retries for each endpoint asked within the window, 0 to 1."),
    BUDGET_FLOOR("N", "So many retries a second in any case."),
    BUDGET_WINDOW("TIME", "How far back endpoints and retries count, 1s to 1m."),
    REPORT_DETAIL(
            "basic|full",
            "Whether reports hold where each attempt went and when it got how far.",
            "basic, with --json or --summary full"),
    VERSION("NAME", "What reports call this policy."),
    BREAKER("none|standard", "Whether each host and port has a breaker; so has it if one of these options is given."),
    BREAKER_CONSECUTIVE_FAILURES("N", "So many failures in a row open it; 0: never."),
    BREAKER_FAILURE_RATE_PERCENT("N", "So large a share of failures opens it; 0: none does."),
    BREAKER_MINIMUM_CALLS("N", "How many attempts must have ended in the window before shares count."),
    BREAKER_TIME_WINDOW("TIME", "Shares are those of the attempts that ended within this time."),
    BREAKER_COUNT_WINDOW("N", "Instead: shares are those of so many attempts that ended last.", "none"),
    BREAKER_SLOW_CALL("TIME", "An answer that took so long is slow.", "0.8 of the attempt timeout"),
    BREAKER_SLOW_RATE_PERCENT("N", "So large a share of failures and slow answers opens it; 0: none does."),
    BREAKER_OPEN_PERIOD("TIME", "How long it stays open, and how long the ramp takes after it has closed."),
    BREAKER_TRIALS("N", "How many attempts are tried then, 1 to 64; all must be answered well."),
    BREAKER_TABLE_SIZE("N", "How many hosts and ports are remembered.");

    /** What a key begins with that speaks of the retry budget, and the one that says whether there is any. */
    static final String BUDGET_GROUP = "budget";

    /** The same for the breakers. */
    static final String BREAKER_GROUP = "breaker";

    private static final String TIME = "TIME";

    /** Its name in a map of settings. */
    final String key;

    /** The name of its option. */
    final String option;

    /** What the help writes for its value. */
    final String label;

    final String description;

    /** What the help says of a default that is no value; empty where it is one. */
    final String derived;

    Knob(String label, String description) {
        this(label, description, "");
    }

    Knob(String label, String description, String derived) {
        this.key = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.option = optionOf(key);
        this.label = label;
        this.description = description;
        this.derived = derived;
    }

    /** The option of a key; --version alone means something else. */
    static String optionOf(String key) {
        return key.equals("version") ? "--policy-version" : "--" + key;
    }

    /** Whether there is a knob of that key; what a file says under another one is a fault. */
    static boolean isKey(String key) {
        return Arrays.stream(values()).anyMatch(knob -> knob.key.equals(key));
    }

    boolean isOfBreakers() {
        return key.startsWith(BREAKER_GROUP);
    }

    /** The text as the library reads it: on a command line, no time at all needs no unit. */
    String text(String given) {
        return label.equals(TIME) && given.equals("0") ? "0s" : given;
    }
}
