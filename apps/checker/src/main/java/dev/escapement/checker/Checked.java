package dev.escapement.checker;

/**
 * How a run went.
 *
 * @param allWritten every report and the summary reached standard output
 * @param allAnswered that, and every endpoint of the list was answered below 400
 */
record Checked(boolean allWritten, boolean allAnswered) {}
