package io.penstock.broker.resolver;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Base64;

/** Decides between two JWTs of one account by their time of issue, without verifying either. */
final class JwtStamps {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JwtStamps() {}

    /**
     * Whether {@code fresh} should take the place of {@code old}: it is another token and not issued before it. Ids do
     * not tell tokens apart, since they say nothing about the body: two updates within a second have one id.
     */
    static boolean replaces(String fresh, String old) {
        return !fresh.equals(old) && issuedAt(fresh) >= issuedAt(old);
    }

    /** Whether nodes that hold these two settle on {@code fresh}: the same on both, whichever came first. */
    static boolean prevails(String fresh, String old) {
        int order = Long.compare(issuedAt(fresh), issuedAt(old));
        return order > 0 || (order == 0 && fresh.compareTo(old) > 0);
    }

    // One that cannot be read gives way to any.
    static long issuedAt(String jwt) {
        try {
            String[] parts = jwt.split("\\.");
            return parts.length == 3
                    ? JSON.readTree(Base64.getUrlDecoder().decode(parts[1]))
                            .path("iat")
                            .asLong()
                    : Long.MIN_VALUE;
        } catch (IOException | IllegalArgumentException e) {
            return Long.MIN_VALUE;
        }
    }
}
