package dev.escapement.gateway.config;

import java.nio.file.Path;

/**
 * How TLS is spoken with clients. Immutable.
 *
 * @param certificate PEM, the chain with the leaf first
 * @param key PEM, PKCS #8
 */
public record InboundTls(Path certificate, Path key) {}
