/** JMH suites of the engine and its parts. */
@NullMarked
package dev.escapement.benchmarks;

import org.jspecify.annotations.NullMarked;
