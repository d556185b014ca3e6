package dev.escapement.placements;

import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PermitScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of the ways in which a policy can be put together, as far as the engine takes another path for it.
 *
 * @param origin counts with {@link PermitScope#CALL} only
 * @param fit counts where there are retries only
 * @param reserve whether cleaning up has time
 * @param guarded with a breaker and a retry budget
 */
record PolicyKind(
        PermitScope scope, DeadlineOrigin origin, AttemptFit fit, Retry retry, boolean reserve, boolean guarded) {

    /** What follows a failed attempt. */
    enum Retry {
        NONE,
        AT_ONCE,
        AFTER_A_PAUSE,
        AT_A_HINT
    }

    /** Each one, without those that differ in what does not count. */
    static List<PolicyKind> all() {
        List<PolicyKind> all = new ArrayList<>();
        for (PermitScope scope : PermitScope.values()) {
            for (DeadlineOrigin origin : DeadlineOrigin.values()) {
                for (AttemptFit fit : AttemptFit.values()) {
                    for (Retry retry : Retry.values()) {
                        for (int flags = 0; flags < 4; flags++) {
                            all.add(new PolicyKind(scope, origin, fit, retry, (flags & 1) != 0, (flags & 2) != 0));
                        }
                    }
                }
            }
        }
        all.removeIf(kind -> kind.scope == PermitScope.ATTEMPT && kind.origin == DeadlineOrigin.PERMIT);
        all.removeIf(kind -> kind.retry == Retry.NONE && kind.fit == AttemptFit.WHOLE);
        return all;
    }

    /** In the words of a policy's settings; the times fit the scenes. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("permit-scope", word(scope));
        settings.put("deadline-origin", word(origin));
        settings.put("attempt-fit", word(fit));
        settings.put("overall-timeout", Scene.overallMs(this) + "ms");
        settings.put("attempt-timeout", Scene.ATTEMPT_MS + "ms");
        settings.put("minimum-attempt", "1ms");
        settings.put("max-queue-wait", Scene.QUEUE_WAIT_MS + "ms");
        settings.put("cleanup-reserve", (reserve ? Scene.RESERVE_MS : 0) + "ms");
        settings.put("max-retries", retry == Retry.NONE ? "0" : "1");
        settings.put("initial-backoff", pauseMs() + "ms");
        settings.put("jitter", "none");
        settings.put("server-delay-jitter-percent", "0");
        settings.put("failure-rule", "by-effect");
        if (guarded) {
            // At once, an open breaker would forbid every retry; later it takes it as a trial.
            settings.put("breaker-consecutive-failures", retry == Retry.AT_ONCE ? "2" : "1");
            settings.put("breaker-open-period", pauseMs() == 0 ? "2ms" : pauseMs() + "ms");
            settings.put("breaker-trials", "1");
            settings.put("budget-ratio", "1");
            settings.put("budget-floor", "0");
        } else {
            settings.put("budget", "none");
        }
        return settings;
    }

    private long pauseMs() {
        return retry == Retry.AFTER_A_PAUSE ? Scene.PAUSE_MS : 0;
    }

    /** Between a failed attempt and the next. */
    long delayMs() {
        return retry == Retry.AT_A_HINT ? Scene.HINT_MS : pauseMs();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return word(scope) + "/" + word(origin) + "/" + word(fit) + "/" + word(retry) + (reserve ? "/reserve" : "")
                + (guarded ? "/guarded" : "");
    }
}
