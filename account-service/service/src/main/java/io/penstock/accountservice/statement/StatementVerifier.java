package io.penstock.accountservice.statement;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * Checks that a signed statement belongs to exactly this request: method, path and body.
 *
 * <p>Claims: {@code iss} "control-plane", {@code sub} who, {@code act} what, {@code htm} method, {@code htu} path (with
 * the query when the request has one and the signer binds it), {@code bsh} base64url SHA-256 of the body, {@code rid}
 * request id, {@code iat}, {@code exp}.
 */
final class StatementVerifier {
    private static final String ISSUER = "control-plane";
    private static final int SECRET_LENGTH = 32;
    private static final int MAX_LENGTH = 8192;

    private final byte[] secret;
    private final Duration maxAge;
    private final Duration skew;

    /**
     * What of a request is signed.
     *
     * @param path raw path without the query
     * @param query raw query, or null
     */
    record Request(String method, String path, String query, byte[] body) {}

    StatementVerifier(byte[] secret, Duration maxAge, Duration skew) {
        if (secret.length != SECRET_LENGTH) {
            throw new IllegalArgumentException(
                    "penstock.statement.secret must be 32 bytes in base64, it is " + secret.length);
        }
        this.secret = secret.clone();
        this.maxAge = maxAge;
        this.skew = skew;
    }

    Statement verify(String token, Request request, Instant now) throws StatementRejectedException {
        if (token == null || token.isEmpty()) {
            throw new StatementRejectedException("statement_missing", "the request carries no Penstock-Statement");
        }
        Map<String, Object> claims = authentic(token);
        try {
            require(ISSUER.equals(JSONObjectUtils.getString(claims, "iss")), "another issuer");
            checkTimes(claims, now);
            require(request.method().equals(JSONObjectUtils.getString(claims, "htm")), "another method");
            checkPath(JSONObjectUtils.getString(claims, "htu"), request);
            require(bodyHash(request.body()).equals(JSONObjectUtils.getString(claims, "bsh")), "another body");
            return new Statement(text(claims, "sub"), text(claims, "act"), text(claims, "rid"));
        } catch (ParseException e) {
            throw new StatementRejectedException("statement_invalid", "a claim of the statement has the wrong type");
        }
    }

    private Map<String, Object> authentic(String token) throws StatementRejectedException {
        if (token.length() > MAX_LENGTH) {
            throw new StatementRejectedException("statement_invalid", "the statement is too long");
        }
        try {
            JWSObject jws = JWSObject.parse(token);
            if (!jws.getHeader().getAlgorithm().equals(JWSAlgorithm.HS256) || !jws.verify(new MACVerifier(secret))) {
                throw new StatementRejectedException("statement_invalid", "the signature of the statement is wrong");
            }
            return JSONObjectUtils.parse(jws.getPayload().toString());
        } catch (ParseException e) {
            throw new StatementRejectedException("statement_invalid", "the statement is not a compact JWS");
        } catch (JOSEException e) {
            throw new StatementRejectedException("statement_invalid", "the statement cannot be verified");
        }
    }

    private void checkTimes(Map<String, Object> claims, Instant now) throws ParseException, StatementRejectedException {
        Instant issued = Instant.ofEpochSecond(JSONObjectUtils.getLong(claims, "iat"));
        Instant expires = Instant.ofEpochSecond(JSONObjectUtils.getLong(claims, "exp"));
        if (issued.isAfter(now.plus(skew))) {
            throw new StatementRejectedException("statement_invalid", "the statement is from the future");
        }
        if (Duration.between(issued, expires).compareTo(maxAge) > 0) {
            throw new StatementRejectedException("statement_invalid", "the statement is valid for too long");
        }
        if (now.isAfter(expires.plus(skew))) {
            throw new StatementRejectedException("statement_expired", "the statement is expired");
        }
    }

    private static void checkPath(String signed, Request request) throws StatementRejectedException {
        boolean withQuery = request.query() != null && (request.path() + "?" + request.query()).equals(signed);
        require(withQuery || request.path().equals(signed), "another path");
    }

    private static String text(Map<String, Object> claims, String name)
            throws ParseException, StatementRejectedException {
        String value = JSONObjectUtils.getString(claims, name);
        require(value != null && !value.isBlank() && value.length() <= 256, "no usable " + name);
        return value;
    }

    private static void require(boolean holds, String otherwise) throws StatementRejectedException {
        if (!holds) {
            throw new StatementRejectedException("statement_mismatch", "the statement is for " + otherwise);
        }
    }

    static String bodyHash(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return new String(Base64.getUrlEncoder().withoutPadding().encode(hash), StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK offers no SHA-256", e);
        }
    }
}
