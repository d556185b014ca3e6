package dev.escapement.gateway.config;

import java.time.Duration;

/**
 * How a graceful stop goes. Immutable.
 *
 * @param drainDelay how long connections are still accepted after the signal
 * @param grace from the signal to the end, the delay included
 */
public record ShutdownConfig(Duration drainDelay, Duration grace) {}
