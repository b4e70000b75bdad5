package io.penstock.broker.resolver;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where account JWTs come from. Methods may block and are called from one thread of their own. */
public interface AccountResolver extends AutoCloseable {
    /** The JWT of an account, or empty when there is none. */
    Optional<String> fetch(String account) throws IOException;

    /**
     * Keeps a JWT that was pushed; durable when this returns, if the resolver keeps anything durably.
     *
     * @return whether it is new here: neither known nor older than the one that is
     */
    boolean store(String account, String jwt) throws IOException;

    /** Removes a JWT; false when there was none. */
    boolean delete(String account) throws IOException;

    /** Accounts whose JWTs were deleted, with the time of issue of what was deleted; as far as that is remembered. */
    default Map<String, Long> deletions() throws IOException {
        return Map.of();
    }

    /** Public keys of all accounts it has. */
    List<String> accounts() throws IOException;

    /** Whether pushed JWTs of accounts nobody has used here are kept, and listed and deleted on request. */
    boolean keepsAll();

    /** Whether {@link #delete} is allowed by the configuration. */
    boolean allowsDelete();

    @Override
    default void close() {}
}
