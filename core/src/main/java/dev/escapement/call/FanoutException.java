package dev.escapement.call;

import dev.escapement.report.Report;
import java.util.List;

/**
 * Some calls of a fan-out broke, or its input or sink did (W3). Raised once, when every started call has ended.
 */
public final class FanoutException extends RuntimeException {

    /** The most messages kept; further ones are only counted. */
    public static final int MAX_MESSAGES = 100;

    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;
    private final transient List<Report> reports;

    FanoutException(long broken, List<String> messages, List<Report> reports) {
        super(broken + " broke: " + String.join("; ", messages));
        this.messages = List.copyOf(messages);
        this.reports = List.copyOf(reports);
    }

    /** What broke, sorted, at most {@link #MAX_MESSAGES}. */
    public List<String> messages() {
        return messages;
    }

    /** The reports of the calls that did not break, in the order of the input; empty for the streaming form, whose sink had them. */
    public List<Report> reports() {
        return reports;
    }
}
