/**
 * Would anybody notice if it were wrong?
 *
 * <p>A check that has never failed proves little. This room breaks the shipped sources on purpose, one text at a time:
 * {@link dev.escapement.proof.SourcePatch} says where and how, {@link dev.escapement.proof.PatchedClasses} is what the compiler
 * makes of it, and {@link dev.escapement.proof.PatchedLoader} is a world in which the broken classes stand in place of the
 * shipped ones. Nothing is written into the module that is broken.
 *
 * <p>Any thread; each value is used by one at a time.
 */
@NullMarked
package dev.escapement.proof;

import org.jspecify.annotations.NullMarked;
