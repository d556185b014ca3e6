package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which route a request takes. */
class RouteTableTest {

    private static RouteConfig route(
            String name, String host, String path, boolean exact, Set<String> methods, Map<String, String> headers) {
        return new RouteConfig(
                name,
                Optional.of(host).filter(given -> !given.isEmpty()),
                path,
                exact,
                methods,
                headers,
                "u",
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                OptionalLong.empty(),
                Defaults.BODY_IDLE_TIMEOUT,
                false,
                false);
    }

    private static RouteConfig prefix(String path) {
        return route(path, "", path, false, Set.of(), Map.of());
    }

    private static Optional<String> found(RouteTable table, String host, String method, String path) {
        return table.match(host, method, path, Headers.empty()).map(RouteConfig::name);
    }

    @Test
    @DisplayName("A prefix takes whole segments: /a is not /ab")
    void aPrefixMatchesWholeSegments() {
        RouteTable table = RouteTable.of(List.of(prefix("/a"), prefix("/a/b")));

        assertThat(found(table, "h", "GET", "/a")).contains("/a");
        assertThat(found(table, "h", "GET", "/a/")).contains("/a");
        assertThat(found(table, "h", "GET", "/a/x")).contains("/a");
        assertThat(found(table, "h", "GET", "/a/b")).contains("/a/b");
        assertThat(found(table, "h", "GET", "/a/b/c/d")).contains("/a/b");
        assertThat(found(table, "h", "GET", "/a/bc")).contains("/a");
        assertThat(found(table, "h", "GET", "/ab")).isEmpty();
        assertThat(found(table, "h", "GET", "/")).isEmpty();
    }

    @Test
    @DisplayName("An exact path takes itself alone, its last slash included, and beats the same prefix")
    void anExactPathMatchesItselfAlone() {
        RouteTable table = RouteTable.of(List.of(
                prefix("/"),
                route("exact", "", "/a", true, Set.of(), Map.of()),
                route("slash", "", "/a/", true, Set.of(), Map.of()),
                route("root", "", "/", true, Set.of(), Map.of())));

        assertThat(found(table, "h", "GET", "/a")).contains("exact");
        assertThat(found(table, "h", "GET", "/a/")).contains("slash");
        assertThat(found(table, "h", "GET", "/")).contains("root");
        assertThat(found(table, "h", "GET", "/a/b")).contains("/");
    }

    @Test
    @DisplayName("A more specific route that does not take the method leaves the request to the next one")
    void aMoreSpecificRouteOfAnotherMethodStandsAside() {
        RouteTable table = RouteTable.of(List.of(
                route("deep", "h", "/a/b", false, Set.of("PUT"), Map.of()),
                route("wide", "h", "/a", false, Set.of("POST"), Map.of()),
                route("any", "", "/a", false, Set.of("GET"), Map.of())));

        assertThat(found(table, "h", "PUT", "/a/b")).contains("deep");
        assertThat(found(table, "h", "POST", "/a/b")).contains("wide");
        assertThat(found(table, "h", "GET", "/a/b")).contains("any");
        assertThat(found(table, "h", "DELETE", "/a/b")).isEmpty();
    }

    @Test
    @DisplayName("RFC 9110 §5.3: a field on two lines has one value, both with a comma between them")
    void aFieldOnTwoLinesIsOneValue() {
        RouteTable table = RouteTable.of(List.of(
                route("one", "", "/", false, Set.of(), Map.of("k", "1")),
                route("both", "", "/", false, Set.of(), Map.of("k", "1, 2"))));

        assertThat(table.match("h", "GET", "/", Headers.of("K", "1")).map(RouteConfig::name))
                .contains("one");
        assertThat(table.match("h", "GET", "/", Headers.of("K", "1", "k", "2")).map(RouteConfig::name))
                .contains("both");
        assertThat(table.match("h", "GET", "/", Headers.of("k", "2"))).isEmpty();
        assertThat(table.match("h", "GET", "/", Headers.empty())).isEmpty();
    }

    private static final List<String> HOSTS = List.of("", "a.x.y", "b.x.y", "x.y", "y", "*.x.y", "*.y", "*.a.x.y");
    private static final List<String> ASKED_HOSTS = List.of("", "a.x.y", "b.x.y", "c.a.x.y", "x.y", "y", "z", "ax.y");
    private static final List<String> SEGMENTS = List.of("a", "b", "ab", "", "Aa", "BB"); // the last two have one hash
    private static final List<String> METHODS = List.of("GET", "PUT", "POST");
    private static final int TABLES = 400;
    private static final int LOOKS = 60;

    @Test
    @DisplayName("Any table finds what the rule finds by looking at every route, whatever their order")
    void theTableAgreesWithTheRule() {
        long seed = Long.getLong("seed", 20_260_706L);
        Random random = new Random(seed);
        int matched = 0;
        for (int i = 0; i < TABLES; i++) {
            List<RouteConfig> routes = randomRoutes(random);
            RouteTable table = RouteTable.of(routes);
            Collections.shuffle(routes, random);
            RouteTable shuffled = RouteTable.of(routes);
            for (int j = 0; j < LOOKS; j++) {
                String host = any(ASKED_HOSTS, random);
                String method = any(METHODS, random);
                String path = randomPath(random);
                Headers headers = randomHeaders(random);
                Optional<RouteConfig> expected = byTheRule(routes, host, method, path, headers);
                assertThat(table.match(host, method, path, headers))
                        .as("-Dseed=%d, table %d, look %d: %s %s%s %s", seed, i, j, method, host, path, headers)
                        .isEqualTo(expected);
                assertThat(shuffled.match(host, method, path, headers)).isEqualTo(expected);
                matched += expected.isPresent() ? 1 : 0;
            }
        }
        assertThat(matched).isBetween(TABLES * LOOKS / 5, TABLES * LOOKS);
    }

    /** Routes of which no two tie. */
    private static List<RouteConfig> randomRoutes(Random random) {
        Map<List<Object>, RouteConfig> routes = new HashMap<>();
        int count = 1 + random.nextInt(40);
        for (int i = 0; i < count; i++) {
            boolean exact = random.nextInt(3) == 0;
            String path = randomPath(random);
            String trimmed =
                    exact || path.length() == 1 || !path.endsWith("/") ? path : path.substring(0, path.length() - 1);
            Set<String> methods = random.nextBoolean() ? Set.of() : Set.of(any(METHODS, random));
            Map<String, String> headers = random.nextInt(3) == 0 ? Map.of("k", "1") : Map.of();
            String host = random.nextBoolean() ? "" : any(HOSTS, random);
            RouteConfig route = route("r" + i, host, trimmed, exact, methods, headers);
            routes.put(List.of(host, trimmed, exact, methods.isEmpty() ? Set.of() : methods, headers), route);
        }
        return new ArrayList<>(routes.values());
    }

    private static String randomPath(Random random) {
        int segments = random.nextInt(3);
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < segments; i++) {
            path.append('/').append(any(SEGMENTS.subList(0, 3), random));
        }
        String last = any(SEGMENTS, random);
        return path.append('/').append(last).toString();
    }

    private static Headers randomHeaders(Random random) {
        return random.nextBoolean() ? Headers.of("K", "1") : Headers.empty();
    }

    private static <T> T any(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    private static Optional<RouteConfig> byTheRule(
            List<RouteConfig> routes, String host, String method, String path, Headers headers) {
        return routes.stream()
                .filter(route -> takes(route, host, method, path, headers))
                .max(Comparator.<RouteConfig>comparingInt(route -> hostRank(route.host()))
                        .thenComparing(RouteConfig::exact)
                        .thenComparingInt(route ->
                                route.path().equals("/") ? 0 : route.path().length())
                        .thenComparing(route -> !route.methods().isEmpty())
                        .thenComparingInt(route -> route.headers().size()));
    }

    private static int hostRank(Optional<String> host) {
        return host.map(name -> name.startsWith("*.") ? name.length() : 1_000).orElse(0);
    }

    private static boolean takes(RouteConfig route, String host, String method, String path, Headers headers) {
        boolean hostMatches = route.host()
                .map(name -> name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name))
                .orElse(true);
        boolean pathMatches = route.exact()
                ? path.equals(route.path())
                : route.path().equals("/") || path.equals(route.path()) || path.startsWith(route.path() + "/");
        boolean headersMatch = route.headers().entrySet().stream()
                .allMatch(wanted -> Stream.of(wanted.getValue()).toList().equals(headers.all(wanted.getKey())));
        return hostMatches
                && pathMatches
                && headersMatch
                && (route.methods().isEmpty() || route.methods().contains(method));
    }
}
