package dev.escapement.report;

/** How much the reports of a policy's calls hold (E5). */
public enum ReportDetail {
    /** Ordinals, outcomes, progress, effects, delays. */
    BASIC,
    /** An {@link AttemptDetail} for each attempt as well: where it went, and when it got how far. Costs some clock readings. */
    FULL
}
