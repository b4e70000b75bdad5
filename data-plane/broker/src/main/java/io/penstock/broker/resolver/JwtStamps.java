package io.penstock.broker.resolver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Base64;

/** Reads what decides between two JWTs of one account, without verifying either. */
final class JwtStamps {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JwtStamps() {}

    /** The stamp of a JWT, or null when it cannot be read. */
    static JwtDirectory.Stamp read(String jwt) {
        String[] parts = jwt.split("\\.");
        if (parts.length != 3) {
            return null;
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            return new JwtDirectory.Stamp(
                    claims.path("jti").asText(),
                    claims.path("iat").asLong(),
                    claims.path("exp").asLong());
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether {@code fresh} should take the place of {@code old}. */
    static boolean replaces(String fresh, String old) {
        return replaces(read(fresh), read(old));
    }

    static boolean replaces(JwtDirectory.Stamp fresh, JwtDirectory.Stamp old) {
        if (fresh == null || old == null) {
            return true;
        }
        return !old.id().equals(fresh.id()) && old.issuedAt() <= fresh.issuedAt();
    }
}
