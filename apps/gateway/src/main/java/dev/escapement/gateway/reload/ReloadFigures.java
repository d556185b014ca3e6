package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.Fault;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How going over to other configurations went so far. Immutable.
 *
 * @param loadedAt when the running version came into force
 * @param lastFailure of the newest attempt, if that failed
 * @param loaded versions that came into force, the first included
 * @param refused attempts that failed
 */
public record ReloadFigures(Instant loadedAt, Optional<Failure> lastFailure, long loaded, long refused) {

    /** Why the newest text is not in force. */
    public record Failure(Instant at, List<Fault> faults) {

        public Failure {
            faults = List.copyOf(faults);
        }
    }

    ReloadFigures loaded(Instant now) {
        return new ReloadFigures(now, Optional.empty(), loaded + 1, refused);
    }

    ReloadFigures unchanged() {
        return new ReloadFigures(loadedAt, Optional.empty(), loaded, refused);
    }

    ReloadFigures refused(Instant now, List<Fault> faults) {
        return new ReloadFigures(loadedAt, Optional.of(new Failure(now, faults)), loaded, refused + 1);
    }
}
