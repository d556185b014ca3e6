/** The permits that bound how many attempts are in flight, and the limits that move them. */
@NullMarked
package dev.escapement.permit;

import org.jspecify.annotations.NullMarked;
