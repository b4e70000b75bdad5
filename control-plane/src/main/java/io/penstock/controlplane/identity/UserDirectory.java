package io.penstock.controlplane.identity;

import java.util.Optional;

/** The identity provider's users, as sign-up needs them. Calls block and may fail with any runtime exception. */
public interface UserDirectory {
    /** A user there. `verified` users can sign in; the others wait for their code. */
    record DirectoryUser(String id, String email, boolean verified) {}

    Optional<DirectoryUser> findByEmail(String email);

    /** Makes a user that cannot sign in yet and returns its id. */
    String createUnverified(String email, String password);

    /** Replaces the password of a user that was never verified. */
    void replacePassword(String id, String password);

    /** From now on the user can sign in. Harmless when repeated. */
    void markVerified(String id);
}
