package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Claims about a user of an account.
 *
 * @param limits permissions and limits; {@link UserLimits#SCOPED} when a scoped key signs
 * @param issuerAccount public key of the account when one of its signing keys signed, else empty
 * @param unknown fields of the body this version does not know
 */
public record UserClaims(
        Registered registered,
        int version,
        List<String> tags,
        UserLimits limits,
        String issuerAccount,
        Map<String, Object> unknown)
        implements Claims {

    /** A user of an account, signed by one of the account's signing keys. */
    public static UserClaims of(String publicKey, String name, String account, UserLimits limits, List<String> tags) {
        return new UserClaims(Registered.about(publicKey, name), 2, List.copyOf(tags), limits, account, Map.of());
    }

    @Override
    public String type() {
        return "user";
    }

    /** Public key of the account the user belongs to. */
    public String account() {
        return issuerAccount.isEmpty() ? issuer() : issuerAccount;
    }

    @Override
    public UserClaims withRegistered(Registered other) {
        return new UserClaims(other, version, tags, limits, issuerAccount, unknown);
    }

    @Override
    public ValidationResults validate(Instant now) {
        ValidationResults results = new ValidationResults();
        results.times(this, now);
        limits.validate(results);
        if (!issuerAccount.isEmpty() && !NKeys.isPublicKey(KeyType.ACCOUNT, issuerAccount)) {
            results.error("account_id is not an account public key");
        }
        return results;
    }

    static UserClaims read(Registered registered, int version, JsonObject body) throws InvalidTokenException {
        UserLimits limits = UserLimits.read(body);
        if (version == 1) {
            limits = new UserLimits(
                    limits.permissions(),
                    limits.sources(),
                    limits.times(),
                    limits.timesLocation(),
                    -1,
                    -1,
                    limits.payload() == 0 ? -1 : limits.payload(),
                    limits.bearerToken(),
                    false,
                    limits.connectionTypes());
        }
        return new UserClaims(
                registered, version, body.strings("tags"), limits, body.string("issuer_account"), body.unknown());
    }

    @Override
    public Map<String, Object> bodyToJson() {
        JsonFields fields = new JsonFields();
        limits.write(fields);
        return fields.put("issuer_account", issuerAccount).all(unknown).toMap();
    }
}
