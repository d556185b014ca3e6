package dev.escapement.proof.faults;

import dev.escapement.proof.PatchedLoader;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plants a fault and plays scenarios until it is seen: its scene if it has one, otherwise random ones.
 *
 * <p>Those are numbered from 1, and a number is a scenario, so that the count is the same every time. What the world throws is seen
 * as well; so is a world that does not come to an end, whose thread is left behind. One thread waits and one plays; a search shares
 * nothing with another.
 */
final class Search {

    /** Far more than a scenario takes, so that a busy machine is not taken for a fault. */
    private static final long PATIENCE_SECONDS = 60;

    private final Fault fault;
    private final long most;

    /** The scenario that is played, 0 for the scene. Written by the thread that plays. Volatile: read by the one that waits. */
    private volatile long playing;

    /** @param most how many scenarios to try */
    Search(Fault fault, long most) {
        this.fault = fault;
        this.most = most;
    }

    /** Empty if nothing shows it. */
    Optional<Sighting> run() throws InterruptedException {
        FutureTask<Optional<Sighting>> play = new FutureTask<>(this::play);
        Thread player = new Thread(play, fault.name());
        player.setDaemon(true);
        player.start();
        for (long before = -1; ; before = playing) {
            try {
                return play.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (before == playing) {
                    return Optional.of(sighting(before, "it does not come to an end"));
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("the search for " + fault + " failed", e.getCause());
            }
        }
    }

    private Optional<Sighting> play() throws ReflectiveOperationException {
        Object witness = witness();
        return fault.scene().isPresent() ? playScene(witness, fault.scene().get()) : playRandom(witness);
    }

    @SuppressWarnings("unchecked") // It is this room's own class, loaded anew.
    private Optional<Sighting> playScene(Object witness, String scene) {
        String seen = look(() -> ((Function<String, @Nullable String>) witness).apply(scene));
        return seen == null ? Optional.empty() : Optional.of(sighting(0, seen));
    }

    @SuppressWarnings("unchecked") // It is this room's own class, loaded anew.
    private Optional<Sighting> playRandom(Object witness) {
        for (long number = 1; number <= most; number++) {
            long scenario = number;
            playing = scenario;
            String seen = look(() -> ((LongFunction<@Nullable String>) witness).apply(scenario));
            if (seen != null) {
                return Optional.of(sighting(scenario, seen));
            }
        }
        return Optional.empty();
    }

    private static @Nullable String look(Supplier<@Nullable String> play) {
        try {
            return play.get();
        } catch (Throwable thrown) {
            return "thrown: " + thrown;
        }
    }

    private Sighting sighting(long scenario, String what) {
        return new Sighting(fault, scenario == 0 ? OptionalLong.empty() : OptionalLong.of(scenario), what);
    }

    /** The witness in a world with the fault. */
    private Object witness() throws ReflectiveOperationException {
        PatchedLoader world = new PatchedLoader(fault.patch().compile(), Search.class.getClassLoader());
        return world.loadClass(Witness.class.getName()).getDeclaredConstructor().newInstance();
    }
}
