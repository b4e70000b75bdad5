package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims about an account, a tenant of the broker. Build with {@link #builder}.
 *
 * @param imports what it takes from others
 * @param exports what it offers to others
 * @param limits its limits
 * @param signingKeys keys that may sign its users
 * @param revocations by user's public key (or `*`): tokens issued until this unix second are void
 * @param defaultPermissions for users without any
 * @param mappings subject mappings
 * @param authorization auth callout
 * @param trace message tracing, or null
 * @param clusterTraffic `system`, `owner`, or empty for the default (system)
 * @param unknown fields of the body this version does not know
 */
public record AccountClaims(
        Registered registered,
        int version,
        List<String> tags,
        List<Import> imports,
        List<Export> exports,
        AccountLimits limits,
        List<SigningKey> signingKeys,
        Map<String, Long> revocations,
        Permissions defaultPermissions,
        Map<String, List<WeightedMapping>> mappings,
        ExternalAuthorization authorization,
        MessageTrace trace,
        String clusterTraffic,
        String description,
        String infoUrl,
        Map<String, Object> unknown)
        implements Claims {

    /** A new account without limits, JetStream off. */
    public static AccountClaimsBuilder builder(String publicKey, String name) {
        return new AccountClaimsBuilder(Registered.about(publicKey, name));
    }

    @Override
    public String type() {
        return "account";
    }

    /** The signing key of this text, when the account has it. */
    public Optional<SigningKey> signingKey(String publicKey) {
        return signingKeys.stream().filter(key -> key.key().equals(publicKey)).findFirst();
    }

    /** Whether this key is the account's identity or one of its signing keys. */
    public boolean maySignUsers(String publicKey) {
        return publicKey.equals(subject()) || signingKey(publicKey).isPresent();
    }

    /** Whether the account voided tokens of this user that were issued at this unix second. */
    public boolean isRevoked(String userPublicKey, long issuedAt) {
        return revokedAt(userPublicKey) >= issuedAt || revokedAt("*") >= issuedAt;
    }

    private long revokedAt(String key) {
        return revocations.getOrDefault(key, Long.MIN_VALUE);
    }

    @Override
    public AccountClaims withRegistered(Registered other) {
        return toBuilder().registered(other).build();
    }

    /** A builder that starts from these claims. */
    public AccountClaimsBuilder toBuilder() {
        return new AccountClaimsBuilder(this);
    }

    @Override
    public ValidationResults validate(Instant now) {
        return AccountRules.validate(this, now);
    }

    static AccountClaims read(Registered registered, int version, JsonObject body) throws InvalidTokenException {
        return AccountJson.read(registered, version, body);
    }

    @Override
    public Map<String, Object> bodyToJson() {
        return AccountJson.write(this);
    }
}
