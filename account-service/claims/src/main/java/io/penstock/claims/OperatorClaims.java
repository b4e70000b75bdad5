package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Claims about an operator, the root of trust.
 *
 * @param signingKeys public operator keys that may sign accounts besides the identity key
 * @param accountServerUrl where account JWTs can be fetched, empty for nowhere
 * @param operatorServiceUrls where clients connect
 * @param systemAccount public key of the system account, empty for none
 * @param assertServerVersion the oldest server version `x.y.z` that may serve this operator, empty for any
 * @param strictSigningKeyUsage whether the identity key may not sign accounts
 * @param unknown fields of the body this version does not know
 */
public record OperatorClaims(
        Registered registered,
        int version,
        List<String> tags,
        List<String> signingKeys,
        String accountServerUrl,
        List<String> operatorServiceUrls,
        String systemAccount,
        String assertServerVersion,
        boolean strictSigningKeyUsage,
        Map<String, Object> unknown)
        implements Claims {

    /** A new operator with its signing keys, strict about them. */
    public static OperatorClaims of(String publicKey, String name, List<String> signingKeys, String systemAccount) {
        return new OperatorClaims(
                Registered.about(publicKey, name),
                2,
                List.of(),
                List.copyOf(signingKeys),
                "",
                List.of(),
                systemAccount,
                "",
                true,
                Map.of());
    }

    @Override
    public String type() {
        return "operator";
    }

    /** Whether this key may sign account claims of the operator. */
    public boolean maySignAccounts(String publicKey) {
        return signingKeys.contains(publicKey) || (!strictSigningKeyUsage && publicKey.equals(subject()));
    }

    @Override
    public OperatorClaims withRegistered(Registered other) {
        return new OperatorClaims(
                other,
                version,
                tags,
                signingKeys,
                accountServerUrl,
                operatorServiceUrls,
                systemAccount,
                assertServerVersion,
                strictSigningKeyUsage,
                unknown);
    }

    @Override
    public ValidationResults validate(Instant now) {
        ValidationResults results = new ValidationResults();
        results.times(this, now);
        for (String key : signingKeys) {
            if (!NKeys.isPublicKey(KeyType.OPERATOR, key)) {
                results.error(key + " is not an operator public key");
            }
        }
        if (!systemAccount.isEmpty() && !NKeys.isPublicKey(KeyType.ACCOUNT, systemAccount)) {
            results.error(systemAccount + " is not an account public key");
        }
        if (!assertServerVersion.isEmpty() && !assertServerVersion.matches("\\d+\\.\\d+\\.\\d+")) {
            results.error("asserted server version must be MAJOR.MINOR.PATCH, not " + assertServerVersion);
        }
        return results;
    }

    static OperatorClaims read(Registered registered, int version, JsonObject body) throws InvalidTokenException {
        return new OperatorClaims(
                registered,
                version,
                body.strings("tags"),
                body.strings("signing_keys"),
                body.string("account_server_url"),
                body.strings("operator_service_urls"),
                body.string("system_account"),
                body.string("assert_server_version"),
                body.bool("strict_signing_key_usage"),
                body.unknown());
    }

    @Override
    public Map<String, Object> bodyToJson() {
        return new JsonFields()
                .put("signing_keys", signingKeys)
                .put("account_server_url", accountServerUrl)
                .put("operator_service_urls", operatorServiceUrls)
                .put("system_account", systemAccount)
                .put("assert_server_version", assertServerVersion)
                .put("strict_signing_key_usage", strictSigningKeyUsage)
                .all(unknown)
                .toMap();
    }
}
