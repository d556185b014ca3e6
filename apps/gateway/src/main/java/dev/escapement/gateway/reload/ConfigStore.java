package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.config.ConfigReader;
import dev.escapement.gateway.config.ConfigResult;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.reload.ReloadResult.Kind;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The running version of the configuration. Read by any thread, by one volatile read; replaced by one thread at a time, by one volatile
 * write after everything that can go wrong.
 *
 * @param <V> a configuration with all that was built for it
 */
public final class ConfigStore<V> {

    /** @param text that it was read from, compared by content */
    private record Running<V>(ByteBuffer text, GatewayConfig config, V version) {}

    private final String name;
    private final Addresses addresses;
    private final VersionHook<V> hook;
    private final InstantSource wallClock;
    private final Consumer<String> log;
    private final LivingVersions alive = new LivingVersions();

    /** Written under this object's lock; the write is what brings a version into force. */
    private volatile @Nullable Running<V> running;

    /** Written under this object's lock. */
    private volatile ReloadFigures figures;

    /**
     * One without a version as yet.
     *
     * @param name of the text in messages
     * @param log told what operators should know, a line at a time
     */
    public ConfigStore(
            String name, Addresses addresses, VersionHook<V> hook, InstantSource wallClock, Consumer<String> log) {
        this.name = name;
        this.addresses = addresses;
        this.hook = hook;
        this.wallClock = wallClock;
        this.log = log;
        this.figures = new ReloadFigures(wallClock.instant(), Optional.empty(), 0, 0);
    }

    /** The version in force; only once there is one. */
    public V version() {
        return running().version();
    }

    /** Its configuration. */
    public GatewayConfig config() {
        return running().config();
    }

    private Running<V> running() {
        return Objects.requireNonNull(running, "no version is in force yet");
    }

    public ReloadFigures figures() {
        return figures;
    }

    /** How many versions are held by anybody, the one in force included; as of the last collection of garbage. */
    public int versionsAlive() {
        return alive.count();
    }

    String name() {
        return name;
    }

    /** Whether this is the text of the running version. */
    boolean isRunning(byte[] text) {
        Running<V> now = running;
        return now != null && now.text().equals(ByteBuffer.wrap(text));
    }

    /** Brings a text into force, unless it is already or something is wrong with it. */
    public synchronized ReloadResult load(byte[] text) {
        if (isRunning(text)) {
            figures = figures.unchanged();
            return new ReloadResult(Kind.UNCHANGED, config().version(), List.of());
        }
        Running<V> before = running;
        ConfigResult read = before == null
                ? ConfigReader.read(name, text, addresses)
                : ConfigReader.reread(name, text, addresses, before.config());
        read.warnings().forEach(warning -> log.accept("warning: " + warning));
        if (read instanceof ConfigResult.Bad bad) {
            return refuse(bad.faults());
        }
        GatewayConfig config = ((ConfigResult.Good) read).config();
        try {
            V version = hook.prepare(config, Optional.ofNullable(before).map(Running::version));
            hook.commit(version);
            running = new Running<>(ByteBuffer.wrap(text.clone()), config, version);
        } catch (RuntimeException e) {
            return refuse(List.of(Fault.ofFile(name, String.valueOf(e.getMessage()))));
        }
        alive.add(config);
        figures = figures.loaded(wallClock.instant());
        log.accept("configuration " + config.version() + " is in force");
        return new ReloadResult(Kind.LOADED, config.version(), List.of());
    }

    /** Tells and counts that a newer text cannot come into force. */
    synchronized ReloadResult refuse(List<Fault> faults) {
        Running<V> now = running;
        String version = now == null ? "-" : now.config().version();
        faults.forEach(fault -> log.accept(fault.toString()));
        if (now != null) {
            log.accept("the configuration is refused; " + version + " stays in force");
        }
        figures = figures.refused(wallClock.instant(), faults);
        return new ReloadResult(Kind.REFUSED, version, faults);
    }
}
