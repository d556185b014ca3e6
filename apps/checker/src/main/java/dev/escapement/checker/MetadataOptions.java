package dev.escapement.checker;

import dev.escapement.call.CallOptions;
import dev.escapement.metadata.Identifiers;
import dev.escapement.metadata.Metadata;
import dev.escapement.metadata.Preset;
import dev.escapement.time.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what each attempt tells the server about itself (M1). */
final class MetadataOptions {

    private static final String IDENTIFIER = "visible ASCII without comma, semicolon, quote and backslash, ";
    private static final String ONLY_ESCAPEMENT = "--metadata=escapement beside it";

    /** A line number may follow. */
    private static final int LONGEST_PREFIX =
            Identifiers.MAX_LENGTH - String.valueOf(Long.MAX_VALUE).length();

    @Option(
            names = "--metadata",
            paramLabel = "WORDS",
            description =
                    "In whose headers each attempt tells how much time is left and which attempt it is: none, envoy,"
                            + " grpc, or escapement. Default: none.")
    private Preset words = Preset.NONE;

    @Option(
            names = "--network-margin",
            paramLabel = "TIME",
            description = "How much of that time is kept back for the way there and back. Default: 0.")
    private @Nullable Duration networkMargin;

    @Option(
            names = "--retry-owner",
            paramLabel = "NAME",
            description =
                    "Tells servers, by --metadata=escapement, that retries are made here, and by whom. Default: none.")
    private @Nullable String retryOwner;

    @Option(
            names = "--operation-prefix",
            paramLabel = "TEXT",
            description = "Names each endpoint's operation, by --metadata=escapement: this, and its line in the list."
                    + " Default: none.")
    private @Nullable String operationPrefix;

    /** What attempts tell; nothing where something is wrong with it, which the complaints are told. */
    Metadata metadata(Complaints complaints) {
        Metadata metadata = Metadata.of(words);
        if (networkMargin != null) {
            metadata = withMargin(metadata, networkMargin, complaints);
        }
        if (retryOwner != null && isName("--retry-owner", retryOwner, Identifiers.MAX_LENGTH, complaints)) {
            metadata = metadata.withRetryOwner(retryOwner);
        }
        if (operationPrefix != null) {
            isName("--operation-prefix", operationPrefix, LONGEST_PREFIX, complaints);
        }
        return metadata;
    }

    private Metadata withMargin(Metadata metadata, Duration margin, Complaints complaints) {
        if (margin.isNegative() || margin.compareTo(Metadata.MAX_NETWORK_MARGIN) > 0) {
            complaints.add(
                    "--network-margin", margin.toString(), "0 to " + DurationText.write(Metadata.MAX_NETWORK_MARGIN));
        } else if (words == Preset.NONE) {
            complaints.add(
                    "--network-margin", DurationText.write(margin), "--metadata=envoy, grpc or escapement beside it");
        } else {
            return metadata.withNetworkMargin(margin);
        }
        return metadata;
    }

    private boolean isName(String option, String text, int longest, Complaints complaints) {
        if (!Identifiers.isAllowed(text) || text.length() > longest) {
            complaints.add(option, Printable.shown(text), IDENTIFIER + "1 to " + longest + " characters");
        } else if (words != Preset.ESCAPEMENT) {
            complaints.add(option, Printable.shown(text), ONLY_ESCAPEMENT);
        } else {
            return true;
        }
        return false;
    }

    /** What the call of an endpoint asks for. */
    CallOptions callOptions(Endpoint endpoint) {
        return operationPrefix == null
                ? CallOptions.none()
                : CallOptions.none().withOperationId(operationPrefix + endpoint.line());
    }
}
