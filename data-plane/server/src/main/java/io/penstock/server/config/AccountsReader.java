package io.penstock.server.config;

import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.AuthConfig;
import io.penstock.broker.auth.PermissionsConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ImportConfig;
import io.penstock.broker.sharing.MappingConfig;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the {@code accounts} block: a list of names, or a map. */
final class AccountsReader {
    private final OptionsDraft options;
    private final Problems problems;
    private final Map<String, List<ImportsReader.Located>> imports = new HashMap<>();
    private final Map<String, Position> positions = new HashMap<>();

    private AccountsReader(OptionsDraft options, Problems problems) {
        this.options = options;
        this.problems = problems;
    }

    static void read(ConfigValue value, OptionsDraft options, Problems problems) throws ConfigException {
        AccountsReader reader = new AccountsReader(options, problems);
        switch (value) {
            case ConfigValue.Items items -> reader.names(items);
            case ConfigValue.Block block -> reader.blocks(block);
            default ->
                throw new ConfigException(
                        value.position(), "Expected accounts to be a map or an array, got " + value.kind());
        }
        reader.checkReferences();
    }

    private void names(ConfigValue.Items items) throws ConfigException {
        Set<String> seen = new LinkedHashSet<>();
        for (ConfigValue item : items.values()) {
            String name = Values.text(item);
            requireFree(name, item.position());
            if (!seen.add(name)) {
                throw new ConfigException(item.position(), "Duplicate Account Entry: " + name);
            }
            options.accounts.add(new AccountReader(problems).build(name));
        }
    }

    private void blocks(ConfigValue.Block block) {
        for (Map.Entry<String, ConfigValue> entry : block.entries().entrySet()) {
            if (problems.isVariable(entry.getValue())) {
                continue;
            }
            try {
                requireFree(entry.getKey(), entry.getValue().position());
                AccountReader reader = new AccountReader(problems);
                reader.readAll(Values.block("accounts entry", entry.getValue()));
                options.accounts.add(reader.build(entry.getKey()));
                imports.put(entry.getKey(), reader.imports);
                positions.put(entry.getKey(), entry.getValue().position());
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
    }

    private static void requireFree(String name, Position position) throws ConfigException {
        if (name.equals(AuthConfig.GLOBAL_ACCOUNT)) {
            throw new ConfigException(position, "\"" + name + "\" is a Reserved Account");
        }
    }

    private boolean isOffered(ImportConfig wanted, String importer) {
        String subject = Subjects.fromUtf8(wanted.subject());
        return options.accounts.stream()
                .filter(account -> account.name().equals(wanted.account()))
                .flatMap(account -> account.exports().stream())
                .anyMatch(export -> export.kind() == wanted.kind()
                        && (export.accounts().isEmpty() || export.accounts().contains(importer))
                        && Subjects.isSubset(subject, Subjects.fromUtf8(export.subject())));
    }

    private static String notOffered(ImportConfig wanted, String importer) {
        String kind = Values.lower(wanted.kind().name());
        return "Error adding " + kind + " import \"" + wanted.subject() + "\": account \"" + wanted.account()
                + "\" exports no " + kind + " that covers it to account \"" + importer + "\"";
    }

    private void checkReferences() {
        Set<String> known = new LinkedHashSet<>();
        options.accounts.forEach(account -> known.add(account.name()));
        for (AccountConfig account : options.accounts) {
            for (ExportConfig export : account.exports()) {
                for (String importer : export.accounts()) {
                    if (!known.contains(importer)) {
                        problems.error(
                                positions.get(account.name()),
                                "\"" + importer + "\" account not defined for "
                                        + Values.lower(export.kind().name()) + " export");
                    }
                }
            }
            for (ImportsReader.Located located : imports.getOrDefault(account.name(), List.of())) {
                if (!known.contains(located.config().account())) {
                    problems.error(
                            located.position(),
                            "\"" + located.config().account() + "\" account not defined for "
                                    + Values.lower(located.config().kind().name()) + " import");
                } else if (!isOffered(located.config(), account.name())) {
                    problems.error(located.position(), notOffered(located.config(), account.name()));
                }
            }
        }
    }

    /** One account. */
    private static final class AccountReader extends BlockReader {
        private String nkey;
        private List<UserConfig> users = List.of();
        private List<ExportConfig> exports = List.of();
        private List<ImportsReader.Located> imports = List.of();
        private List<MappingConfig> mappings = List.of();
        private AccountConfig.Limits limits = AccountConfig.Limits.UNLIMITED;
        private JetStreamLimits jetStream;
        private PermissionsConfig defaultPermissions;

        AccountReader(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "nkey" -> {
                    nkey = Values.text(value);
                    if (!NKeys.isPublicKey(KeyType.ACCOUNT, nkey)) {
                        throw new ConfigException(
                                value.position(), "Not a valid public nkey for an account: \"" + nkey + "\"");
                    }
                }
                case "users" -> users = UsersReader.read(value, problems);
                case "exports" -> exports = ExportsReader.read(value, problems);
                case "imports" -> imports = ImportsReader.read(value, problems);
                case "mappings", "maps" -> mappings = MappingsReader.read(value, problems);
                case "limits" -> limits = AccountLimitsReader.connections(value, problems);
                case "jetstream" -> jetStream = AccountLimitsReader.jetStream(value, problems);
                case "default_permissions" -> defaultPermissions = PermissionsReader.read(value, problems);
                case "msg_trace", "trace_dest" -> problems.unavailable(key, value, "message tracing is");
                default -> {
                    return false;
                }
            }
            return true;
        }

        AccountConfig build(String name) {
            List<ImportConfig> configs = new ArrayList<>();
            imports.forEach(located -> configs.add(located.config()));
            return new AccountConfig(
                    name, nkey, users, exports, configs, mappings, limits, jetStream, defaultPermissions);
        }
    }
}
