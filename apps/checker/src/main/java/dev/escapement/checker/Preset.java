package dev.escapement.checker;

import dev.escapement.policy.Jitter;
import java.time.Duration;

/** The defaults that differ between a list of the caller's and the demo, whose output has to be the same everywhere (V4). */
enum Preset {
    /** The library's own defaults but for the time: a program that has just started is slow, and so are far endpoints. */
    LIST(Duration.ofSeconds(10), Duration.ofMillis(25), Jitter.FULL, 16),
    /** Delays that can be foretold, and time enough for the slowest machine. */
    DEMO(Duration.ofSeconds(30), Duration.ofMillis(10), Jitter.NONE, 2);

    final Duration overallTimeout;
    final Duration initialBackoff;

    @SuppressWarnings("ImmutableEnumChecker") // It is; to say so to the checker would take a dependency in the core.
    final Jitter jitter;

    final int concurrency;

    Preset(Duration overallTimeout, Duration initialBackoff, Jitter jitter, int concurrency) {
        this.overallTimeout = overallTimeout;
        this.initialBackoff = initialBackoff;
        this.jitter = jitter;
        this.concurrency = concurrency;
    }
}
