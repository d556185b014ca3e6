package dev.escapement.gateway.config;

import dev.escapement.call.Client;
import dev.escapement.gateway.config.RouteReader.Placed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds routes that do not go together: one name for two, two that tie for some request, too many policies for one upstream. */
final class RouteConflicts {

    /** Each is an operation class of the upstream's client; one less, so that there is room for its own. */
    private static final int MOST_POLICIES = Client.MAX_CLASSES - 1;

    private final List<Placed> routes;

    RouteConflicts(List<Placed> routes) {
        this.routes = routes;
    }

    void tell() {
        tellNames();
        tellTies();
        tellPolicies();
    }

    private void tellNames() {
        Map<String, Placed> byName = new HashMap<>();
        for (Placed placed : routes) {
            String name = placed.route().name();
            Placed first = name.isEmpty() ? null : byName.putIfAbsent(name, placed);
            if (first != null) {
                placed.section()
                        .fault(
                                "name",
                                Shown.quoted(name) + " is also the name of "
                                        + first.section().path());
            }
        }
    }

    /** Only routes with the same host and path can tie, and those are few. */
    private void tellTies() {
        Map<List<Object>, List<Placed>> alike = new HashMap<>();
        for (Placed placed : routes) {
            if (!placed.sound()) {
                continue;
            }
            RouteConfig route = placed.route();
            List<Placed> before =
                    alike.computeIfAbsent(List.of(route.host(), route.path(), route.exact()), key -> new ArrayList<>());
            before.stream()
                    .filter(other -> tie(other.route(), route))
                    .findFirst()
                    .ifPresent(other -> placed.section()
                            .fault(
                                    "match",
                                    "ties with " + other.section().path() + ": " + Shown.quoted(route.name()) + " and "
                                            + Shown.quoted(other.route().name())
                                            + " are equally specific, and some requests match both"));
            before.add(placed);
        }
    }

    /** Whether neither is more specific, and a request can match both. */
    private static boolean tie(RouteConfig one, RouteConfig other) {
        boolean sameRank = one.methods().isEmpty() == other.methods().isEmpty()
                && one.headers().size() == other.headers().size();
        boolean sharedMethod = one.methods().isEmpty() || !Collections.disjoint(one.methods(), other.methods());
        boolean sharedHeaders = one.headers().entrySet().stream()
                .allMatch(header ->
                        header.getValue().equals(other.headers().getOrDefault(header.getKey(), header.getValue())));
        return sameRank && sharedMethod && sharedHeaders;
    }

    private void tellPolicies() {
        Map<String, Set<String>> policies = new HashMap<>();
        for (Placed placed : routes) {
            RouteConfig route = placed.route();
            if (route.policyName().isEmpty()) {
                continue;
            }
            Set<String> ofUpstream = policies.computeIfAbsent(route.upstream(), upstream -> new TreeSet<>());
            if (ofUpstream.add(route.policyName().get()) && ofUpstream.size() == MOST_POLICIES + 1) {
                placed.section()
                        .fault(
                                "policy",
                                "the " + ofUpstream.size() + "th policy of routes to upstream "
                                        + Shown.quoted(route.upstream()) + ": expected at most " + MOST_POLICIES);
            }
        }
    }
}
