package io.penstock.broker.auth;

import io.penstock.broker.Account;
import io.penstock.broker.AccountLimits;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ExportSpec;
import io.penstock.broker.sharing.ImportConfig;
import io.penstock.broker.sharing.ImportSpec;
import io.penstock.broker.sharing.MappingConfig;
import io.penstock.broker.sharing.Resolution;
import io.penstock.broker.sharing.Revocations;
import io.penstock.broker.sharing.ShareKind;
import io.penstock.broker.sharing.Sharing;
import io.penstock.broker.sharing.SharingSpec;
import io.penstock.broker.sharing.SubjectPath;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The accounts of a configuration, checked and ready to be put into force. Immutable. */
final class ConfiguredAccounts {
    private static final JetStreamLimits UNLIMITED_JETSTREAM =
            new JetStreamLimits(-1, -1, -1, -1, -1, -1, -1, false, Map.of());

    private record Prepared(
            AccountLimits limits,
            JetStreamLimits jetStream,
            SubjectMappings mappings,
            SharingSpec sharing,
            String nkey) {}

    private final Map<String, Prepared> accounts = new LinkedHashMap<>();

    private ConfiguredAccounts() {}

    /**
     * Checks and compiles.
     *
     * @param cluster name of this server's cluster, or null
     * @param jetStream whether the server has JetStream, which the global account gets when it is the only one
     */
    static ConfiguredAccounts of(AuthConfig config, String cluster, boolean jetStream) throws AuthConfigException {
        ConfiguredAccounts prepared = new ConfiguredAccounts();
        String system = systemName(config);
        for (AccountConfig account : config.accounts()) {
            if (prepared.accounts.containsKey(account.name())) {
                throw new AuthConfigException("duplicate account \"" + account.name() + "\"");
            }
            if (account.name().equals(system) && account.jetStream() != null) {
                throw new AuthConfigException("account \"" + system + "\" is the system account, which cannot have"
                        + " JetStream; remove jetstream from it");
            }
            prepared.accounts.put(account.name(), prepare(account, config, cluster));
        }
        boolean globalOnly =
                config.accounts().stream().allMatch(account -> account.name().equals(system));
        if (!prepared.accounts.containsKey(AuthConfig.GLOBAL_ACCOUNT)) {
            prepared.accounts.put(
                    AuthConfig.GLOBAL_ACCOUNT,
                    new Prepared(
                            AccountLimits.UNLIMITED,
                            jetStream && globalOnly ? UNLIMITED_JETSTREAM : null,
                            mappings(config.mappings(), "the top level", cluster),
                            SharingSpec.NONE,
                            null));
        }
        requireKnownExporters(config);
        return prepared;
    }

    static String systemName(AuthConfig config) {
        return config.systemAccount() == null ? AuthConfig.DEFAULT_SYSTEM_ACCOUNT : config.systemAccount();
    }

    private static void requireKnownExporters(AuthConfig config) throws AuthConfigException {
        for (AccountConfig account : config.accounts()) {
            for (ImportConfig one : account.imports()) {
                if (config.accounts().stream().noneMatch(other -> other.name().equals(one.account()))) {
                    throw new AuthConfigException("account \"" + account.name() + "\" imports \"" + one.subject()
                            + "\" from account \"" + one.account() + "\", which is not in accounts");
                }
            }
        }
    }

    private static Prepared prepare(AccountConfig account, AuthConfig config, String cluster)
            throws AuthConfigException {
        AccountConfig.Limits limits = account.limits();
        List<MappingConfig> mappings = new ArrayList<>(account.mappings());
        if (account.name().equals(AuthConfig.GLOBAL_ACCOUNT)) {
            mappings.addAll(config.mappings());
        }
        return new Prepared(
                new AccountLimits(
                        limits.connections(), limits.leafNodes(), limits.subscriptions(), limits.payloadBytes()),
                account.jetStream(),
                mappings(mappings, "account \"" + account.name() + "\"", cluster),
                sharing(account),
                account.nkey());
    }

    private static SubjectMappings mappings(List<MappingConfig> mappings, String owner, String cluster)
            throws AuthConfigException {
        List<SubjectMappings.Definition> definitions =
                mappings.stream().map(MappingConfig::definition).toList();
        try {
            return SubjectMappings.of(definitions, cluster == null ? "" : cluster);
        } catch (InvalidTransformException e) {
            throw new AuthConfigException("mappings of " + owner + ": " + e.getMessage(), e);
        }
    }

    private static SharingSpec sharing(AccountConfig account) throws AuthConfigException {
        List<ExportSpec> exports = new ArrayList<>();
        for (ExportConfig export : account.exports()) {
            exports.add(export(account, export));
        }
        List<ImportSpec> imports = new ArrayList<>();
        for (ImportConfig one : account.imports()) {
            imports.add(importOf(account, one));
        }
        return new SharingSpec(exports, imports, Set.of());
    }

    private static ExportSpec export(AccountConfig account, ExportConfig export) throws AuthConfigException {
        if (!Subjects.isValidPattern(Subjects.fromUtf8(export.subject()))) {
            throw new AuthConfigException("account \"" + account.name() + "\" exports \"" + export.subject()
                    + "\", which is not a valid subject");
        }
        return new ExportSpec(
                export.kind(),
                Subjects.fromUtf8(export.subject()),
                export.accounts().isEmpty() ? null : Set.copyOf(export.accounts()),
                false,
                Revocations.NONE,
                export.responseType(),
                export.responseThreshold() == null ? ExportSpec.DEFAULT_THRESHOLD : export.responseThreshold(),
                export.latency(),
                export.accountTokenPosition(),
                export.allowTrace());
    }

    private static ImportSpec importOf(AccountConfig account, ImportConfig one) throws AuthConfigException {
        if (one.to() != null && one.prefix() != null) {
            throw new AuthConfigException("account \"" + account.name() + "\" imports \"" + one.subject()
                    + "\" with both to and prefix; keep one of them");
        }
        String subject = Subjects.fromUtf8(one.subject());
        String local = subject;
        if (one.to() != null) {
            local = Subjects.fromUtf8(one.to());
        } else if (one.prefix() != null && one.kind() == ShareKind.STREAM) {
            String prefix = Subjects.fromUtf8(one.prefix());
            local = (prefix.endsWith(".") ? prefix : prefix + ".") + subject;
        }
        try {
            return new ImportSpec(
                    one.kind(), one.account(), SubjectPath.between(local, subject), "", one.share(), one.allowTrace());
        } catch (InvalidTransformException e) {
            throw new AuthConfigException(
                    "account \"" + account.name() + "\" imports \"" + one.subject() + "\": " + e.getMessage(), e);
        }
    }

    Set<String> names() {
        return accounts.keySet();
    }

    /** Puts all accounts into force; those of before that are no longer named are for the caller to remove. */
    void apply(AccountRegistry registry, Sharing sharing) {
        accounts.forEach((name, prepared) -> {
            Account account = registry.getOrCreate(name);
            account.updateLimits(prepared.limits());
            account.updateMappings(prepared.mappings());
            account.updateJetStream(prepared.jetStream());
        });
        accounts.forEach((name, prepared) -> sharing.declare(name, prepared.sharing()));
    }

    /** The first import that does not work, in words, or null. To be asked after {@link #apply}. */
    String firstRefusal(Sharing sharing) {
        for (String name : accounts.keySet()) {
            for (Sharing.ImportState state : sharing.imports(name)) {
                if (state.resolution() instanceof Resolution.Refused refused) {
                    return "account \"" + name + "\" cannot import \""
                            + state.spec().path().remote() + "\" from account \""
                            + state.spec().exporter() + "\": " + refused.reason();
                }
            }
        }
        return null;
    }
}
