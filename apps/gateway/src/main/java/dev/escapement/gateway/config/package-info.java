/** What a configuration says, as immutable values, and how its text becomes them. */
@NullMarked
package dev.escapement.gateway.config;

import org.jspecify.annotations.NullMarked;
