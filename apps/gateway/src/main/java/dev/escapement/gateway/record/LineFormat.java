package dev.escapement.gateway.record;

import java.io.IOException;
import java.io.OutputStream;

/** How a request becomes a line of the access log. Any thread: the writer's and, for a request that still runs, its own loop. */
interface LineFormat {

    /**
     * Writes one line, its end included, in ASCII.
     *
     * @param nowNanos the end so far of a request that still runs
     */
    void write(RequestRecord record, long nowNanos, OutputStream out) throws IOException;
}
