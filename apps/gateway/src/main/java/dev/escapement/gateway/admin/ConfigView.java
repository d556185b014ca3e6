package dev.escapement.gateway.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The running configuration, and how reading newer ones went. Immutable.
 *
 * @param version the first 8 hexadecimal digits of the SHA-256 of its text
 * @param loadedAt when it was gone over to
 * @param effective all values, defaults filled in and without secrets: texts, and lists and maps of them
 * @param lastError of the newest attempt to read one, if that failed
 * @param reloaded how often a newer one was gone over to
 * @param failed how often one was refused
 * @param versionsAlive how many versions still have requests, the running one included
 */
public record ConfigView(
        String version,
        Instant loadedAt,
        Map<String, Object> effective,
        Optional<Failure> lastError,
        long reloaded,
        long failed,
        int versionsAlive) {

    /**
     * Why the newest text is not in force.
     *
     * @param faults a line each, with file, line and column
     */
    public record Failure(Instant at, List<String> faults) {

        public Failure {
            faults = List.copyOf(faults);
        }
    }
}
