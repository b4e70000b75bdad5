package io.penstock.broker;

import java.time.Instant;
import java.util.List;

/**
 * Who is connected, after authentication.
 *
 * @param user shown in connection lists and events: user name, nkey, JWT subject or {@code [REDACTED]}; empty when none
 * @param nkey public user key when one was proven, else null
 * @param jwt user JWT, else null
 * @param issuerKey key that signed the JWT, else null
 * @param nameTag name inside the JWT, else null
 * @param expires when the connection must end, or null
 * @param expiryError text of the error then: {@code User Authentication Expired} or
 *     {@code Account Authentication Expired}
 */
public record Identity(
        String user,
        String nkey,
        String jwt,
        String issuerKey,
        String nameTag,
        List<String> tags,
        Instant expires,
        String expiryError) {

    public static final String USER_EXPIRED = "User Authentication Expired";
    public static final String ACCOUNT_EXPIRED = "Account Authentication Expired";

    /** Nobody in particular: a server without authentication. */
    public static final Identity ANONYMOUS = new Identity("", null, null, null, null, List.of(), null, USER_EXPIRED);

    /** A user known by name alone. */
    public static Identity ofUser(String user) {
        return new Identity(user, null, null, null, null, List.of(), null, USER_EXPIRED);
    }
}
