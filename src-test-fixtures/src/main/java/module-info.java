/** Fixtures and contract suites for tests of Escapement, its extensions and its users. */
module dev.escapement.fixtures {
    requires transitive dev.escapement.core;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;

    exports dev.escapement.fixtures;
    exports dev.escapement.fixtures.explorer;

    // The suites' test methods are not public.
    opens dev.escapement.fixtures to
            org.junit.platform.commons;
}
