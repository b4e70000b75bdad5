package io.penstock.server;

import io.penstock.broker.ServerIdentity;
import io.penstock.server.config.ServerOptions;
import io.penstock.server.log.ServerLog;

/** The first lines of the log. */
final class Banner {
    private Banner() {}

    static void print(ServerLog log, ServerIdentity identity, ServerOptions options) {
        log.info("Starting " + Main.COMMAND);
        log.info("  Version:  " + identity.version());
        log.info("  Product:  " + Product.NAME + " " + identity.productVersion());
        if (identity.cluster() != null) {
            log.info("  Cluster:  " + identity.cluster());
        }
        log.info("  Name:     " + identity.name());
        log.info("  ID:       " + identity.id());
        if (options.configFile() != null) {
            log.info("Using configuration file: " + options.configFile() + " (" + options.configDigest() + ")");
        }
    }
}
