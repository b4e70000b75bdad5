package io.penstock.broker.auth;

import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.UserClaims;
import java.util.concurrent.ConcurrentHashMap;

/**
 * User JWTs whose signature has been verified before, so that a client that comes back, or an account update that looks
 * at all connections, does not pay for it again. What a token says never changes; whether it is still wanted is decided
 * anew each time. Two generations of at most {@value #GENERATION_SIZE}; safe from any thread.
 */
final class VerifiedTokens {
    static final int GENERATION_SIZE = 8192;

    private volatile ConcurrentHashMap<String, UserClaims> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, UserClaims> old = new ConcurrentHashMap<>();

    UserClaims decode(String jwt) throws InvalidTokenException {
        UserClaims claims = young.get(jwt);
        if (claims != null) {
            return claims;
        }
        claims = old.get(jwt);
        if (claims == null) {
            claims = JwtDecoder.decodeUser(jwt);
        }
        if (young.size() >= GENERATION_SIZE) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(jwt, claims);
        return claims;
    }
}
