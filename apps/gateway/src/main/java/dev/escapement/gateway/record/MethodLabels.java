package dev.escapement.gateway.record;

/** The closed list of labels for a method: those of RFC 9110 §9 and PATCH as they are, all else is {@code _OTHER}. Pure. */
final class MethodLabels {

    private static final String[] LABELS = {
        "_OTHER", "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"
    };

    /** How many labels there are. */
    static final int COUNT = LABELS.length;

    private MethodLabels() {}

    /** The place of its label. */
    static int indexOf(String method) {
        for (int i = 1; i < LABELS.length; i++) {
            if (LABELS[i].equals(method)) {
                return i;
            }
        }
        return 0;
    }

    static String label(int index) {
        return LABELS[index];
    }
}
