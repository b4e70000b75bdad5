package io.penstock.controlplane.identity;

import java.util.Optional;

/** The identity provider's users. Calls block and may fail with any runtime exception. */
public interface UserDirectory {
    /** A user there. `verified` users can sign in; the others wait for their code, or are gone. */
    record DirectoryUser(String id, String email, boolean verified) {}

    Optional<DirectoryUser> findByEmail(String email);

    /** Makes a user without a password that cannot sign in yet, and returns its id. */
    String createUnverified(String email);

    /** Fails with 422 on `password` when it does not meet the policy. */
    void replacePassword(String id, String password);

    /** From now on the user can sign in. Harmless when repeated. */
    void markVerified(String id);

    /** Ends all sessions, and what held the user back after wrong passwords. */
    void endSessions(String id);

    /** The user cannot sign in any more; all sessions end. Harmless when repeated. */
    void disable(String id);

    /** Removes the user. Harmless when repeated. */
    void delete(String id);
}
