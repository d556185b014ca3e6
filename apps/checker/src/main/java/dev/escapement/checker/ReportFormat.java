package dev.escapement.checker;

import dev.escapement.report.Report;
import java.util.List;

/** How a run is written down: one line a report, one for the run, and what its figures take. Pure; called by any thread. */
interface ReportFormat {

    /** The line of one report, without its end. */
    String line(Endpoint endpoint, Report report);

    /** The line that stands after all reports, without its end. */
    String summary(Summary summary);

    /** The lines that come last where figures are asked for, without their ends. */
    List<String> figures(Figures figures);
}
