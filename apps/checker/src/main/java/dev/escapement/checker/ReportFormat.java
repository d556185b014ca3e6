package dev.escapement.checker;

import dev.escapement.report.Report;

/** How a run is written down: one line a report, and a last one. Pure; called by any thread. */
interface ReportFormat {

    /** The line of one report, without its end. */
    String line(Endpoint endpoint, Report report);

    /** The last line, without its end. */
    String summary(Summary summary);
}
