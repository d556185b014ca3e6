package dev.escapement.call;

import dev.escapement.report.Report;

/** Takes the reports of a streaming fan-out in the order of its input, one at a time. */
@FunctionalInterface
public interface ReportSink {

    /**
     * Takes one report; the next is handed over only when this has returned. Whatever it throws fails the fan-out in the end,
     * after all input was called.
     *
     * @param index of the input, from 0
     */
    void accept(long index, Report report);
}
