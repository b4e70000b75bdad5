package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Leave for one account (the subject) to import something private from another.
 *
 * @param importSubject what may be imported, wildcards included
 * @param kind stream or service
 * @param issuerAccount public key of the exporter when one of its signing keys signed, else empty
 * @param unknown fields of the body this version does not know
 */
public record ActivationClaims(
        Registered registered,
        int version,
        List<String> tags,
        String importSubject,
        ShareKind kind,
        String issuerAccount,
        Map<String, Object> unknown)
        implements Claims {

    /** Leave for an importer, signed by one of the exporter's signing keys (or its identity key). */
    public static ActivationClaims of(String importer, String exporter, String importSubject, ShareKind kind) {
        return new ActivationClaims(
                Registered.about(importer, importSubject), 2, List.of(), importSubject, kind, exporter, Map.of());
    }

    @Override
    public String type() {
        return "activation";
    }

    /** Public key of the exporting account. */
    public String exporter() {
        return issuerAccount.isEmpty() ? issuer() : issuerAccount;
    }

    @Override
    public ActivationClaims withRegistered(Registered other) {
        return new ActivationClaims(other, version, tags, importSubject, kind, issuerAccount, unknown);
    }

    @Override
    public ValidationResults validate(Instant now) {
        ValidationResults results = new ValidationResults();
        results.times(this, now);
        SubjectRules.validate(importSubject, results);
        if (kind == ShareKind.UNKNOWN) {
            results.error("invalid import type in the activation");
        }
        if (!issuerAccount.isEmpty() && !NKeys.isPublicKey(KeyType.ACCOUNT, issuerAccount)) {
            results.error("account_id is not an account public key");
        }
        return results;
    }

    static ActivationClaims read(Registered registered, int version, JsonObject body) throws InvalidTokenException {
        // The old form said `type` inside the body where the new one says `kind`.
        String kind = version == 1 ? body.string("type") : body.string("kind");
        return new ActivationClaims(
                registered,
                version,
                body.strings("tags"),
                body.string("subject"),
                ShareKind.of(kind),
                body.string("issuer_account"),
                body.unknown());
    }

    @Override
    public Map<String, Object> bodyToJson() {
        return new JsonFields()
                .put("subject", importSubject)
                .put("kind", kind.text())
                .put("issuer_account", issuerAccount)
                .all(unknown)
                .toMap();
    }
}
