package dev.escapement.proof.faults;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what was seen of the planted faults as a page: a table for each list, a row for each fault. Stateless. */
final class FaultTable {

    private static final String PACKAGES = "dev/escapement/";

    private static final String HEAD = """
            # Planted faults

            Each of these %d mistakes was put into a copy of the engine, one at a time, and scenarios 1, 2, 3 … were played to
            it until engine and model parted. The last column says at which scenario that was. The lists themselves, with the
            text found and the text put in its place, lie beside the sources of `dev.escapement.proof.faults`. A scenario is its
            number, so the figures are the same in every run. Written by, and written anew after any change with

            ```sh
            %s
            ```
            """;

    private FaultTable() {}

    /** @param command by which the page is made anew */
    static String of(List<Sighting> sightings, String command) {
        StringBuilder page = new StringBuilder(HEAD.formatted(sightings.size(), command));
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

    /** The row of one fault. */
    static String row(Sighting sighting) {
        return row(sighting.fault()) + " " + sighting.scenario() + " |\n";
    }

    /** What a row says before it says how the fault was seen. */
    static String row(Fault fault) {
        return "| " + fault.name() + " | " + fault.rule() + " | `"
                + fault.patch().file().substring(PACKAGES.length()) + "` |";
    }
}
