/** The interface between a call and the wire, and what the wire reports back. */
@NullMarked
package dev.escapement.transport;

import org.jspecify.annotations.NullMarked;
