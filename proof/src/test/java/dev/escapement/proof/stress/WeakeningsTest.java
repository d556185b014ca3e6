package dev.escapement.proof.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.proof.PatchedLoader;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each race sees what it is there to see: with an access weakened, it comes to an outcome that it forbids. */
class WeakeningsTest {

    private static final int ROUNDS = 100;
    private static final int ROUND_MILLIS = 50;

    @TestFactory
    Stream<DynamicTest> everyWeakeningIsSeen() {
        return Weakenings.all().stream().flatMap(WeakeningsTest::seen);
    }

    private static Stream<DynamicTest> seen(Weakening weakening) {
        ClassLoader weakened = new PatchedLoader(weakening.patch().compile(), WeakeningsTest.class.getClassLoader());
        return weakening.races().stream()
                .map(Race::of)
                .map(race -> DynamicTest.dynamicTest(weakening.what() + ": " + race.name(), () -> {
                    Sightings seen = race.run(weakened, ROUNDS, ROUND_MILLIS);

                    assertThat(seen.forbidden()).as(seen.toString()).isNotEmpty();
                }));
    }

    @Test
    void everyRaceHasOneToSee() {
        List<String> weakened = Weakenings.all().stream()
                .flatMap(weakening -> weakening.races().stream())
                .map(race -> Race.of(race).name())
                .distinct()
                .sorted()
                .toList();

        assertThat(weakened).isEqualTo(Race.all().stream().map(Race::name).toList());
    }
}
