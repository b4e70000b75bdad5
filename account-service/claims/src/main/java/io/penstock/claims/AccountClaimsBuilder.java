package io.penstock.claims;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds {@link AccountClaims}; whatever is not said stays at its default. */
public final class AccountClaimsBuilder {
    private Registered registered;
    private int version = 2;
    private List<String> tags = List.of();
    private List<Import> imports = List.of();
    private List<Export> exports = List.of();
    private AccountLimits limits = AccountLimits.UNLIMITED;
    private List<SigningKey> signingKeys = List.of();
    private Map<String, Long> revocations = Map.of();
    private Permissions defaultPermissions = Permissions.NONE;
    private Map<String, List<WeightedMapping>> mappings = Map.of();
    private ExternalAuthorization authorization = ExternalAuthorization.NONE;
    private MessageTrace trace;
    private String clusterTraffic = "";
    private String description = "";
    private String infoUrl = "";
    private Map<String, Object> unknown = Map.of();

    AccountClaimsBuilder(Registered registered) {
        this.registered = registered;
    }

    AccountClaimsBuilder(AccountClaims claims) {
        registered = claims.registered();
        version = claims.version();
        tags = claims.tags();
        imports = claims.imports();
        exports = claims.exports();
        limits = claims.limits();
        signingKeys = claims.signingKeys();
        revocations = claims.revocations();
        defaultPermissions = claims.defaultPermissions();
        mappings = claims.mappings();
        authorization = claims.authorization();
        trace = claims.trace();
        clusterTraffic = claims.clusterTraffic();
        description = claims.description();
        infoUrl = claims.infoUrl();
        unknown = claims.unknown();
    }

    public AccountClaimsBuilder registered(Registered value) {
        registered = value;
        return this;
    }

    AccountClaimsBuilder version(int value) {
        version = value;
        return this;
    }

    public AccountClaimsBuilder tags(List<String> value) {
        tags = List.copyOf(value);
        return this;
    }

    public AccountClaimsBuilder imports(List<Import> value) {
        imports = List.copyOf(value);
        return this;
    }

    public AccountClaimsBuilder exports(List<Export> value) {
        exports = List.copyOf(value);
        return this;
    }

    public AccountClaimsBuilder limits(AccountLimits value) {
        limits = value;
        return this;
    }

    public AccountClaimsBuilder signingKeys(List<SigningKey> value) {
        signingKeys = List.copyOf(value);
        return this;
    }

    public AccountClaimsBuilder revocations(Map<String, Long> value) {
        revocations = Collections.unmodifiableMap(new LinkedHashMap<>(value));
        return this;
    }

    public AccountClaimsBuilder defaultPermissions(Permissions value) {
        defaultPermissions = value;
        return this;
    }

    public AccountClaimsBuilder mappings(Map<String, List<WeightedMapping>> value) {
        mappings = Collections.unmodifiableMap(new LinkedHashMap<>(value));
        return this;
    }

    public AccountClaimsBuilder authorization(ExternalAuthorization value) {
        authorization = value;
        return this;
    }

    public AccountClaimsBuilder trace(MessageTrace value) {
        trace = value;
        return this;
    }

    public AccountClaimsBuilder clusterTraffic(String value) {
        clusterTraffic = value;
        return this;
    }

    public AccountClaimsBuilder description(String value) {
        description = value;
        return this;
    }

    public AccountClaimsBuilder infoUrl(String value) {
        infoUrl = value;
        return this;
    }

    AccountClaimsBuilder unknown(Map<String, Object> value) {
        unknown = value;
        return this;
    }

    public AccountClaims build() {
        return new AccountClaims(
                registered,
                version,
                tags,
                imports,
                exports,
                limits,
                signingKeys,
                revocations,
                defaultPermissions,
                mappings,
                authorization,
                trace,
                clusterTraffic,
                description,
                infoUrl,
                unknown);
    }
}
