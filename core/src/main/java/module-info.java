/** The engine of Escapement. */
module dev.escapement.core {
    requires static transitive org.jspecify;

    exports dev.escapement.call;
    exports dev.escapement.guard;
    exports dev.escapement.http;
    exports dev.escapement.measure;
    exports dev.escapement.metadata;
    exports dev.escapement.policy;
    exports dev.escapement.report;
    exports dev.escapement.time;
    exports dev.escapement.transport;
}
