/**
 * Does every endpoint of a list answer? A command line program, and the library's first user.
 *
 * <p>{@link dev.escapement.checker.Main} reads the command line ({@code CheckerCommand}; an option for each {@code Knob} of
 * policy and breakers), reads and checks the whole list before anything is sent ({@code EndpointList}), and runs it
 * ({@code CheckRun}): one client, one fan-out in input order, one line a report ({@code TextFormat}, {@code JsonFormat}), and
 * at the end what they come to ({@code Tally}, {@code Figures}).
 *
 * <p><b>Threads.</b> The main thread reads, validates and writes. The engine's threads pull the next endpoint, turn a report
 * into a line and hand it to the {@code Printer}; they never wait for standard output. The shutdown hook asks the run to
 * stop and waits for it.
 *
 * <p>Rules seen from here: V4 (the exact output), W1–W3 (the fan-out), P2 (faults named by option), P5 (advice), O5
 * (timeouts by progress), S1 (Ctrl-C). The
 * policy is the checker's own: GET, PUT and DELETE, connect failures, whole attempts, the deadline from the permit on.
 */
@NullMarked
package dev.escapement.checker;

import org.jspecify.annotations.NullMarked;
