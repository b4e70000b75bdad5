package io.penstock.broker.resolver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** JWTs of the configuration first, then those of another resolver. */
final class PreloadedResolver implements AccountResolver {
    private final MemoryResolver preload;
    private final AccountResolver other;

    PreloadedResolver(MemoryResolver preload, AccountResolver other) {
        this.preload = preload;
        this.other = other;
    }

    @Override
    public Optional<String> fetch(String account) throws IOException {
        Optional<String> own = preload.fetch(account);
        return own.isPresent() ? own : other.fetch(account);
    }

    @Override
    public boolean store(String account, String jwt) throws IOException {
        return preload.fetch(account).isPresent() ? preload.store(account, jwt) : other.store(account, jwt);
    }

    @Override
    public boolean delete(String account) throws IOException {
        return other.delete(account);
    }

    @Override
    public List<String> accounts() throws IOException {
        return other.accounts();
    }

    @Override
    public boolean keepsAll() {
        return other.keepsAll();
    }

    @Override
    public boolean allowsDelete() {
        return other.allowsDelete();
    }

    @Override
    public void close() {
        other.close();
    }
}
