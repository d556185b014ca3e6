/** The settings of a call and the pure decisions taken from them. */
@NullMarked
package dev.escapement.policy;

import org.jspecify.annotations.NullMarked;
