/** The command line checker. */
@NullMarked
package dev.escapement.checker;

import org.jspecify.annotations.NullMarked;
