package io.penstock.controlplane.testing;

import io.penstock.controlplane.identity.UserDirectory;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Users in memory. */
@Alternative
@Unremovable
@ApplicationScoped
public class TestingUserDirectory implements UserDirectory {
    /** A password that begins like this does not meet the policy. */
    public static final String REFUSED = "refused by policy";

    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final Map<String, DirectoryUser> byId = new ConcurrentHashMap<>();
    private final Map<String, String> passwords = new ConcurrentHashMap<>();

    @Override
    public Optional<DirectoryUser> findByEmail(String email) {
        return byId.values().stream().filter(user -> user.email().equals(email)).findFirst();
    }

    @Override
    public String createUnverified(String email) {
        String id = UUID.randomUUID().toString();
        byId.put(id, new DirectoryUser(id, email, false));
        return id;
    }

    @Override
    public void replacePassword(String id, String password) {
        if (password.startsWith(REFUSED)) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "password", "policy", "not this one");
        }
        passwords.put(id, password);
    }

    @Override
    public void markVerified(String id) {
        byId.computeIfPresent(id, (key, user) -> new DirectoryUser(id, user.email(), true));
    }

    @Override
    public void endSessions(String id) {
        ended.add(id);
    }

    @Override
    public void disable(String id) {
        byId.computeIfPresent(id, (key, user) -> new DirectoryUser(id, user.email(), false));
        ended.add(id);
    }

    @Override
    public void delete(String id) {
        byId.remove(id);
        passwords.remove(id);
    }

    /** Makes a user as if somebody had signed up and confirmed. */
    public void add(String id, String email, String password) {
        byId.put(id, new DirectoryUser(id, email, true));
        passwords.put(id, password);
    }

    public boolean isPassword(String id, String password) {
        return password.equals(passwords.get(id));
    }

    public boolean hasPassword(String id) {
        return passwords.containsKey(id);
    }

    public boolean sessionsEnded(String id) {
        return ended.contains(id);
    }
}
