package dev.escapement.gateway.config;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host as a tree of path segments. A look goes down along the path as far as there are segments, then up again: the first
 * node that has a route for the request has the most specific one. Immutable once built.
 */
final class PathTree {

    /** Those that say more come first. */
    private static final Comparator<RouteConfig> MORE_SPECIFIC = Comparator.<RouteConfig, Boolean>comparing(
                    route -> route.methods().isEmpty())
            .thenComparing(route -> -route.headers().size());

    private final SegmentNode root = new SegmentNode("", null);

    PathTree(List<RouteConfig> routes) {
        routes.stream().sorted(MORE_SPECIFIC).forEach(this::put);
    }

    private void put(RouteConfig route) {
        String path = route.path();
        SegmentNode node = root;
        boolean everything = !route.exact() && path.equals("/");
        for (int start = 1; start <= path.length() && !everything; ) {
            int end = endOfSegment(path, start);
            node = node.childOrNew(path.substring(start, end));
            start = end + 1;
        }
        (route.exact() ? node.exact : node.prefix).add(new Candidate(route));
    }

    private static int endOfSegment(String path, int start) {
        int slash = path.indexOf('/', start);
        return slash < 0 ? path.length() : slash;
    }

    /** The most specific route of this host; empty if there is none. */
    Optional<RouteConfig> match(String method, String path, Headers headers) {
        SegmentNode node = root;
        int start = 1;
        while (start <= path.length()) {
            int end = endOfSegment(path, start);
            SegmentNode child = node.child(path, start, end);
            if (child == null) {
                break;
            }
            node = child;
            start = end + 1;
        }
        boolean whole = start > path.length();
        Optional<RouteConfig> found = whole ? first(node.exact, method, headers) : Optional.empty();
        for (@Nullable SegmentNode up = node; found.isEmpty() && up != null; up = up.parent) {
            found = first(up.prefix, method, headers);
        }
        return found;
    }

    /** By index, since an iterator would be an object. */
    private static Optional<RouteConfig> first(List<Candidate> candidates, String method, Headers headers) {
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (candidate.takes(method, headers)) {
                return candidate.found;
            }
        }
        return Optional.empty();
    }

    /** A route with what is asked of it in every look. */
    private static final class Candidate {

        /** The answer, made once. */
        private final Optional<RouteConfig> found;

        private final RouteConfig route;

        Candidate(RouteConfig route) {
            this.route = route;
            this.found = Optional.of(route);
        }

        boolean takes(String method, Headers headers) {
            return (route.methods().isEmpty() || route.methods().contains(method))
                    && (route.headers().isEmpty() || hasAll(headers));
        }

        private boolean hasAll(Headers headers) {
            return route.headers().entrySet().stream()
                    .allMatch(wanted ->
                            String.join(", ", headers.all(wanted.getKey())).equals(wanted.getValue())
                                    && headers.contains(wanted.getKey()));
        }
    }

    /** One segment of a path below its parent. Its children lie in an open-addressed table, asked by a part of a text without copying it. */
    private static final class SegmentNode {

        private final String segment;
        private final int hash;
        final @Nullable SegmentNode parent;

        /** The routes whose whole path ends here, and those whose prefix does; the most specific first. */
        final List<Candidate> exact = new ArrayList<>(0);

        final List<Candidate> prefix = new ArrayList<>(0);

        /** A power of two long, at most half full. */
        private @Nullable SegmentNode[] children = new SegmentNode[2];

        private int count;

        SegmentNode(String segment, @Nullable SegmentNode parent) {
            this.segment = segment;
            this.hash = hash(segment, 0, segment.length());
            this.parent = parent;
        }

        private static int hash(String text, int start, int end) {
            int hash = 0;
            for (int i = start; i < end; i++) {
                hash = 31 * hash + text.charAt(i);
            }
            return hash ^ (hash >>> 16);
        }

        @Nullable
        SegmentNode child(String path, int start, int end) {
            int wanted = hash(path, start, end);
            int mask = children.length - 1;
            for (int at = wanted & mask; ; at = (at + 1) & mask) {
                SegmentNode child = children[at];
                if (child == null || (child.hash == wanted && child.is(path, start, end))) {
                    return child;
                }
            }
        }

        private boolean is(String path, int start, int end) {
            return segment.length() == end - start && path.startsWith(segment, start);
        }

        SegmentNode childOrNew(String name) {
            SegmentNode found = child(name, 0, name.length());
            if (found != null) {
                return found;
            }
            if (2 * (count + 1) > children.length) {
                grow();
            }
            SegmentNode child = new SegmentNode(name, this);
            place(children, child);
            count++;
            return child;
        }

        private void grow() {
            @Nullable SegmentNode[] larger = new SegmentNode[2 * children.length];
            for (SegmentNode child : children) {
                if (child != null) {
                    place(larger, child);
                }
            }
            children = larger;
        }

        private static void place(@Nullable SegmentNode[] table, SegmentNode child) {
            int mask = table.length - 1;
            int at = child.hash & mask;
            while (table[at] != null) {
                at = (at + 1) & mask;
            }
            table[at] = child;
        }
    }
}
