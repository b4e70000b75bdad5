package io.penstock.broker.resolver;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every account JWT ever pushed, in a folder. */
final class FullResolver implements AccountResolver {
    private final JwtDirectory directory;
    private final boolean allowDelete;
    private final boolean hardDelete;

    FullResolver(JwtDirectory directory, boolean allowDelete, boolean hardDelete) {
        this.directory = directory;
        this.allowDelete = allowDelete;
        this.hardDelete = hardDelete;
    }

    @Override
    public Optional<String> fetch(String account) throws IOException {
        return directory.load(account);
    }

    @Override
    public boolean store(String account, String jwt) throws IOException {
        return directory.save(account, jwt);
    }

    @Override
    public boolean delete(String account) throws IOException {
        return directory.delete(account, hardDelete);
    }

    @Override
    public Map<String, Long> deletions() throws IOException {
        return directory.deletions();
    }

    @Override
    public List<String> accounts() throws IOException {
        return directory.accounts();
    }

    @Override
    public boolean keepsAll() {
        return true;
    }

    @Override
    public boolean allowsDelete() {
        return allowDelete;
    }
}
