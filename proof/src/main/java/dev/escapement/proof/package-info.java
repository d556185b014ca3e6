/**
 * Would anybody notice if it were wrong?
 *
 * <p>A check that has never failed proves little. This room breaks the shipped sources on purpose, one text at a time:
 * {@link dev.escapement.proof.SourcePatch} says where and how, {@link dev.escapement.proof.PatchedClasses} is what the compiler
 * makes of it, and {@link dev.escapement.proof.PatchedLoader} is a world in which the broken classes stand in place of the
 * shipped ones. Nothing is written into the module that is broken.
 *
 * <p>Races are stressed in {@link dev.escapement.proof.stress}, as the sources are and with an access weakened; the races
 * themselves stand in the packages of what they stress, on the class path, so that they reach what is package-private there.
 *
 * <p>Any thread; each value is used by one at a time. Nothing in here is published.
 */
@NullMarked
package dev.escapement.proof;

import org.jspecify.annotations.NullMarked;
