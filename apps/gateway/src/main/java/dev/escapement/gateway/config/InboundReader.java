package dev.escapement.gateway.config;

import static dev.escapement.gateway.config.Defaults.INBOUND;
import static dev.escapement.gateway.config.ValueText.UNLIMITED;

import dev.escapement.gateway.config.InboundConfig.HalfClose;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code inbound}: what clients may ask, and how long they may take. Confined to the thread that reads. */
final class InboundReader {

    /** A timeout of anything. */
    static final ValueText<Duration> TIME = ValueText.duration(Duration.ofMillis(1));

    private static final int KIB = 1_024;
    private static final int MIB = KIB * KIB;
    private static final long LARGEST_BODY = 1L << 40;

    /** Of a body; also that of routes. */
    static final ValueText<Long> BODY_SIZE = ValueText.size(0, LARGEST_BODY).or(UNLIMITED, Defaults.UNLIMITED_BYTES);

    /** How long a body may stand still; also that of routes. */
    static final ValueText<Duration> STANDSTILL = TIME.or(UNLIMITED, Defaults.UNLIMITED_TIME);

    static final ValueText<Integer> REQUESTS = ValueText.count(1, 100_000_000).or(UNLIMITED, Defaults.UNLIMITED_COUNT);
    static final ValueText<Integer> HEAD_SIZE = ValueText.smallSize(KIB, MIB);
    static final ValueText<Integer> BUFFERED_SIZE = ValueText.smallSize(0, MIB);
    static final ValueText<HalfClose> HALF_CLOSE = ValueText.words(HalfClose.class);

    private final PemFiles files;

    InboundReader(PemFiles files) {
        this.files = files;
    }

    /** @param running what is in force, of which TLS can only change with a restart */
    InboundConfig read(Section section, Optional<InboundConfig> running) {
        InboundConfig read = new InboundConfig(
                section.value("head-timeout", TIME, INBOUND.headTimeout()),
                section.value("body-idle-timeout", STANDSTILL, INBOUND.bodyIdleTimeout()),
                section.value("write-idle-timeout", STANDSTILL, INBOUND.writeIdleTimeout()),
                section.value("keep-alive-timeout", TIME, INBOUND.keepAliveTimeout()),
                section.value("max-requests", REQUESTS, INBOUND.maxRequests()),
                section.value("max-age", STANDSTILL, INBOUND.maxAge()),
                section.value("max-head", HEAD_SIZE, INBOUND.maxHeadBytes()),
                section.value("max-fields", ValueText.count(1, 10_000), INBOUND.maxFields()),
                section.value("max-request-line", HEAD_SIZE, INBOUND.maxRequestLineBytes()),
                section.value("max-body", BODY_SIZE, INBOUND.maxBodyBytes()),
                section.value("replay-body", BUFFERED_SIZE, INBOUND.replayBodyBytes()),
                section.value("continue-wait", TIME, INBOUND.continueWait()),
                section.value("max-connections", ValueText.count(1, 1_000_000), INBOUND.maxConnections()),
                section.value("linger-time", ValueText.duration(Duration.ZERO), INBOUND.lingerTime()),
                section.value("linger-size", BUFFERED_SIZE, INBOUND.lingerBytes()),
                section.value("on-client-half-close", HALF_CLOSE, INBOUND.halfClose()),
                section.section("tls").flatMap(this::tls));
        if (running.isPresent() && !running.get().tls().equals(read.tls())) {
            section.fault("tls", "another identity, or none, needs a restart");
        }
        if (read.maxRequestLineBytes() > read.maxHeadBytes()) {
            section.fault(
                    "max-request-line",
                    SizeText.write(read.maxRequestLineBytes()) + ": expected no more than the "
                            + SizeText.write(read.maxHeadBytes()) + " of a whole head");
        }
        section.end();
        return read;
    }

    private Optional<InboundTls> tls(Section section) {
        Optional<InboundTls> identity = files.identity(section);
        section.end();
        return identity;
    }
}
