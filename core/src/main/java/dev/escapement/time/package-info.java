/** The monotonic clock, deadline arithmetic, timers and the schedulers that fire them. */
@NullMarked
package dev.escapement.time;

import org.jspecify.annotations.NullMarked;
