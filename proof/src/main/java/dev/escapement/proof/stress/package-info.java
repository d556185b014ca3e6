/**
 * Does anything happen in a race that its test does not list? Runs jcstress tests for a moment each, in the running JVM, against
 * the library as it is or with a patched class in front.
 *
 * <p>{@link dev.escapement.proof.stress.Race} is one test, {@link dev.escapement.proof.stress.Sightings} what was seen in it. The long
 * form, with every compiler and all flags, is jcstress's own program: {@code java -jar proof/target/escapement-stress.jar}.
 */
@NullMarked
package dev.escapement.proof.stress;

import org.jspecify.annotations.NullMarked;
