package dev.escapement.gateway.record;

import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import java.util.Optional;

/** One attempt of a request's call, taken out of its report once for all who tell of it. Immutable. */
public record Tried(AttemptReport report, Optional<AttemptDetail> detail) {

    static Tried of(AttemptReport report) {
        return new Tried(report, report.detail());
    }
}
