/**
 * The vocabulary of what happened: how a call ended, what is known about it, and why a retry was not made.
 *
 * <p>{@link dev.escapement.report.Outcome} is a closed list (A7); {@link dev.escapement.report.Report} carries one,
 * with the attempts, delays and reasons around it. Values only: nothing here decides or acts, and every value is immutable.
 */
@NullMarked
package dev.escapement.report;

import org.jspecify.annotations.NullMarked;
