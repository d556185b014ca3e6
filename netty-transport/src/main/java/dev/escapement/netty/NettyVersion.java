package dev.escapement.netty;

import io.netty.util.Version;
import java.util.Map;

/**
 * Refuses a Netty older than 4.2.18 on the class path: TLS without a host name check and request smuggling were mended in the
 * versions before it.
 *
 * <p>Netty's jars say their version in a resource. Where that was stripped nothing can be told, and nothing is refused.
 */
final class NettyVersion {

    static final String FLOOR = "4.2.18";

    private static final String[] USED = {
        "netty-common",
        "netty-buffer",
        "netty-transport",
        "netty-handler",
        "netty-codec-base",
        "netty-codec-dns",
        "netty-resolver",
        "netty-resolver-dns",
        "netty-transport-classes-epoll",
        "netty-transport-classes-io_uring"
    };

    private NettyVersion() {}

    /**
     * Looks at what is on the class path.
     *
     * @throws IllegalStateException naming the artifacts that are too old
     */
    static void requireFloor() {
        String old = tooOld(Version.identify(NettyVersion.class.getClassLoader()));
        if (!old.isEmpty()) {
            throw new IllegalStateException("Netty on the class path: " + old + ", expected " + FLOOR + " or later");
        }
    }

    private static String tooOld(Map<String, Version> versions) {
        StringBuilder old = new StringBuilder();
        for (String artifact : USED) {
            Version version = versions.get(artifact);
            if (version != null && isBelow(version.artifactVersion(), FLOOR)) {
                old.append(old.isEmpty() ? "" : ", ")
                        .append(artifact)
                        .append(' ')
                        .append(version.artifactVersion());
            }
        }
        return old.toString();
    }

    /**
     * Whether a version comes before a floor, both by their leading numbers; a qualifier such as {@code Final} says nothing,
     * and a part that is missing or no number counts as 0.
     */
    static boolean isBelow(String version, String floor) {
        String[] parts = version.split("[.\\-]", -1);
        String[] floorParts = floor.split("\\.", -1);
        for (int i = 0; i < floorParts.length; i++) {
            int difference = Integer.compare(i < parts.length ? number(parts[i]) : 0, number(floorParts[i]));
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }

    private static int number(String part) {
        int number = 0;
        for (int i = 0; i < part.length() && i < 9; i++) {
            int digit = part.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return number;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
