package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a NATS JWT says, by type. Immutable; fields this version does not know survive decoding and encoding. */
public sealed interface Claims permits OperatorClaims, AccountClaims, UserClaims, ActivationClaims, GenericClaims {

    /** The registered claims. */
    Registered registered();

    /** The `type` in the token: `operator`, `account`, `user`, `activation`, or any other for generic claims. */
    String type();

    /** Version of the token's form: 2, or 1 for tokens of the old form (readable, not written). */
    int version();

    /** Tags in lower case, often `key:value`. */
    List<String> tags();

    /** What is wrong with the claims at this time; an empty result means nothing. */
    ValidationResults validate(Instant now);

    /** The same claims with other registered ones. */
    Claims withRegistered(Registered registered);

    /** The fields of the `nats` object without type, version and tags. */
    Map<String, Object> bodyToJson();

    /** The public key the claims speak about. */
    default String subject() {
        return registered().subject();
    }

    /** The public key that signed. */
    default String issuer() {
        return registered().issuer();
    }

    /** Whether the token has an end and it has passed. */
    default boolean isExpired(Instant now) {
        return registered().expiresAt() > 0
                && now.getEpochSecond() > registered().expiresAt();
    }

    /** Whether the token's time has not come yet. */
    default boolean isEarly(Instant now) {
        return registered().notBefore() > now.getEpochSecond();
    }
}
