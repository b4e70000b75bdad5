package io.penstock.server;

import io.penstock.broker.ServerIdentity;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import io.penstock.server.config.ServerOptions;
import java.security.SecureRandom;

/** Makes the names of this server. */
final class Identities {
    private Identities() {}

    /** A fresh id at each start: others tell a restarted server from the one before. */
    static ServerIdentity create(ServerOptions options) {
        byte[] raw = new byte[NKeys.RAW_LENGTH];
        new SecureRandom().nextBytes(raw);
        String id = NKeys.encodePublicKey(KeyType.SERVER, raw);
        String name = options.serverName() == null || options.serverName().isEmpty() ? id : options.serverName();
        String domain = options.jetStream() == null ? null : options.jetStream().domain();
        return new ServerIdentity(
                id, name, ServerIdentity.PROTOCOL_VERSION, options.clusterName(), domain, null, Product.version());
    }
}
