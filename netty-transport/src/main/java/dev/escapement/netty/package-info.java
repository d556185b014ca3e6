/** HTTP/1.1 over Netty, and schedulers that run on its event loops. */
@NullMarked
package dev.escapement.netty;

import org.jspecify.annotations.NullMarked;
