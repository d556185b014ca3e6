package dev.escapement.metadata;

import dev.escapement.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client tells the next layer with each attempt (M1). Immutable; belongs to the client.
 *
 * <p>The time told is what the attempt may still take, less a margin for the network, rounded down to the preset's unit; never
 * an instant. Sending costs an attempt its facts, a list of fields, a string for each,
 * and the request with its header array.
 */
public final class Metadata {

    /** The largest network margin. */
    public static final Duration MAX_NETWORK_MARGIN = Duration.ofMinutes(1);

    private static final Metadata NONE = new Metadata(Preset.NONE, 0, null);

    private final Preset preset;
    private final long networkMarginNanos;
    private final @Nullable String retryOwner;

    private Metadata(Preset preset, long networkMarginNanos, @Nullable String retryOwner) {
        this.preset = preset;
        this.networkMarginNanos = networkMarginNanos;
        this.retryOwner = retryOwner;
    }

    /** Tells nothing. */
    public static Metadata none() {
        return NONE;
    }

    /** Tells what that preset has words for, without a network margin. */
    public static Metadata of(Preset preset) {
        return preset == Preset.NONE ? NONE : new Metadata(preset, 0, null);
    }

    /**
     * Keeps back that much of the remaining time for the way there and back, which the callee does not know of.
     *
     * @param margin zero to {@link #MAX_NETWORK_MARGIN}
     * @throws IllegalArgumentException if it is not, or if nothing is told
     */
    public Metadata withNetworkMargin(Duration margin) {
        if (margin.isNegative() || margin.compareTo(MAX_NETWORK_MARGIN) > 0) {
            throw new IllegalArgumentException("network margin " + margin + ": expected zero to " + MAX_NETWORK_MARGIN);
        }
        if (preset == Preset.NONE) {
            throw new IllegalArgumentException("network margin: no time is told by preset " + preset);
        }
        return new Metadata(preset, margin.toNanos(), retryOwner);
    }

    /**
     * Says that this client is the one that retries, so that inner layers leave it alone (M3). Told with attempts that may be followed
     * by another; a token that an outer layer has sent is passed on in its stead.
     *
     * @param token what this layer is called, an identifier ({@link Identifiers})
     * @throws IllegalArgumentException if it is not, or if the preset is not {@link Preset#ESCAPEMENT}
     */
    public Metadata withRetryOwner(String token) {
        if (preset != Preset.ESCAPEMENT) {
            throw new IllegalArgumentException("owner token: preset " + preset + " has no word for it");
        }
        return new Metadata(preset, networkMarginNanos, Identifiers.checked("owner token", token));
    }

    /** Whether nothing is told, so that {@link #decorate} need not be asked. */
    public boolean isNone() {
        return preset == Preset.NONE;
    }

    public Preset preset() {
        return preset;
    }

    /**
     * The request as it goes out with that attempt. Whatever it carried under the preset's names is replaced.
     *
     * @return empty if less than one unit of time is left to tell: there must be no attempt
     */
    public Optional<Request> decorate(Request request, AttemptFacts facts) {
        Dialect dialect = preset.dialect();
        long remainingNanos = facts.remainingNanos() - networkMarginNanos;
        if (remainingNanos < dialect.unitNanos()) {
            return Optional.empty();
        }
        List<String> lines = new ArrayList<>(2 * dialect.names().size());
        dialect.write(facts, remainingNanos, ownerOf(facts), lines);
        return Optional.of(request.replacing(dialect.names(), lines));
    }

    private @Nullable String ownerOf(AttemptFacts facts) {
        return facts.retryOwner().orElse(facts.maxAttempts() > 1 ? retryOwner : null);
    }

    @Override
    public String toString() {
        return preset
                + (networkMarginNanos == 0 ? "" : ", network margin " + Duration.ofNanos(networkMarginNanos))
                + (retryOwner == null ? "" : ", retries owned by " + retryOwner);
    }
}
