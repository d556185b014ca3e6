package dev.escapement.gateway.config;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where the command line says to listen, which beats every version of the configuration. Immutable.
 *
 * @param listen for clients; as the configuration says if empty
 * @param admin for operators; as the configuration says if empty
 */
public record Addresses(Optional<InetSocketAddress> listen, Optional<InetSocketAddress> admin) {

    /** As the configuration says. */
    public static final Addresses OF_TEXT = new Addresses(Optional.empty(), Optional.empty());

    /** An address as it is written in a configuration and on the command line. */
    public static Optional<InetSocketAddress> read(String text) {
        return Texts.ADDRESS.read(text);
    }

    /** What {@link #read} takes, for messages. */
    public static String expected() {
        return Texts.ADDRESS.expected();
    }

    /** The address as {@link #read} takes it. */
    public static String write(InetSocketAddress address) {
        return Texts.ADDRESS.write(address);
    }
}
