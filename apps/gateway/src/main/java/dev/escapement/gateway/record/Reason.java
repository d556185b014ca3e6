package dev.escapement.gateway.record;

/**
 * Why an answer is our own, or was cut: one of a closed list, the same in the body of the answer, in {@code Proxy-Status}, in the log and in
 * the metrics. {@code error} is the type of RFC 9209 §2.3; {@code flag} is Envoy's letter, so that dashboards know it.
 */
public enum Reason {
    NO_ROUTE("no-route", 404, "destination_not_found", "NR", false),
    QUEUE_FULL("queue-full", 503, "connection_limit_reached", "UO", true),
    QUEUE_WAIT("queue-wait", 503, "connection_limit_reached", "UO", true),
    BREAKER_OPEN("breaker-open", 503, "destination_unavailable", "UH", true),
    SHUTTING_DOWN("shutting-down", 503, "proxy_internal_response", "-", true),
    DNS("dns", 502, "dns_error", "DF", true),
    DNS_TIMEOUT("dns", 504, "dns_timeout", "DF", true),
    CONNECT("connect", 502, "connection_refused", "UF", true),
    UNROUTABLE("connect", 502, "destination_ip_unroutable", "UF", true),
    CONNECT_TIMEOUT("connect-timeout", 504, "connection_timeout", "UF", true),
    /** The transport's own limit of connections. */
    CONNECTIONS_USED("queue-full", 503, "connection_limit_reached", "UO", true),
    TLS("tls", 502, "tls_protocol_error", "UF", true),
    TLS_CERTIFICATE("tls", 502, "tls_certificate_error", "UF", false),
    RESET("reset", 502, "connection_terminated", "UC", false),
    STALE("stale", 502, "connection_terminated", "UC", false),
    MALFORMED("malformed", 502, "http_protocol_error", "UPE", false),
    HEAD_TOO_LARGE("head-too-large", 502, "http_response_header_section_size", "UPE", false),
    ATTEMPT_TIMEOUT("attempt-timeout", 504, "http_response_timeout", "UT", false),
    DEADLINE("deadline", 504, "http_response_timeout", "UT", false),
    POLICY("policy", 500, "proxy_configuration_error", "-", false),
    BUG("bug", 500, "proxy_internal_error", "-", false),
    /** The rule says more: {@link RequestRecord#refusal}. */
    REFUSED("refused", 400, "http_request_error", "DPE", false),
    TOO_SLOW("too-slow", 408, "http_request_error", "SI", true),
    DENIED("denied", 400, "http_request_denied", "DPE", false),
    METHOD("method", 405, "http_request_error", "DPE", false),
    UPGRADE("upgrade", 501, "http_request_error", "DPE", false),
    SWITCHED("upgrade", 502, "http_upgrade_failed", "UPE", false),
    LOOP("loop", 502, "proxy_loop_detected", "-", false),
    /** In the log alone. */
    CLIENT_CLOSED("client-closed", 499, "-", "DC", false),
    CUT_UPSTREAM("cut-upstream", 0, "http_response_incomplete", "UC", false),
    CUT_IDLE("cut-idle", 0, "connection_read_timeout", "SI", false),
    CUT_DEADLINE("cut-deadline", 0, "http_response_timeout", "UT", false),
    CUT_SLOW_CLIENT("cut-slow-client", 0, "connection_write_timeout", "SI", false),
    CUT_SHUTDOWN("cut-shutdown", 0, "proxy_internal_response", "-", false);

    private final String word;
    private final int status;
    private final String error;
    private final String flag;
    private final boolean repeatable;

    Reason(String word, int status, String error, String flag, boolean repeatable) {
        this.word = word;
        this.status = status;
        this.error = error;
        this.flag = flag;
        this.repeatable = repeatable;
    }

    /** Its name for people and machines. */
    public String word() {
        return word;
    }

    /** Of the answer; 0 where a head was sent already. */
    public int status() {
        return status;
    }

    public String error() {
        return error;
    }

    public String flag() {
        return flag;
    }

    /** Whether nothing of the request was acted upon, so that its sender may repeat it. */
    public boolean repeatable() {
        return repeatable;
    }
}
