/** HTTP/1.1 with clients: requests are read strictly, one at a time, and answered; what is ambiguous goes no further. */
@NullMarked
package dev.escapement.gateway.inbound;

import org.jspecify.annotations.NullMarked;
