package io.penstock.controlplane.accountservice;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.web.Etags;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs the statement that goes with each call: a compact JWS (HS256) over who, why, method, path and body. */
final class Statements {
    /** Seconds a statement is good for. */
    static final int LIFE_SECONDS = 30;

    private static final String HEADER = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));

    private final SecretKeySpec key;
    private final ObjectMapper json;

    Statements(byte[] secret, ObjectMapper json) {
        if (secret.length != 32) {
            throw new IllegalArgumentException("penstock.statement.secret must be 32 bytes in base64, it has "
                    + secret.length + "; it is the same value as account-service's");
        }
        this.key = new SecretKeySpec(secret, "HmacSHA256");
        this.json = json;
    }

    String sign(AccountService.Reason why, String method, String path, byte[] body, Instant now) {
        ObjectNode claims = json.createObjectNode();
        claims.put("iss", "control-plane");
        claims.put("sub", why.principal());
        claims.put("act", why.action());
        claims.put("htm", method);
        claims.put("htu", path);
        claims.put("bsh", encode(Etags.sha256(body)));
        claims.put("rid", why.requestId());
        // A statement is good for one call: two equal calls of one request within a second must differ.
        claims.put("jti", UUID.randomUUID().toString());
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.getEpochSecond() + LIFE_SECONDS);
        String signed = HEADER + "." + encode(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
