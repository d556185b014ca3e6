package dev.escapement;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the arrows between the packages of core, what core may depend on, and what the fixtures may see of it. */
class ArchitectureTest {

    /** The rooms of core; each may depend on those before it and on no other. */
    private static final List<String> ROOMS = List.of(
            "time",
            "measure",
            "http",
            "permit",
            "transport",
            "report",
            "policy",
            "metadata",
            "guard",
            "call",
            "telemetry",
            "idempotency");

    private static final String FIXTURES = "dev.escapement.fixtures..";

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.escapement");

    private static final JavaClasses FIXTURE_CLASSES =
            new ClassFileImporter().importPackages("dev.escapement.fixtures");

    static Stream<String> roomsWithOneBelow() {
        return ROOMS.stream().limit(ROOMS.size() - 1L);
    }

    @ParameterizedTest
    @MethodSource("roomsWithOneBelow")
    void dependsOnlyOnRoomsAbove(String room) {
        noClasses()
                .that()
                .resideInAPackage(packageOf(room))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packagesOf(ROOMS.subList(ROOMS.indexOf(room) + 1, ROOMS.size())))
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void everyClassLivesInARoom() {
        classes().should().resideInAnyPackage(packagesOf(ROOMS)).check(CORE);
    }

    @Test
    void coreDependsOnNothingButTheJdkAndJspecify() {
        classes()
                .that()
                .resideOutsideOfPackage(packageOf("telemetry"))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "dev.escapement.."))
                .check(CORE);
    }

    @Test
    void onlyTelemetryMayAlsoUseFlightRecorder() {
        classes()
                .that()
                .resideInAPackage(packageOf("telemetry"))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "jdk.jfr..", "org.jspecify..", "dev.escapement.."))
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void fixturesUseOnlyExportedPackages() {
        classes()
                .that()
                .resideInAPackage(FIXTURES)
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.escapement..")
                        .or(resideInAPackage(FIXTURES))
                        .or(resideInAnyPackage(exportedPackages())))
                .check(FIXTURE_CLASSES);
    }

    private static String packageOf(String room) {
        return "dev.escapement." + room + "..";
    }

    private static String[] packagesOf(List<String> rooms) {
        return rooms.stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
    }

    private static String[] exportedPackages() {
        return coreModule().exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toArray(String[]::new);
    }

    private static ModuleDescriptor coreModule() {
        try {
            for (URL url :
                    Collections.list(ArchitectureTest.class.getClassLoader().getResources("module-info.class"))) {
                try (InputStream in = url.openStream()) {
                    ModuleDescriptor module = ModuleDescriptor.read(in);
                    if (module.name().equals("dev.escapement.core")) {
                        return module;
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("no module-info of core on the class path");
    }
}
