package io.penstock.controlplane.tenancy;

/**
 * Who acts. `userId` is ours (`usrp_…` or `sa_…`), `sub` the identity provider's and empty for a service account, `name` is what people
 * call it, `token` is null for a person with a session.
 */
public record Principal(Kind kind, String userId, String sub, String email, String name, TokenGrant token) {
    /** What acts. */
    public enum Kind {
        /** A person, with a session or a personal token. */
        USER,
        /** A machine, always with a token. */
        SERVICE_ACCOUNT;

        public String code() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** A person with a session. */
    public Principal(String userId, String sub, String email, String name) {
        this(Kind.USER, userId, sub, email, name, null);
    }

    /** A service account; it has no e-mail. */
    public static Principal serviceAccount(String id, String name, TokenGrant token) {
        return new Principal(Kind.SERVICE_ACCOUNT, id, "", null, name, token);
    }

    /** The e-mail of a person, the name of a service account. */
    public String label() {
        return email == null ? name : email;
    }

    /** What a rate limit counts: each token by itself. */
    public String meter() {
        return token == null ? userId : token.tokenId();
    }
}
