/** The upstreams at run time: what carries their calls, and how it goes on through a change of the configuration. */
@NullMarked
package dev.escapement.gateway.upstream;

import org.jspecify.annotations.NullMarked;
