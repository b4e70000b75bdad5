package io.penstock.broker.auth;

import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ImportConfig;
import io.penstock.broker.sharing.MappingConfig;
import java.util.List;

/**
 * One entry of the {@code accounts} block.
 *
 * @param name name of the account
 * @param nkey public account nkey that identifies it in monitoring, or null
 * @param limits {@link Limits#UNLIMITED} when the block has none
 * @param jetStream limits when JetStream is enabled ({@code jetstream: enabled} is unlimited), null when it is not
 * @param defaultPermissions permissions of users without any, or null
 */
public record AccountConfig(
        String name,
        String nkey,
        List<UserConfig> users,
        List<ExportConfig> exports,
        List<ImportConfig> imports,
        List<MappingConfig> mappings,
        Limits limits,
        JetStreamLimits jetStream,
        PermissionsConfig defaultPermissions) {
    public AccountConfig {
        users = List.copyOf(users);
        exports = List.copyOf(exports);
        imports = List.copyOf(imports);
        mappings = List.copyOf(mappings);
    }

    /**
     * Limits of an account; -1 is unlimited.
     *
     * @param connections client connections
     * @param subscriptions subscriptions of one connection
     * @param payloadBytes bytes of one message, headers included
     * @param leafNodes leaf node connections
     */
    public record Limits(long connections, long subscriptions, long payloadBytes, long leafNodes) {
        public static final Limits UNLIMITED = new Limits(-1, -1, -1, -1);
    }
}
