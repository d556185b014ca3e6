package dev.escapement.explorer;

import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * One run over many seeds: workers take them in blocks, play each scenario, and keep nothing but the differences. It ends when all are
 * played, when there are differences enough, or when it is stopped.
 *
 * <p>Thread-safety: {@link #stop}, {@link #played} and {@link #found} by any thread; {@link #start} once.
 */
final class Exploration {

    /** So many seeds are taken at once: few enough that all workers end together. */
    private static final int BLOCK = 32;

    private final Function<Scenario, Finding> play;
    private final long firstSeed;
    private final long scenarios;
    private final int enough;

    /** How many seeds were taken; may run past {@link #scenarios} by a block a worker. */
    private final AtomicLong taken = new AtomicLong();

    private final AtomicLong played = new AtomicLong();
    private final Queue<Difference> found = new ConcurrentLinkedQueue<>();

    /** Set once, read by each worker before each scenario. */
    private volatile boolean stopped;

    /** @param enough differences, after which no more are looked for */
    Exploration(Function<Scenario, Finding> play, long firstSeed, long scenarios, int enough) {
        this.play = play;
        this.firstSeed = firstSeed;
        this.scenarios = scenarios;
        this.enough = enough;
    }

    /** Starts as many workers; they end by themselves. */
    List<Thread> start(int threads) {
        List<Thread> workers = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            Thread worker = new Thread(this::work, "explorer-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        return workers;
    }

    private void work() {
        for (long from = taken.getAndAdd(BLOCK); from < scenarios; from = taken.getAndAdd(BLOCK)) {
            long to = Math.min(scenarios, from + BLOCK);
            for (long i = from; i < to; i++) {
                if (stopped) {
                    return;
                }
                play(firstSeed + i);
            }
        }
    }

    private void play(long seed) {
        play.apply(Scenario.random(seed)).difference().ifPresent(words -> {
            found.add(new Difference(seed, words));
            if (found.size() >= enough) {
                stop();
            }
        });
        played.incrementAndGet();
    }

    /** Workers end after the scenario that they are at. */
    void stop() {
        stopped = true;
    }

    /** How many scenarios were played so far. */
    long played() {
        return played.get();
    }

    /** The differences so far, by seed. */
    List<Difference> found() {
        return found.stream().sorted(Comparator.comparingLong(Difference::seed)).toList();
    }
}
