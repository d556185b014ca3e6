package dev.escapement.gateway.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The closed list of labels for a status: registered ones (RFC 9110 §16.2.1) and 499 as they are, others by their class ({@code 5xx}), 0
 * where no head was sent, and {@code _OTHER} for what is no status at all. So a label stays in bounds, whatever an upstream answers. Pure.
 */
final class StatusCodes {

    private static final int FIRST = 100;
    private static final int END = 600;
    private static final int NONE = 0;
    private static final int OTHER = 1;

    private static final int[] REGISTERED = {
        100, 101, 102, 103, 104, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307,
                308, 400, 401, 402,
        403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 425, 426, 428,
                429, 431, 451, 499,
        500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511
    };

    private static final List<String> LABELS =
            new ArrayList<>(List.of("0", "_OTHER", "1xx", "2xx", "3xx", "4xx", "5xx"));
    private static final int[] INDEXES = new int[END - FIRST];

    static {
        for (int status = FIRST; status < END; status++) {
            if (Arrays.binarySearch(REGISTERED, status) >= 0) {
                INDEXES[status - FIRST] = LABELS.size();
                LABELS.add(Integer.toString(status));
            } else {
                INDEXES[status - FIRST] = OTHER + status / FIRST;
            }
        }
    }

    /** How many labels there are. */
    static final int COUNT = LABELS.size();

    private StatusCodes() {}

    /** The place of its label. */
    static int indexOf(int status) {
        if (status == 0) {
            return NONE;
        }
        return status < FIRST || status >= END ? OTHER : INDEXES[status - FIRST];
    }

    static String label(int index) {
        return LABELS.get(index);
    }
}
