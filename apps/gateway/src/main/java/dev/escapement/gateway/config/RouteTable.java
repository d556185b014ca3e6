package dev.escapement.gateway.config;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the route of a request: the most specific one that matches, whatever the order in which they were written.
 *
 * <p>What counts first is the host (exact, then the longest {@code *.} domain, then any), then the path (exact, then the longest prefix of
 * whole segments), then whether methods are named, then how many header fields are. Where a more specific host or path has no route for the
 * request's method or headers, the next one is asked. A configuration in which two routes tie is refused, so there is one answer.
 *
 * <p>Immutable. A look takes a step per segment of the path and label of the host, and makes no object where no route names header fields
 * and no {@code *.} domain.
 */
public final class RouteTable {

    private final Map<String, PathTree> exactHosts = new HashMap<>();
    private final Map<String, PathTree> domains = new HashMap<>();
    private final PathTree anyHost;

    private RouteTable(PathTree anyHost) {
        this.anyHost = anyHost;
    }

    /** Of these routes. */
    public static RouteTable of(List<RouteConfig> routes) {
        Map<Optional<String>, List<RouteConfig>> byHost = new HashMap<>();
        routes.forEach(route ->
                byHost.computeIfAbsent(route.host(), host -> new ArrayList<>()).add(route));
        RouteTable table = new RouteTable(new PathTree(byHost.getOrDefault(Optional.<String>empty(), List.of())));
        byHost.forEach((host, ofHost) -> host.ifPresent(name -> table.put(name, new PathTree(ofHost))));
        return table;
    }

    private void put(String host, PathTree paths) {
        if (host.startsWith("*.")) {
            domains.put(host.substring(2), paths);
        } else {
            exactHosts.put(host, paths);
        }
    }

    /**
     * The route of a request; empty if there is none.
     *
     * @param host in lower case, without port and trailing dot; empty if the request names none
     * @param path normalised, without query
     */
    public Optional<RouteConfig> match(String host, String method, String path, Headers headers) {
        PathTree exact = exactHosts.get(host);
        Optional<RouteConfig> found = exact == null ? Optional.empty() : exact.match(method, path, headers);
        if (!domains.isEmpty()) {
            for (int dot = host.indexOf('.'); found.isEmpty() && dot >= 0; dot = host.indexOf('.', dot + 1)) {
                PathTree below = domains.get(host.substring(dot + 1));
                found = below == null ? found : below.match(method, path, headers);
            }
        }
        return found.isPresent() ? found : anyHost.match(method, path, headers);
    }
}
