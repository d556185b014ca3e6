/**
 * Does the engine do what the contract says, whatever happens? The command line of the scenario explorer: random scenarios by the
 * million, each played to the engine and judged by a model of the contract.
 *
 * <p>{@link dev.escapement.explorer.Main} starts it, {@link dev.escapement.explorer.ExplorerCommand} reads what is asked for,
 * {@link dev.escapement.explorer.Exploration} plays. Each scenario is confined to the worker thread that plays it. What a scenario
 * is, how it is played and judged, and how it shrinks is elsewhere: {@code dev.escapement.fixtures.explorer}. Rules kept here: V1.
 */
@NullMarked
package dev.escapement.explorer;

import org.jspecify.annotations.NullMarked;
