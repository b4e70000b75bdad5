package io.penstock.broker.resolver;

import io.penstock.broker.Account;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.broker.sharing.Sharing;
import io.penstock.broker.sharing.SharingSpec;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.Registered;
import io.penstock.protocol.SubjectMappings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of operator mode that are in use here: found through the resolver when first needed, and kept in step with
 * every update. Accounts nobody uses are not loaded.
 *
 * <p>All changes run on one thread, the executor given; reading is safe from any.
 */
public final class AccountDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(AccountDirectory.class);

    private final AccountRegistry registry;
    private final AccountResolver resolver;
    private final TrustChain trust;
    private final Sharing sharing;
    private final InstantSource clock;
    private final Executor executor;
    private final String cluster;

    /** Written by the executor alone. */
    private final Map<String, LoadedAccount> loaded = new ConcurrentHashMap<>();

    private final List<ClaimsListener> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param executor one thread, on which everything that changes or blocks happens
     * @param cluster name of this server's cluster, or null
     */
    public AccountDirectory(
            AccountRegistry registry,
            AccountResolver resolver,
            TrustChain trust,
            Sharing sharing,
            InstantSource clock,
            Executor executor,
            String cluster) {
        this.registry = registry;
        this.resolver = resolver;
        this.trust = trust;
        this.sharing = sharing;
        this.clock = clock;
        this.executor = executor;
        this.cluster = cluster == null ? "" : cluster;
    }

    public void addListener(ClaimsListener listener) {
        listeners.add(listener);
    }

    public AccountResolver resolver() {
        return resolver;
    }

    public TrustChain trust() {
        return trust;
    }

    /** The account if it is in use here, else null. */
    public LoadedAccount find(String key) {
        return loaded.get(key);
    }

    public Collection<LoadedAccount> all() {
        return List.copyOf(loaded.values());
    }

    /** The account, found through the resolver if need be. Fails with {@link ClaimsException} when it cannot be used. */
    public CompletableFuture<LoadedAccount> lookup(String key) {
        LoadedAccount known = loaded.get(key);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<LoadedAccount> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                result.complete(load(key));
            } catch (ClaimsException | IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** As {@link #lookup}, on the calling thread; for the start, before others use the directory. */
    public LoadedAccount load(String key) throws ClaimsException, IOException {
        LoadedAccount known = loaded.get(key);
        if (known != null) {
            return known;
        }
        Optional<String> jwt = resolver.fetch(key);
        if (jwt.isEmpty()) {
            throw new ClaimsException("account " + key + " is not known to the resolver");
        }
        AccountClaims claims = check(jwt.get());
        if (!claims.subject().equals(key)) {
            throw new ClaimsException("the resolver gave the JWT of " + claims.subject() + " for " + key);
        }
        LoadedAccount account = apply(claims, jwt.get());
        loadMissingExporters();
        return account;
    }

    // An import from an account nobody has used here brings that account in.
    private void loadMissingExporters() {
        boolean found;
        do {
            found = false;
            for (String exporter : sharing.missingExporters()) {
                found |= !loaded.containsKey(exporter) && tryLoad(exporter);
            }
        } while (found);
    }

    private boolean tryLoad(String exporter) {
        try {
            Optional<String> jwt = resolver.fetch(exporter);
            if (jwt.isEmpty()) {
                return false;
            }
            apply(check(jwt.get()), jwt.get());
            return true;
        } catch (ClaimsException | IOException e) {
            LOG.warn("account {} that others import from cannot be loaded: {}", exporter, e.getMessage());
            return false;
        }
    }

    /**
     * Lets a system account in whose JWT the resolver does not have, with no other rights than those of the system
     * account: users signed by its identity key can connect and push the JWT. For the start.
     */
    public LoadedAccount provisional(String key) throws ClaimsException {
        AccountClaims bare = AccountClaims.builder(key, "").build();
        Registered none = bare.registered();
        String issuer = trust.keys().stream().sorted().findFirst().orElseThrow();
        Registered issued = new Registered(none.audience(), 0, "", 0, issuer, none.name(), 0, none.subject());
        return apply(bare.withRegistered(issued), "");
    }

    /**
     * Takes a pushed JWT: keeps it durably, and puts it into force if the account is in use here. On the executor.
     *
     * @return whether it came into force (false when nobody uses the account here)
     */
    public boolean update(AccountClaims claims, String jwt) throws ClaimsException, IOException {
        // Compiling first, so that what cannot work is refused before it is kept.
        ClaimsToAccount.mappings(claims, cluster);
        ClaimsToAccount.sharing(claims);
        boolean fresh = resolver.store(claims.subject(), jwt);
        LoadedAccount known = loaded.get(claims.subject());
        boolean awaited = sharing.missingExporters().contains(claims.subject());
        if (!fresh || (known == null && !awaited)) {
            return known != null;
        }
        if (known != null && !JwtStamps.replaces(jwt, known.jwt())) {
            return true;
        }
        apply(claims, jwt);
        loadMissingExporters();
        return true;
    }

    /**
     * Takes a JWT that another node holds, if it is to take the place of what is held here. On the executor.
     *
     * @return whether anything changed
     */
    public boolean merge(String jwt) throws ClaimsException, IOException {
        AccountClaims claims = check(jwt);
        String account = claims.subject();
        Optional<String> held = resolver.fetch(account);
        if (held.isPresent() && !JwtStamps.prevails(jwt, held.get())) {
            return false;
        }
        Long deleted = resolver.deletions().get(account);
        if (held.isEmpty() && deleted != null && deleted >= JwtStamps.issuedAt(jwt)) {
            return false;
        }
        var _ = update(claims, jwt);
        return true;
    }

    /** Deletes what another node has deleted, unless something newer is held here. On the executor. */
    public boolean mergeDeletion(String account, long issuedAt) throws IOException {
        Optional<String> held = resolver.fetch(account);
        return held.isPresent() && JwtStamps.issuedAt(held.get()) <= issuedAt && delete(account);
    }

    /** Decodes and verifies an account JWT. */
    AccountClaims check(String jwt) throws ClaimsException {
        AccountClaims claims = decode(jwt);
        validate(claims);
        return claims;
    }

    /** Decodes an account JWT whose signature is that of the issuer it names. */
    public static AccountClaims decode(String jwt) throws ClaimsException {
        try {
            return JwtDecoder.decodeAccount(jwt);
        } catch (InvalidTokenException e) {
            throw new ClaimsException(e.getMessage());
        }
    }

    /** Requires that claims are signed by the operator and make sense. */
    public void validate(AccountClaims claims) throws ClaimsException {
        if (!trust.trusts(claims.issuer())) {
            throw new ClaimsException(
                    trust.isForbiddenIdentity(claims.issuer())
                            ? "operator requires issuer to be a signing key"
                            : "account JWT is not signed by a trusted operator");
        }
        // An expired account is still known: it is shown as such, and an update can bring it back.
        if (claims.validate(clock.instant()).isBlocking(false)) {
            throw new ClaimsException(claims.validate(clock.instant()).toString());
        }
    }

    private LoadedAccount apply(AccountClaims claims, String jwt) throws ClaimsException {
        String key = claims.subject();
        SubjectMappings mappings = ClaimsToAccount.mappings(claims, cluster);
        SharingSpec shares = ClaimsToAccount.sharing(claims);
        boolean first = !loaded.containsKey(key);
        Account account = registry.getOrCreate(key);
        LoadedAccount now = new LoadedAccount(account, claims, jwt, clock.instant());
        // Before anything can be bound to the account by the new claims, its limits must stand.
        account.setPublicName(claims.registered().name());
        account.updateLimits(ClaimsToAccount.limits(claims));
        account.updateMappings(mappings);
        loaded.put(key, now);
        sharing.declare(key, shares);
        JetStreamLimits jetStream = account.isSystem() ? null : ClaimsToAccount.jetStream(claims);
        account.updateJetStream(jetStream);
        listeners.forEach(listener -> listener.applied(now, first));
        return now;
    }

    /** Deletes an account's JWT and forgets the account; its connections are closed. On the executor. */
    public boolean delete(String key) throws IOException {
        boolean deleted = resolver.delete(key);
        if (deleted && loaded.remove(key) != null) {
            sharing.withdraw(key);
            registry.remove(key);
        }
        return deleted;
    }
}
