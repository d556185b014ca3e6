package dev.escapement.gateway.reload;

import java.nio.charset.StandardCharsets;

/** Configurations for tests of reloading. */
final class Texts {

    private Texts() {}

    /** A good one, told apart by its name. */
    static byte[] named(String name) {
        return ("name: " + name + """

                upstreams: {u: {endpoints: "http://127.0.0.1:9000"}}
                routes: [{name: all, upstream: u}]
                """).getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
