package dev.escapement.netty.scenes;

import java.util.Arrays;
import java.util.EnumSet;
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
    JDK_TLS;

    /** Those in which a scene is played that does not say. */
    static final Set<Mode> USUAL = EnumSet.of(PLAIN, SPLIT, TLS);

    /** The one with that word. */
    static Mode of(String word) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mode " + word));
    }

    boolean isSplit() {
        return this == SPLIT;
    }

    boolean isSecure() {
        return this == TLS || this == JDK_TLS;
    }

    /** Whether everything is the JDK's own. */
    boolean isPureJava() {
        return this == SPLIT || this == JDK_TLS;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
