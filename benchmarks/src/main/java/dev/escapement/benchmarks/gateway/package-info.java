/** The gateway as its users run it, beside a bare proxy and nginx: CPU, bytes and latency of a proxied request, each in a process of its own. */
@NullMarked
package dev.escapement.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
