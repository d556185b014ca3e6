package dev.escapement.gateway.inbound;

/**
 * Why bytes of a client were refused: one of a closed list, the same in the answer, the log and the metrics.
 */
public enum Refusal {
    /** A line that ends or begins as none may: bare CR or LF, a blank before the head, control characters. */
    LINE(400, "line"),
    REQUEST_LINE(400, "request-line"),
    VERSION(505, "version"),
    METHOD(400, "method"),
    METHOD_UNKNOWN(501, "method-unknown"),
    FIELD(400, "field"),
    HOST(400, "host"),
    TARGET(400, "target"),
    /** A path that leaves its root, or hides separators. */
    PATH(400, "path"),
    CONTENT_LENGTH(400, "content-length"),
    TRANSFER_ENCODING(400, "transfer-encoding"),
    CODING_UNKNOWN(501, "coding-unknown"),
    CONNECTION(400, "connection"),
    PHANTOM_BODY(400, "phantom-body"),
    EXPECTATION(417, "expectation"),
    CHUNK(400, "chunk"),
    TRAILER(400, "trailer"),
    HEAD_TOO_LARGE(431, "head-too-large"),
    TOO_MANY_FIELDS(431, "too-many-fields"),
    TARGET_TOO_LONG(414, "target-too-long"),
    BODY_TOO_LARGE(413, "body-too-large"),
    HEAD_TIMEOUT(408, "head-timeout"),
    BODY_IDLE(408, "body-idle");

    private final int status;
    private final String rule;

    Refusal(int status, String rule) {
        this.status = status;
        this.rule = rule;
    }

    public int status() {
        return status;
    }

    /** Its name for people and machines. */
    public String rule() {
        return rule;
    }
}
