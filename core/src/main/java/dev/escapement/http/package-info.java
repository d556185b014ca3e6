/**
 * What is said: methods, headers, bodies, requests and responses as immutable values.
 *
 * <p>Nothing here talks to anybody. {@link dev.escapement.http.Request} and {@link dev.escapement.http.Response} are built
 * whole and checked when built, so that header and URI injection cannot reach a transport: a bad one is an
 * {@link IllegalArgumentException} that names the thing, the value and the range. Redirects, cookies, credentials,
 * caching and decompression are deliberately absent (S2).
 */
@NullMarked
package dev.escapement.http;

import org.jspecify.annotations.NullMarked;
