package dev.escapement.benchmarks.gateway;

import dev.escapement.benchmarks.LoopbackServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What does a proxied request cost, and how long does it take? The shipped gateway with everything on (deadline, budget, breaker, permits,
 * full reports, metrics, access log to a file), the same without the log, a bare Netty proxy that does none of it, and nginx with its log as
 * a reference.
 *
 * <p>Each is a process of its own, on the first processor; the upstream and the clients are on the others. After a warm-up, rounds
 * alternate between them: first as fast as they answer (CPU and heap bytes a request, requests a second), then at 20 % and 60 % of what the
 * bare proxy could do, each request measured from the instant at which it was to start. Medians of the rounds. What is left out: TLS, large
 * bodies, failures.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.escapement.benchmarks.gateway.GatewayLab [GATEWAY-JAR [ROUNDS [SECONDS]]]},
 * from the root of the repository after {@code mvn package}. By default 3 rounds of 10 s after 30 s of warm-up.
 */
public final class GatewayLab {

    private static final int CONNECTIONS = 64;
    private static final int BODY_BYTES = 128;
    private static final double[] SHARES = {0.2, 0.6};
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    /** One proxy, its clients, and what was measured of it. */
    private record Lane(ProxyProcess proxy, Load load, Map<String, List<Double>> measured) implements AutoCloseable {

        /** Warmed up at once: a connection on which nothing comes is closed. */
        static Lane warm(Duration length, ProxyProcess proxy) {
            try {
                Load load = new Load(proxy.address(), CONNECTIONS);
                load.closed(length.multipliedBy(3));
                return new Lane(proxy, load, new LinkedHashMap<>());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void note(String what, double value) {
            measured.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
        }

        double median(String what) {
            double[] values = measured.getOrDefault(what, List.of()).stream()
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .toArray();
            return values.length == 0 ? Double.NaN : values[values.length / 2];
        }

        @Override
        public void close() {
            load.close();
            try {
                proxy.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private GatewayLab() {}

    /** The program. */
    public static void main(String[] args) throws Exception {
        Path jar = Path.of(args.length > 0 ? args[0] : "apps/gateway/target/escapement-gateway.jar")
                .toAbsolutePath();
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        Duration length = Duration.ofSeconds(args.length > 2 ? Long.parseLong(args[2]) : 10);
        Path directory = Files.createTempDirectory("gateway-lab");
        List<String> pin = pin();
        try (LoopbackServer upstream = LoopbackServer.start(BODY_BYTES)) {
            run(jar, directory, upstream.port(), pin, rounds, length);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void run(Path jar, Path directory, int upstreamPort, List<String> pin, int rounds, Duration length)
            throws IOException {
        List<Lane> lanes = new ArrayList<>();
        try {
            lanes.add(Lane.warm(length, ProxyProcess.gateway(jar, directory, freePort(), upstreamPort, true, pin)));
            lanes.add(Lane.warm(length, ProxyProcess.bare(freePort(), upstreamPort, pin)));
            if (Files.isExecutable(Path.of("/usr/sbin/nginx"))) {
                lanes.add(Lane.warm(
                        length, ProxyProcess.nginx("/usr/sbin/nginx", directory, freePort(), upstreamPort, pin)));
            }
            lanes.add(Lane.warm(length, ProxyProcess.gateway(jar, directory, freePort(), upstreamPort, false, pin)));
            for (int round = 0; round < rounds; round++) {
                lanes.forEach(lane -> asFastAsItAnswers(lane, length));
            }
            double saturated = lanes.get(1).median("requests/s");
            for (double share : SHARES) {
                for (int round = 0; round < rounds; round++) {
                    lanes.forEach(lane -> atARate(lane, share, saturated * share, length));
                }
            }
            print(lanes);
        } finally {
            lanes.forEach(Lane::close);
        }
    }

    private static void asFastAsItAnswers(Lane lane, Duration length) {
        OptionalLong bytesBefore = lane.proxy().allocatedBytes();
        Duration cpuBefore = lane.proxy().cpu();
        Load.Result result = lane.load().closed(length);
        Duration cpu = lane.proxy().cpu().minus(cpuBefore);
        OptionalLong bytes = lane.proxy().allocatedBytes();
        double answers = result.answers();
        lane.note("requests/s", answers / length.toSeconds());
        lane.note("CPU us/request", cpu.toNanos() / 1_000.0 / answers);
        if (bytes.isPresent()) {
            lane.note("B/request", (bytes.getAsLong() - bytesBefore.orElse(0)) / answers);
        }
        lane.note("failures", result.failures());
    }

    private static void atARate(Lane lane, double share, double perSecond, Duration length) {
        Load.Result result = lane.load().open(perSecond, length);
        Histogram latencies = result.latencies();
        String at = " us at " + Math.round(100 * share) + " %";
        lane.note("p50" + at, latencies.getValueAtPercentile(50) / 1_000.0);
        lane.note("p99" + at, latencies.getValueAtPercentile(99) / 1_000.0);
        lane.note("p99.9" + at, latencies.getValueAtPercentile(99.9) / 1_000.0);
        lane.note("failures", result.failures());
    }

    private static void print(List<Lane> lanes) {
        System.out.printf("%-18s", "median of rounds");
        lanes.forEach(lane -> System.out.printf("%14s", lane.proxy().name()));
        System.out.printf("%14s%n", "ratio to bare");
        for (String what : lanes.get(0).measured().keySet()) {
            System.out.printf("%-18s", what);
            lanes.forEach(lane -> System.out.printf("%14.1f", lane.median(what)));
            System.out.printf(
                    "%14.2f%n", lanes.get(0).median(what) / lanes.get(1).median(what));
            lanes.forEach(lane -> System.out.printf(
                    "    %s %s%n",
                    lane.proxy().name(),
                    Arrays.toString(lane.measured().getOrDefault(what, List.of()).stream()
                            .mapToLong(Math::round)
                            .toArray())));
        }
    }

    /**
     * Where there are several processors, keeps this process and those it starts off the first.
     *
     * @return what puts a command on the first; empty where that cannot be
     */
    private static List<String> pin() throws IOException, InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        if (processors < 2 || !Files.isExecutable(TASKSET)) {
            return List.of();
        }
        String others = "1-" + (processors - 1);
        String self = Long.toString(ProcessHandle.current().pid());
        new ProcessBuilder(TASKSET.toString(), "-a", "-p", "-c", others, self)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        return List.of(TASKSET.toString(), "-c", "0");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
