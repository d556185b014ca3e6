package dev.escapement.gateway.config;

import java.util.Set;

/**
 * Where each request's line goes, and what stands in it. Immutable.
 *
 * @param path of the file; {@code -} for standard output, {@code off} for nowhere
 * @param query whether queries are told; they may hold secrets
 * @param requestHeaders names in lower case of request fields that are told; never {@code Authorization} and cookies
 * @param queue so many lines may wait for the writer; more are dropped and counted
 */
public record AccessLogConfig(String path, Format format, boolean query, Set<String> requestHeaders, int queue) {

    /** The path that means nowhere. */
    public static final String NOWHERE = "off";

    /** The path that means standard output. */
    public static final String STANDARD_OUTPUT = "-";

    public AccessLogConfig {
        requestHeaders = Set.copyOf(requestHeaders);
    }

    /** How a line looks. */
    public enum Format {
        JSON,
        COMBINED
    }
}
