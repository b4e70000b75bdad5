package io.penstock.claims;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes claims as a signed NATS JWT of version 2.
 *
 * <pre>
 * header   {"alg":"ed25519-nkey","typ":"JWT"}
 * payload  {"jti":…,"iat":…,"iss":…,"name":…,"sub":…,"nats":{…,"tags":[…],"type":…,"version":2}}
 * </pre>
 *
 * <p>The id (jti) is base32 of SHA-512/256 over the JSON of the registered claims without an id.
 */
public final class JwtEncoder {
    private static final int VERSION = 2;
    private static final JWSHeader HEADER =
            new JWSHeader.Builder(JwtAlgorithm.CURRENT).type(JOSEObjectType.JWT).build();

    private JwtEncoder() {}

    /**
     * The token of these claims.
     *
     * @param issuedAt unix seconds; an expiry or start stands in the claims already
     * @throws IllegalArgumentException when this kind of key may not sign these claims
     */
    public static String encode(Claims claims, NKeySigner signer, long issuedAt) {
        KeyType issuerType = NKeys.typeOf(signer.publicKey());
        if (!Issuers.allowedFor(claims).contains(issuerType)) {
            throw new IllegalArgumentException(
                    "an " + claims.type() + " token cannot be signed by a key of type " + issuerType);
        }
        Registered unsigned = claims.registered().issued(signer.publicKey(), issuedAt, "");
        Registered registered = unsigned.issued(signer.publicKey(), issuedAt, id(unsigned));
        Map<String, Object> body = new LinkedHashMap<>(claims.bodyToJson());
        List<String> tags = claims.tags().stream()
                .map(tag -> tag.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        if (!tags.isEmpty()) {
            body.put("tags", tags);
        }
        body.put("type", claims.type());
        body.put("version", VERSION);
        Map<String, Object> payload = new LinkedHashMap<>(registered.toJson());
        payload.put("nats", body);
        JWSObject jws = new JWSObject(HEADER, new Payload(JSONObjectUtils.toJSONString(payload)));
        try {
            jws.sign(new NKeyJwsSigner(signer));
        } catch (JOSEException e) {
            throw new IllegalStateException("signing with " + signer.publicKey() + " failed", e);
        }
        return jws.serialize();
    }

    static String id(Registered withoutId) {
        // Other writers of these tokens escape these three characters, and the id is over their spelling.
        String json = JSONObjectUtils.toJSONString(withoutId.toJson())
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026");
        try {
            byte[] hash = MessageDigest.getInstance("SHA-512/256").digest(json.getBytes(StandardCharsets.UTF_8));
            return new String(Base32.encode(hash), StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK offers no SHA-512/256", e);
        }
    }
}
