package io.penstock.claims;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Claims of any other type, such as the request to delete accounts.
 *
 * @param type the `type` of the token
 * @param data the body without type, version and tags
 */
public record GenericClaims(
        Registered registered, int version, List<String> tags, String type, Map<String, Object> data)
        implements Claims {

    /** The request of an operator to delete these accounts; its subject is the operator's key that signs it. */
    public static GenericClaims deleteAccounts(String operatorKey, List<String> accounts) {
        return new GenericClaims(
                Registered.about(operatorKey, ""), 2, List.of(), "generic", Map.of("accounts", List.copyOf(accounts)));
    }

    @Override
    public GenericClaims withRegistered(Registered other) {
        return new GenericClaims(other, version, tags, type, data);
    }

    @Override
    public ValidationResults validate(Instant now) {
        ValidationResults results = new ValidationResults();
        results.times(this, now);
        return results;
    }

    static GenericClaims read(Registered registered, int version, String type, JsonObject body)
            throws InvalidTokenException {
        return new GenericClaims(registered, version, body.strings("tags"), type, body.unknown());
    }

    @Override
    public Map<String, Object> bodyToJson() {
        return data;
    }
}
