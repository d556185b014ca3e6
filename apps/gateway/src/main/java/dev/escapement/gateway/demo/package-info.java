/** Upstreams on loopback that behave and misbehave by name, and a configuration in front of them: what the program shows without a file. */
@NullMarked
package dev.escapement.gateway.demo;

import org.jspecify.annotations.NullMarked;
