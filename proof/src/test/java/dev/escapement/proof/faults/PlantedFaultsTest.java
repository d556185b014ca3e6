package dev.escapement.proof.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every planted fault is still in its place. */
@DisplayName("Planted faults")
class PlantedFaultsTest {

    private static final List<Fault> FAULTS = FaultReader.readAll();

    @Test
    void everyTextIsThereOnce() {
        for (Fault fault : FAULTS) {
            assertThatCode(() -> fault.patch().patched()).as(fault.toString()).doesNotThrowAnyException();
        }
    }

    @Test
    void everyFaultHasANameOfItsOwnAndARule() {
        assertThat(FAULTS).hasSizeGreaterThan(45);
        assertThat(FAULTS).extracting(Fault::name).doesNotHaveDuplicates();
        assertThat(FAULTS).extracting(Fault::rule).allMatch(rule -> rule.matches("[A-Z]\\d+"));
    }

    @Test
    void aListReadsAsItIsWritten() {
        List<Fault> faults = FaultReader.read("room", """
                # What this is about.

                fault: one
                rule: A1
                file: call/Lane.java
                find: here
                put:

                fault: two
                rule: B2
                file: time/Timer.java
                find:
                    there
                    and on
                put: no: more
                """);

        assertThat(faults)
                .extracting(fault -> fault.name() + ", " + fault.rule() + ", " + fault.patch())
                .containsExactly(
                        "one, A1, SourcePatch[file=dev/escapement/call/Lane.java, find=here, put=]",
                        "two, B2, SourcePatch[file=dev/escapement/time/Timer.java, find=there\nand on, put=no: more]");
    }

    @Test
    void aListThatIsNoneIsRefused() {
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nrule: A1"))
                .hasMessageContaining("does not say");
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nfail: call/Lane.java"))
                .hasMessageContaining("fail: call/Lane.java");
        assertThatThrownBy(() -> FaultReader.read("room", "fault: one\nrule: A1\nrule: A2"))
                .hasMessageContaining("rule: A2");
    }
}
