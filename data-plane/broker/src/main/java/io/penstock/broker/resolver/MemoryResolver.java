package io.penstock.broker.resolver;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Account JWTs of the configuration, and what was pushed since the start. */
final class MemoryResolver implements AccountResolver {
    private final Map<String, String> jwts;

    MemoryResolver(Map<String, String> preload) {
        this.jwts = new ConcurrentHashMap<>(preload);
    }

    @Override
    public Optional<String> fetch(String account) {
        return Optional.ofNullable(jwts.get(account));
    }

    @Override
    public boolean store(String account, String jwt) {
        String old = jwts.get(account);
        if (old != null && !JwtStamps.replaces(jwt, old)) {
            return false;
        }
        jwts.put(account, jwt);
        return true;
    }

    @Override
    public boolean delete(String account) {
        return jwts.remove(account) != null;
    }

    @Override
    public List<String> accounts() {
        return jwts.keySet().stream().sorted().toList();
    }

    @Override
    public boolean keepsAll() {
        return false;
    }

    @Override
    public boolean allowsDelete() {
        return false;
    }
}
