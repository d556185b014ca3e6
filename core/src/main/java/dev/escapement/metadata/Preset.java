package dev.escapement.metadata;

/** Whose words are used: which header fields are written and read. */
public enum Preset {
    /** Nothing is sent. Costs nothing. */
    NONE(new NoDialect()),

    /**
     * As Envoy tells an upstream: {@code x-envoy-expected-rq-timeout-ms}, whole milliseconds, and {@code x-envoy-attempt-count}, from 1.
     */
    ENVOY(new EnvoyDialect()),

    /**
     * As gRPC over HTTP/2 tells a server: {@code grpc-timeout}, 1 to 8 digits and one of {@code H M S m u n}, and
     * {@code grpc-previous-rpc-attempts}, absent on the first.
     */
    GRPC(new GrpcDialect()),

    /**
     * All that is known, each in a field of its own:
     *
     * <ul>
     *   <li>{@code Escapement-Remaining-Ms}: how long the callee may take, whole milliseconds; 0: no time is left;
     *   <li>{@code Escapement-Attempt}: the attempt's ordinal, from 1;
     *   <li>{@code Escapement-Max-Attempts}: how many there can be;
     *   <li>{@code Escapement-Kind}: {@code sequential} or {@code hedge};
     *   <li>{@code Escapement-Previous-Failure}: {@code status}, {@code connect}, {@code transport} or {@code timeout}; absent on the
     *       first;
     *   <li>{@code Escapement-Operation}: the operation's id, if it has one;
     *   <li>{@code Escapement-Retry-Owner}: the token of the layer that retries, if there is one.
     * </ul>
     */
    ESCAPEMENT(new EscapementDialect());

    @SuppressWarnings("ImmutableEnumChecker") // stateless, as every dialect is
    private final Dialect dialect;

    Preset(Dialect dialect) {
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }
}
