package dev.escapement.gateway;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.RouteTable;
import dev.escapement.gateway.proxy.Routing;
import dev.escapement.gateway.reload.VersionHook;
import dev.escapement.gateway.upstream.Upstreams;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes of each version of the configuration what requests are served by. One thread at a time. */
final class Versions implements VersionHook<Routing> {

    private final Upstreams upstreams;
    private final Consumer<AccessLogConfig> accessLog;

    /** What was prepared last; until it is committed. */
    private Upstreams.@Nullable Prepared prepared;

    Versions(Upstreams upstreams, Consumer<AccessLogConfig> accessLog) {
        this.upstreams = upstreams;
        this.accessLog = accessLog;
    }

    @Override
    public Routing prepare(GatewayConfig config, Optional<Routing> running) {
        Upstreams.Prepared made =
                upstreams.prepare(config, running.map(Routing::upstreams).orElse(Map.of()));
        prepared = made;
        return new Routing(config, RouteTable.of(config.routes()), made.upstreams());
    }

    @Override
    public void commit(Routing next) {
        Upstreams.Prepared made = prepared;
        if (made == null) {
            throw new IllegalStateException("nothing was prepared");
        }
        prepared = null;
        made.commit();
        accessLog.accept(next.config().accessLog());
    }
}
