package dev.escapement.proof.faults;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what was seen of the planted faults as a page: a table for each list, a row for each fault. Stateless. */
final class FaultTable {

    private static final String PACKAGES = "dev/escapement/";

    private static final String HEAD = """
            # Planted faults

            Each of these %d mistakes was put into a copy of the engine, one at a time, and scenarios 1, 2, 3 and so on were played
            to it until engine and model parted; the last column says at which that was. A few need more luck than that, and
            have a scene of their own. A number is a scenario, so the figures are the same in every run. The texts that are
            found and put, and the scenes, are in the lists of `dev.escapement.proof.faults`. This page is written by a test;
            after a change of engine, faults or scenarios, anew by

            ```sh
            mvn -B -ntp -q -pl proof -am test -Dtest=PlantedFaultsTest -Dsurefire.failIfNoSpecifiedTests=false -DargLine=-Descapement.faults=write
            ```

            For each at most 20,000 scenarios are tried; `-Descapement.faults.most=1000000` beside the other tries more.
            """;

    private FaultTable() {}

    static String of(List<Sighting> sightings) {
        StringBuilder page = new StringBuilder(HEAD.formatted(sightings.size()));
        Map<String, List<Sighting>> byRoom = sightings.stream()
                .collect(Collectors.groupingBy(sighting -> sighting.fault().room()));
        for (String room : FaultReader.ROOMS) {
            page.append("\n## ")
                    .append(room)
                    .append("\n\n| fault | rule | where | seen in scenario |\n|---|---|---|---:|\n");
            byRoom.getOrDefault(room, List.of()).forEach(sighting -> page.append(row(sighting)));
        }
        return page.toString();
    }

    private static String row(Sighting sighting) {
        Fault fault = sighting.fault();
        return "| %s | %s | `%s` | %s |\n"
                .formatted(
                        fault.name(),
                        fault.rule(),
                        fault.patch().file().substring(PACKAGES.length()),
                        sighting.where());
    }
}
