/** What is told of each request when it has ended, and those who are told. */
@NullMarked
package dev.escapement.gateway.record;

import org.jspecify.annotations.NullMarked;
