package dev.escapement.gateway.record;

import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.report.Report;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one request when it has ended: what the access log writes and the metrics count. Written by the request's own loop until
 * it is handed to the {@link RecordSink}; read by anybody from then on.
 *
 * <p>Instants are nanoseconds of the process's monotonic clock; 0 where a step was not reached.
 */
public final class RequestRecord {

    /** Who ended it, as HAProxy's users know it: the first letter of a pair. */
    public enum Ender {
        /** Nobody: it ended well. */
        NONE('-'),
        CLIENT('C'),
        UPSTREAM('S'),
        /** A rule or a limit of ours. */
        PROXY('P'),
        /** A bug of ours, or want of a resource. */
        INTERNAL('I'),
        /** A timeout at the client's side. */
        CLIENT_TIMEOUT('c'),
        /** A timeout at the upstream's side. */
        UPSTREAM_TIMEOUT('s');

        private final char letter;

        Ender(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }

    /** In which phase it ended: the second letter. */
    public enum Phase {
        /** Reading the request. */
        REQUEST('R'),
        /** Waiting for a permit. */
        QUEUE('Q'),
        CONNECT('C'),
        /** Waiting for the answer's head. */
        HEAD('H'),
        /** The answer's body. */
        DATA('D'),
        /** The last bytes to the client. */
        LAST('L'),
        DONE('-');

        private final char letter;

        Phase(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }

    /** The request as far as it was understood. */
    public final InboundRequest request;

    /** The configuration that it was routed by. */
    public final String configVersion;

    /** Wall clock, milliseconds since 1970, of its first byte. */
    public long arrivedMillis;

    public long firstByteNanos;
    public long headNanos;
    /** Its body was read whole. */
    public long bodyReadNanos;
    /** Its call was made. */
    public long callNanos;
    /** The head of its answer was sent. */
    public long answeredNanos;

    public long endedNanos;

    /** By the rules of trusted proxies, as text. */
    public String client = "-";
    /** {@code peer} or {@code x-forwarded-for}. */
    public String clientSource = "peer";

    public Optional<String> requestId = Optional.empty();
    public Optional<String> traceId = Optional.empty();
    public Optional<String> route = Optional.empty();
    public Optional<String> upstream = Optional.empty();
    /** The path that was sent on. */
    public Optional<String> forwardedPath = Optional.empty();

    /** What was sent; 0 if no head was, 499 is told where the client went first. */
    public int status;
    /** The upstream's own, where there was one and ours differs. */
    public OptionalInt upstreamStatus = OptionalInt.empty();

    public long bytesIn;
    public long bytesOut;

    /** Why the answer is our own, or was cut. */
    public Optional<Reason> reason = Optional.empty();
    /** The rule that refused it. */
    public Optional<Refusal> refusal = Optional.empty();

    public Ender ender = Ender.NONE;
    public Phase phase = Phase.DONE;

    /** The call's deadline as an instant; 0 without a call. */
    public long deadlineNanos;

    public boolean draining;

    private Optional<Report> report = Optional.empty();
    private List<Tried> tried = List.of();

    /** Of the whole request, made by whoever asks first once it has ended. */
    private @Nullable TimeParts parts;

    public RequestRecord(InboundRequest request, String configVersion) {
        this.request = request;
        this.configVersion = configVersion;
    }

    /** Its call has ended so. */
    public void report(Report ended) {
        report = Optional.of(ended);
        tried = ended.attemptReports().stream().map(Tried::of).toList();
    }

    /** What the engine knows; its responses have been read or released. Empty without a call, and while it runs. */
    public Optional<Report> report() {
        return report;
    }

    /** The attempts of its call, in order. */
    public List<Tried> tried() {
        return tried;
    }

    /** The parts of its time; up to that instant where it goes on. */
    TimeParts parts(long nowNanos) {
        if (endedNanos == 0) {
            return TimeParts.of(this, nowNanos);
        }
        TimeParts known = parts;
        if (known == null) {
            known = TimeParts.of(this, endedNanos);
            parts = known;
        }
        return known;
    }
}
