package dev.escapement.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.call.Client;
import dev.escapement.time.Deadlines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patches two shipped files, once so that nothing changes and once so that something does. */
@DisplayName("Patched sources")
class SourcePatchTest {

    private static final String DEADLINES = "dev/escapement/time/Deadlines.java";
    private static final String CHECK = "return sum < 0 ? OVERFLOW : sum;";

    private static long sumPastTheEnd(SourcePatch patch) throws ReflectiveOperationException {
        PatchedLoader world = new PatchedLoader(patch.compile(), SourcePatchTest.class.getClassLoader());
        Class<?> deadlines = world.loadClass(Deadlines.class.getName());
        return (long) deadlines.getMethod("plus", long.class, long.class).invoke(null, Long.MAX_VALUE, 1L);
    }

    @Test
    void aHarmlessPatchChangesNothing() throws ReflectiveOperationException {
        SourcePatch patch = new SourcePatch(DEADLINES, CHECK, "return sum >= 0 ? sum : OVERFLOW;");

        assertThat(sumPastTheEnd(patch)).isEqualTo(Deadlines.OVERFLOW);
    }

    @Test
    void aHarmfulPatchChangesItsOwnWorldAlone() throws ReflectiveOperationException {
        SourcePatch patch = new SourcePatch(DEADLINES, CHECK, "return sum;");

        assertThat(sumPastTheEnd(patch)).isEqualTo(Long.MIN_VALUE);
        assertThat(Deadlines.plus(Long.MAX_VALUE, 1)).isEqualTo(Deadlines.OVERFLOW);
    }

    @Test
    void aPatchedClassBelongsToItsPackage() throws ReflectiveOperationException {
        SourcePatch patch = new SourcePatch("dev/escapement/call/Lane.java", "return cleaned;", "return true;");
        PatchedLoader world = new PatchedLoader(patch.compile(), SourcePatchTest.class.getClassLoader());

        Class<?> lane = world.loadClass("dev.escapement.call.Lane");
        Class<?> detailed = world.loadClass("dev.escapement.call.DetailedLane");
        Class<?> client = world.loadClass(Client.class.getName());

        // A package-private superclass, across the border of what was patched.
        assertThat(detailed.getSuperclass()).isSameAs(lane);
        assertThat(client).isNotSameAs(Client.class);
        assertThat(client.getClassLoader()).isSameAs(lane.getClassLoader());
    }

    @Test
    void theClassesOfAFileCanBeWrittenOut(@TempDir Path directory) throws IOException {
        new SourcePatch("dev/escapement/time/Deadlines.java", CHECK, "return sum;")
                .compile()
                .writeTo(directory);

        Path classFile = directory.resolve("dev/escapement/time/Deadlines.class");
        assertThat(classFile).exists();
        assertThat(Files.readAllBytes(classFile)).startsWith(0xCA, 0xFE, 0xBA, 0xBE);
    }

    @Test
    void blanksAndLineEndsStandForAny() {
        SourcePatch patch = new SourcePatch(DEADLINES, "a +\n    b", "a - b");

        assertThat(patch.apply("x = a\n + b;")).isEqualTo("x = a\n + b;".replace("a\n + b", "a - b"));
    }

    @Test
    void aTextThatIsNotThereIsRefused() {
        SourcePatch patch = new SourcePatch(DEADLINES, "return difference;", "");

        assertThatThrownBy(patch::compile)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing like: return difference;");
    }

    @Test
    void aTextThatIsThereTwiceIsRefused() {
        SourcePatch patch = new SourcePatch(DEADLINES, "public static long", "private static long");

        assertThatThrownBy(patch::compile)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than one of: public static long");
    }

    @Test
    void whatDoesNotCompileIsRefusedWithTheCompilersWords() {
        SourcePatch patch = new SourcePatch(DEADLINES, CHECK, "return summe;");

        assertThatThrownBy(patch::compile)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not compile")
                .hasMessageContaining("summe");
    }
}
