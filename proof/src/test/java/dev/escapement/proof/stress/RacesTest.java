package dev.escapement.proof.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every race of this module, for a moment each: nothing happens that its test does not list. */
class RacesTest {

    private static final int ROUNDS = 1;
    private static final int ROUND_MILLIS = 200;

    @TestFactory
    Stream<DynamicTest> nothingForbiddenIsSeen() {
        return Race.all().stream()
                .map(race -> DynamicTest.dynamicTest(race.name(), () -> {
                    Sightings seen = race.run(RacesTest.class.getClassLoader(), ROUNDS, ROUND_MILLIS);

                    assertThat(seen.forbidden()).as(seen.toString()).isEmpty();
                    assertThat(seen.total()).as("races").isPositive();
                }));
    }
}
