package io.penstock.broker.resolver;

import java.io.IOException;
import java.util.Map;

/** Makes the resolver the configuration asks for. */
public final class Resolvers {
    private Resolvers() {}

    /**
     * Opens a resolver.
     *
     * @param preload JWTs of the configuration by account; a newer one in a folder is kept
     * @throws IOException when its folder cannot be used
     * @throws IllegalArgumentException when a setting is missing or this kind cannot be had
     */
    public static AccountResolver open(ResolverConfig config, Map<String, String> preload) throws IOException {
        return switch (config.kind()) {
            case MEMORY -> new MemoryResolver(preload);
            case FULL -> full(config, preload);
            case URL -> {
                if (config.url() == null) {
                    throw new IllegalArgumentException(
                            "resolver: URL needs an address, as in URL(http://host/jwt/v1/accounts/)");
                }
                yield preloaded(new UrlResolver(config.url(), config.timeout()), preload);
            }
            case CACHE ->
                throw new IllegalArgumentException(
                        "resolver type cache fetches from other servers of a cluster, which this"
                                + " server does not join yet; use type: full");
        };
    }

    private static AccountResolver full(ResolverConfig config, Map<String, String> preload) throws IOException {
        if (config.directory() == null) {
            throw new IllegalArgumentException("resolver type full needs dir, the folder that keeps the account JWTs");
        }
        if (config.hardDelete() && !config.allowDelete()) {
            throw new IllegalArgumentException("resolver: hard_delete has no effect without allow_delete: true");
        }
        FullResolver resolver = new FullResolver(
                new JwtDirectory(config.directory(), config.limit()), config.allowDelete(), config.hardDelete());
        for (Map.Entry<String, String> entry : preload.entrySet()) {
            resolver.store(entry.getKey(), entry.getValue());
        }
        return resolver;
    }

    private static AccountResolver preloaded(AccountResolver remote, Map<String, String> preload) {
        return preload.isEmpty() ? remote : new PreloadedResolver(new MemoryResolver(preload), remote);
    }
}
