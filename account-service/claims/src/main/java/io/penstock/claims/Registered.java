package io.penstock.claims;

import java.util.Map;

/**
 * The registered claims every token carries. Absent texts are empty, absent times 0.
 *
 * @param audience whom the token is for; mostly empty
 * @param expiresAt unix seconds after which the token is void, 0 for never
 * @param id the token's hash, see {@link JwtEncoder}
 * @param issuedAt unix seconds
 * @param issuer public key that signed
 * @param name what people call the subject
 * @param notBefore unix seconds before which the token is void, 0 for at once
 * @param subject public key the token speaks about
 */
public record Registered(
        String audience,
        long expiresAt,
        String id,
        long issuedAt,
        String issuer,
        String name,
        long notBefore,
        String subject) {

    /** What a token about this subject starts from; issuer, id and time of issue come with the encoding. */
    public static Registered about(String subject, String name) {
        return new Registered("", 0, "", 0, "", name, 0, subject);
    }

    /** The same, void after this unix second (0 for never). */
    public Registered expiringAt(long unixSeconds) {
        return new Registered(audience, unixSeconds, id, issuedAt, issuer, name, notBefore, subject);
    }

    /** The same, void before this unix second (0 for at once). */
    public Registered startingAt(long unixSeconds) {
        return new Registered(audience, expiresAt, id, issuedAt, issuer, name, unixSeconds, subject);
    }

    Registered issued(String by, long at, String withId) {
        return new Registered(audience, expiresAt, withId, at, by, name, notBefore, subject);
    }

    static Registered read(JsonObject json) throws InvalidTokenException {
        return new Registered(
                json.string("aud"),
                json.number("exp"),
                json.string("jti"),
                json.number("iat"),
                json.string("iss"),
                json.string("name"),
                json.number("nbf"),
                json.string("sub"));
    }

    /** In the order the token id is computed over. */
    Map<String, Object> toJson() {
        return new JsonFields()
                .put("aud", audience)
                .put("exp", expiresAt)
                .put("jti", id)
                .put("iat", issuedAt)
                .put("iss", issuer)
                .put("name", name)
                .put("nbf", notBefore)
                .put("sub", subject)
                .toMap();
    }
}
