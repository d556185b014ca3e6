/**
 * Would the explorer see it?
 *
 * <p>Each planted {@link dev.escapement.proof.faults.Fault} is a mistake that somebody could have made in the engine; the lists
 * beside this file hold them as texts, room by room. {@link dev.escapement.proof.faults.Search} plants one, plays scenarios to what
 * comes of it and counts them until engine and model part; {@link dev.escapement.proof.faults.Census} does so for all,
 * and {@link dev.escapement.proof.faults.PlantedFaults} is the program.
 *
 * <p>Deliberately elsewhere: the scenarios and the model, which know nothing of faults (fixtures).
 */
@NullMarked
package dev.escapement.proof.faults;

import org.jspecify.annotations.NullMarked;
