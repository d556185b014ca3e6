package dev.escapement.netty.scenes;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How a scene is played. */
enum Mode {
    /** In the clear; what the server sends arrives as it comes. By epoll, where that is. */
    PLAIN,
    /** In the clear, and the client reads every byte by itself. By NIO. */
    SPLIT,
    /** Over TLS. By OpenSSL, where that is. */
    TLS,
    /** Over TLS by the JDK's engine. By NIO. */
    JDK_TLS,
    /** The response is taken in parts, in the clear, and the client reads every byte by itself, so that the head always comes first. By NIO. */
    STREAMED,
    /** The response is taken in parts, over TLS. By OpenSSL, where that is. */
    STREAMED_TLS;

    /** Those in which a scene is played that does not say. */
    static final Set<Mode> USUAL = EnumSet.of(PLAIN, SPLIT, TLS, STREAMED);

    /** The one with that word. */
    static Mode of(String word) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mode " + word));
    }

    boolean isSplit() {
        return this == SPLIT || this == STREAMED;
    }

    boolean isSecure() {
        return this == TLS || this == JDK_TLS || this == STREAMED_TLS;
    }

    boolean isStreamed() {
        return this == STREAMED || this == STREAMED_TLS;
    }

    /** Whether everything is the JDK's own. */
    boolean isPureJava() {
        return isSplit() || this == JDK_TLS;
    }

    /** By which words a scene may say what it expects in this mode, the most special first; after them what it expects in general. */
    List<String> expectWords() {
        return switch (this) {
            case PLAIN -> List.of("plain");
            case SPLIT -> List.of("split");
            case TLS -> List.of("tls");
            case JDK_TLS -> List.of("jdk-tls", "tls");
            case STREAMED -> List.of("streamed", "split");
            case STREAMED_TLS -> List.of("streamed-tls", "streamed", "tls");
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
