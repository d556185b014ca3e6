package dev.escapement.gateway.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Six upstreams, a configuration that leads to each by a path of its name, and what to try. Owned by who started it. */
public final class Demo implements AutoCloseable {

    private final WellBehaved healthy;
    private final WellBehaved flaky;
    private final WellBehaved slow;
    private final Unheard down;
    private final Misbehaving stalls;
    private final Misbehaving early;

    private Demo() throws IOException {
        healthy = WellBehaved.healthy();
        flaky = WellBehaved.flaky();
        slow = WellBehaved.slow();
        down = new Unheard();
        stalls = Misbehaving.stalling();
        early = Misbehaving.early();
    }

    /** Starts the upstreams on free ports of loopback. */
    public static Demo start() throws IOException {
        return new Demo();
    }

    /** The configuration that leads to them. */
    public byte[] configuration() {
        return """
                    name: demo
                    policies:
                      default: {timeout: 2s, attempt-timeout: 800ms}
                    upstreams:
                      healthy: {endpoints: "%s"}
                      flaky: {endpoints: "%s"}
                      slow: {endpoints: "%s"}
                      down: {endpoints: "%s"}
                      stalls: {endpoints: "%s"}
                      early: {endpoints: "%s"}
                    routes:
                      - {name: healthy, upstream: healthy}
                      - {name: flaky, match: {prefix: /flaky}, upstream: flaky}
                      - {name: slow, match: {prefix: /slow}, upstream: slow}
                      - {name: down, match: {prefix: /down}, upstream: down}
                      - {name: stalls, match: {prefix: /stalls}, upstream: stalls, body-idle-timeout: 2s}
                      - {name: early, match: {prefix: /early}, upstream: early}
                    """.formatted(
                        url(healthy.address()),
                        url(flaky.address()),
                        url(slow.address()),
                        url(down.address()),
                        url(stalls.address()),
                        url(early.address()))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** What to try, when the gateway listens there. */
    public static String invitation(InetSocketAddress listen, InetSocketAddress admin) {
        return """
                    This is the demo: no configuration was given (--config FILE). Try

                      curl -i %1$s/            an upstream in good health
                      curl -i %1$s/flaky       every other answer is 503; a GET is repeated, so 200
                      curl -i -d x %1$s/flaky  a POST is not repeated (RFC 9110 9.2.2), so every other one is 503
                      curl -i %1$s/slow        answers after 300 ms
                      curl -i %1$s/down        nobody listens there: 502, and 503 once the breaker is open
                      curl -i %1$s/stalls      half a body, then nothing: cut after 2 s
                      curl -i -T FILE %1$s/early  answers before it has read the body

                    and see what became of it at %2$s/ in a browser.
                    """.formatted(url(listen), url(admin));
    }

    private static String url(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** Stops them at once. */
    @Override
    public void close() {
        healthy.close();
        flaky.close();
        slow.close();
        down.close();
        stalls.close();
        early.close();
    }
}
