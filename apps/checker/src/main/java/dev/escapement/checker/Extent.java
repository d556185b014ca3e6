package dev.escapement.checker;

/** How much of a run is written. */
enum Extent {
    /** The reports, and the line after them. */
    REPORTS,
    /** What all of them come to as well. */
    WITH_FIGURES
}
