/**
 * What becomes of a request: it is routed, its call made, its answer passed on, or an answer of our own given; and one record tells of it.
 *
 * <p>{@link dev.escapement.gateway.proxy.Proxy} takes requests from {@code inbound}; {@code ProxiedRequest} is one of them from its head to
 * its end, on the event loop of its client. {@code RequestFields} and {@code ResponseFields} say which header fields pass; {@code Verdict}
 * says what a report comes to.
 */
@NullMarked
package dev.escapement.gateway.proxy;

import org.jspecify.annotations.NullMarked;
