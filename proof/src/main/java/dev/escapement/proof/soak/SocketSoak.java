package dev.escapement.proof.soak;

import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.PoolStats;
import dev.escapement.netty.TlsSettings;
import dev.escapement.time.Schedulers;
import dev.escapement.time.WheelScheduler;
import java.io.IOException;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ServerSocketFactory;

/**
 * A soak over loopback sockets, in rounds: calls at a steady pace on four {@link Side}s (plain and TLS, at home on event loops and on a
 * wheel, with guards and without), while policies are updated, clients replaced, breakers opened by hand and servers
 * restarted; then rest, in which every call has had one outcome and every figure is where it was.
 *
 * <pre>{@code
 * java -Xmx512m -cp proof/target/escapement-stress.jar dev.escapement.proof.soak.SocketSoak --minutes 30
 * }</pre>
 *
 * <p>Prints a line for each round, and {@code PASSED} or what was wrong; exit code 1 then, 2 on wrong usage.
 */
public final class SocketSoak implements AutoCloseable {

    /** What the whole soak asks for, however long it takes. */
    private static final int CALLS_PER_SECOND = 1_000;

    private static final Duration TICK = Duration.ofMillis(250);
    private static final int MOST_REST_SECONDS = 20;

    private final PrintStream out;
    private final SplittableRandom random;
    private final Tally tally = new Tally();
    private final Arrivals arrivals = new Arrivals();
    private final Flatness flatness = new Flatness();
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final WheelScheduler wheel = new WheelScheduler(executor);
    private final NettyTransport transport;
    private final List<UnrulyServer> servers = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();

    private SocketSoak(long seed, PrintStream out) throws IOException, InterruptedException, GeneralSecurityException {
        this.out = out;
        random = new SplittableRandom(seed);
        SelfSigned tls = SelfSigned.make();
        transport = NettyTransport.builder()
                .eventLoopThreads(2)
                .maxConnectionsPerEndpoint(40)
                .tls(TlsSettings.ofDefaults().withTrustManager(tls.trust()))
                .build();
        UnrulyServer plain = new UnrulyServer("http", ServerSocketFactory.getDefault(), arrivals);
        UnrulyServer secret = new UnrulyServer("https", tls.server().getServerSocketFactory(), arrivals);
        servers.add(plain);
        servers.add(secret);
        Schedulers onTheWheel = Schedulers.of(wheel);
        sides.add(side("plain, loops", transport.schedulers(), plain, false));
        sides.add(side("plain, wheel, guarded", onTheWheel, plain, true));
        sides.add(side("TLS, loops, guarded", transport.schedulers(), secret, true));
        sides.add(side("TLS, wheel", onTheWheel, secret, false));
    }

    private Side side(String name, Schedulers homes, UnrulyServer server, boolean guarded) {
        return new Side(name, transport, homes, server, arrivals, tally, guarded, random.split());
    }

    public static void main(String[] args) throws Exception {
        Quiet.adviceOff();
        long seed = System.nanoTime();
        Duration length = Duration.ofMinutes(30);
        Duration round = Duration.ofSeconds(20);
        for (int i = 0; i + 1 < args.length; i += 2) {
            long value = Long.parseLong(args[i + 1]);
            switch (args[i]) {
                case "--minutes" -> length = Duration.ofMinutes(value);
                case "--round-seconds" -> round = Duration.ofSeconds(value);
                case "--seed" -> seed = value;
                default -> {
                    System.err.println("usage: SocketSoak [--minutes N] [--round-seconds N] [--seed N]");
                    System.exit(2);
                }
            }
        }
        try {
            run(length, round, seed, System.out);
        } catch (AssertionError wrong) {
            wrong.printStackTrace(System.out);
            System.exit(1);
        }
    }

    /**
     * Soaks for about that long, a whole number of rounds and at least one; throws an {@link AssertionError} on anything wrong.
     *
     * @return how many calls were made
     */
    static long run(Duration length, Duration round, long seed, PrintStream out)
            throws IOException, InterruptedException, GeneralSecurityException {
        BufferLeaks.watch();
        out.println("seed=" + seed);
        Gauges before = Gauges.read();
        long endNanos = System.nanoTime() + length.toNanos();
        Tally tally;
        try (SocketSoak soak = new SocketSoak(seed, out)) {
            tally = soak.tally;
            int rounds = 0;
            do {
                soak.round(++rounds, round);
            } while (System.nanoTime() < endNanos);
            soak.flatness.growth().ifPresent(grown -> {
                throw new AssertionError("not flat: " + grown);
            });
        }
        out.println("before: " + before);
        out.println("after:  " + Gauges.read());
        out.println("PASSED " + tally);
        return tally.begun();
    }

    private void round(int number, Duration length) throws IOException, InterruptedException {
        // A watched buffer costs so much that the others would see little traffic.
        boolean paranoid = number % 3 == 1;
        BufferLeaks.watchEvery(paranoid);
        long endNanos = System.nanoTime() + length.toNanos();
        List<Thread> drivers = new ArrayList<>();
        for (Side side : sides) {
            Thread driver = new Thread(() -> drive(side, endNanos), "driver");
            driver.start();
            drivers.add(driver);
        }
        direct(endNanos);
        for (Thread driver : drivers) {
            driver.join();
        }
        tally.awaitQuiet(MOST_REST_SECONDS);
        come(this::held);
        for (UnrulyServer server : servers) {
            // Takes along the connections that wait in the pools: what is open now was opened by nobody.
            server.stop();
            server.start();
        }
        come(this::connected);
        sides.forEach(Side::checkAndForget);
        tally.check();
        arrivals.forget();
        Gauges gauges = Gauges.read();
        BufferLeaks.check();
        flatness.add(gauges);
        out.println("round=" + number + (paranoid ? " paranoid " : " ") + gauges + " " + tally);
    }

    /** Begins calls at a steady pace, and none while a machine that is busy otherwise cannot keep up with it. */
    private void drive(Side side, long endNanos) {
        long stepNanos = TimeUnit.SECONDS.toNanos(1) * sides.size() / CALLS_PER_SECOND;
        for (long nextNanos = System.nanoTime(); nextNanos < endNanos; nextNanos += stepNanos) {
            for (long now = System.nanoTime(); now < nextNanos; now = System.nanoTime()) {
                LockSupport.parkNanos(nextNanos - now);
            }
            if (!side.isFull()) {
                side.callOnce();
            }
        }
    }

    /** Lets things happen to the sides and their servers. */
    private void direct(long endNanos) throws IOException {
        for (long nextNanos = System.nanoTime() + TICK.toNanos(); nextNanos < endNanos; nextNanos += TICK.toNanos()) {
            for (long now = System.nanoTime(); now < nextNanos; now = System.nanoTime()) {
                LockSupport.parkNanos(nextNanos - now);
            }
            Side side = sides.get(random.nextInt(sides.size()));
            sides.forEach(Side::closeBreakers);
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4 -> side.updatePolicy();
                case 5, 6 -> side.replaceClient();
                case 7 -> side.openBreakers();
                case 8 -> restart(servers.get(random.nextInt(servers.size())));
                default -> {}
            }
        }
        sides.forEach(Side::closeBreakers);
    }

    private void restart(UnrulyServer server) throws IOException {
        server.stop();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(600)));
        server.start();
    }

    // Rest.

    private String held() {
        StringBuilder held = new StringBuilder();
        sides.forEach(side -> held.append(side.held()));
        PoolStats stats = transport.stats();
        if (stats.active() + stats.connecting() + stats.waiting() > 0) {
            held.append(stats);
        }
        return held.toString();
    }

    private String connected() {
        int connections = servers.stream().mapToInt(UnrulyServer::connections).sum();
        PoolStats stats = transport.stats();
        return connections + stats.idle() + stats.connecting() == 0 ? "" : connections + " at the servers, " + stats;
    }

    /** Waits until nothing is left of something; other threads are at it. */
    private static void come(Supplier<String> left) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_REST_SECONDS);
        for (String still = left.get(); !still.isEmpty(); still = left.get()) {
            if (System.nanoTime() > endNanos) {
                throw new AssertionError("left after " + MOST_REST_SECONDS + " s at rest: " + still);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void close() throws IOException {
        sides.forEach(side -> side.close().join());
        transport.close();
        PoolStats stats = transport.stats();
        if (stats.active() + stats.idle() + stats.connecting() + stats.waiting() > 0) {
            throw new AssertionError("left by the transport: " + stats);
        }
        for (UnrulyServer server : servers) {
            server.close();
        }
        wheel.close();
        executor.shutdown();
    }
}
