package dev.escapement.proof.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Which of the planted faults are seen, and when; both in the order of the lists. Immutable.
 *
 * @param unseen by no scenario that was tried
 */
record Census(List<Sighting> seen, List<Fault> unseen) {

    Census {
        seen = List.copyOf(seen);
        unseen = List.copyOf(unseen);
    }

    /**
     * Searches for all of them, as many at a time as there are processors.
     *
     * @param most how many scenarios to try for each
     */
    static Census take(List<Fault> faults, long most) throws InterruptedException {
        ExecutorService searchers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            Map<Fault, Future<Optional<Sighting>>> searches = new LinkedHashMap<>();
            faults.forEach(fault -> searches.put(fault, searchers.submit(() -> new Search(fault, most).run())));
            return collect(searches);
        } finally {
            searchers.shutdownNow();
        }
    }

    private static Census collect(Map<Fault, Future<Optional<Sighting>>> searches) throws InterruptedException {
        List<Sighting> seen = new ArrayList<>();
        List<Fault> unseen = new ArrayList<>();
        for (Map.Entry<Fault, Future<Optional<Sighting>>> search : searches.entrySet()) {
            try {
                search.getValue().get().ifPresentOrElse(seen::add, () -> unseen.add(search.getKey()));
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        return new Census(seen, unseen);
    }
}
