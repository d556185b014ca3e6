/** The engine of Escapement. */
module dev.escapement.core {
    requires static transitive org.jspecify;

    exports dev.escapement.time;
}
