/**
 * A reverse proxy on the library's public API: the program that it was made for.
 *
 * <p>{@code config} reads and checks a configuration; {@code inbound} speaks HTTP/1.1 with clients and lets nothing ambiguous in; {@code
 * proxy} routes a request, makes its call, and answers; {@code record} is what is told of each request, to the access log and the metrics;
 * {@code admin} is the operators' port. {@link dev.escapement.gateway.Main} reads the command line, {@code Gateway} puts the parts together.
 *
 * <p><b>Threads.</b> A request lives on the event loop of its client's connection, and so does its call. Configurations are immutable and
 * replaced by one volatile write.
 */
@NullMarked
package dev.escapement.gateway;

import org.jspecify.annotations.NullMarked;
