/** The vocabulary of what happened to a call. */
@NullMarked
package dev.escapement.report;

import org.jspecify.annotations.NullMarked;
