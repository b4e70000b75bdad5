package io.penstock.controlplane.testing;

import io.penstock.controlplane.identity.UserDirectory;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Users in memory. */
@Alternative
@Unremovable
@ApplicationScoped
public class TestingUserDirectory implements UserDirectory {
    private final Map<String, DirectoryUser> byId = new ConcurrentHashMap<>();
    private final Map<String, String> passwords = new ConcurrentHashMap<>();

    @Override
    public Optional<DirectoryUser> findByEmail(String email) {
        return byId.values().stream().filter(user -> user.email().equals(email)).findFirst();
    }

    @Override
    public String createUnverified(String email, String password) {
        String id = UUID.randomUUID().toString();
        byId.put(id, new DirectoryUser(id, email, false));
        passwords.put(id, password);
        return id;
    }

    @Override
    public void replacePassword(String id, String password) {
        passwords.put(id, password);
    }

    @Override
    public void markVerified(String id) {
        byId.computeIfPresent(id, (key, user) -> new DirectoryUser(id, user.email(), true));
    }

    public boolean isPassword(String id, String password) {
        return password.equals(passwords.get(id));
    }
}
