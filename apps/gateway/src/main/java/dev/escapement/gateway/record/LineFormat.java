package dev.escapement.gateway.record;

import java.io.IOException;
import java.io.OutputStream;

/** How a request becomes a line of the access log. Any thread. */
interface LineFormat {

    /** What writes lines to there. One thread at a time. */
    Lines to(OutputStream out);

    /** A writer of lines that keeps between them what it needs. After it has thrown it is of no use any more. */
    interface Lines {

        /**
         * Writes one line, its end included, in ASCII.
         *
         * @param nowNanos the end so far of a request that still runs
         */
        void write(RequestRecord record, long nowNanos) throws IOException;
    }
}
