package io.penstock.broker.auth;

import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.resolver.AccountDirectory;
import io.penstock.broker.resolver.AccountResolver;
import io.penstock.broker.resolver.ClaimsException;
import io.penstock.broker.resolver.LoadedAccount;
import io.penstock.broker.resolver.Resolvers;
import io.penstock.broker.resolver.TrustChain;
import io.penstock.broker.system.AccountReports;
import io.penstock.broker.system.SystemAccount;
import io.penstock.broker.system.SystemServices;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeys;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accounts and users as JWTs under an operator. */
final class OperatorAccess extends AccessControl {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorAccess.class);

    private final OperatorConfig config;
    private final AccountResolver resolver;
    private final AccountDirectory directory;
    private final OperatorAuthenticator authenticator;
    private final SystemAccount system;

    private OperatorAccess(
            Broker broker,
            InstantSource clock,
            Workers workers,
            OperatorConfig config,
            AccountResolver resolver,
            TrustChain trust,
            String systemName)
            throws AuthConfigException {
        super(broker, clock, workers);
        this.config = config;
        this.resolver = resolver;
        this.directory = new AccountDirectory(
                broker.accounts(),
                resolver,
                trust,
                sharing,
                clock,
                workers.claims(),
                broker.identity().cluster());
        VerifiedTokens tokens = new VerifiedTokens();
        UserVerifier verifier = new UserVerifier(trust);
        this.authenticator = new OperatorAuthenticator(
                directory,
                verifier,
                tokens,
                config.pinnedAccounts(),
                config.defaultSentinel(),
                clock,
                workers.authentication());
        LiveUsers live = new LiveUsers(directory, verifier, tokens, clock, workers.claims());
        boolean hasSystem = systemName != null;
        if (hasSystem) {
            broker.accounts().setSystem(systemName);
        }
        checkPreload();
        if (hasSystem) {
            loadSystem(systemName);
        }
        this.system = SystemAccount.start(broker, sharing, directory, workers.claims(), clock, hasSystem);
        directory.all().forEach(account -> system.accountAdded(account.account()));
        directory.addListener((account, first) -> {
            if (first) {
                system.accountAdded(account.account());
            }
        });
        directory.addListener(live);
        broker.addEvents(live);
        broker.setAuthenticator(authenticator);
    }

    static AccessControl create(Broker broker, AuthConfig config, InstantSource clock, Workers workers)
            throws AuthConfigException {
        OperatorConfig operator = config.operator();
        refuseMixture(config);
        try {
            TrustChain trust = TrustChain.of(
                    operator.operatorJwts(), operator.trustedKeys(), ServerIdentity.PROTOCOL_VERSION, clock.instant());
            String systemName = systemName(config, trust);
            AccountResolver resolver = Resolvers.open(operator.resolver(), operator.preload());
            return new OperatorAccess(broker, clock, workers, operator, resolver, trust, systemName);
        } catch (IllegalArgumentException | IOException e) {
            throw new AuthConfigException(e.getMessage(), e);
        }
    }

    private static void refuseMixture(AuthConfig config) throws AuthConfigException {
        AuthorizationConfig authorization = config.authorization();
        if (!config.accounts().isEmpty()
                || !authorization.users().isEmpty()
                || authorization.user() != null
                || authorization.token() != null) {
            throw new AuthConfigException(
                    "operator mode takes accounts and users from JWTs; remove accounts, users, user"
                            + " and token from the configuration");
        }
        if (config.noAuthUser() != null) {
            throw new AuthConfigException("no_auth_user not compatible with Trusted Operator; remove one of them");
        }
        if (config.operator().resolver() == null) {
            throw new AuthConfigException(
                    "operators require an account resolver to be configured; add resolver: MEMORY or resolver { type: full"
                            + " … }");
        }
        for (String pinned : config.operator().pinnedAccounts()) {
            if (!NKeys.isPublicKey(KeyType.ACCOUNT, pinned)) {
                throw new AuthConfigException(
                        "resolver_pinned_accounts: \"" + pinned + "\" is not an account's public key");
            }
        }
    }

    private static String systemName(AuthConfig config, TrustChain trust) throws AuthConfigException {
        if (config.systemAccountDisabled()) {
            return null;
        }
        String named = config.systemAccount();
        if (named != null && !trust.systemAccount().isEmpty() && !named.equals(trust.systemAccount())) {
            throw new AuthConfigException("system_account in config and operator JWT must be identical: " + named
                    + " and " + trust.systemAccount());
        }
        if (named != null) {
            return named;
        }
        return trust.systemAccount().isEmpty() ? null : trust.systemAccount();
    }

    private void checkPreload() throws AuthConfigException {
        for (Map.Entry<String, String> entry : config.preload().entrySet()) {
            try {
                String subject = AccountDirectory.decode(entry.getValue()).subject();
                if (!subject.equals(entry.getKey())) {
                    throw new AuthConfigException(
                            "resolver_preload: the JWT under " + entry.getKey() + " is that of " + subject);
                }
                directory.validate(AccountDirectory.decode(entry.getValue()));
            } catch (ClaimsException e) {
                throw new AuthConfigException("resolver_preload: JWT of " + entry.getKey() + ": " + e.getMessage(), e);
            }
        }
    }

    private void loadSystem(String name) throws AuthConfigException {
        try {
            if (resolver.keepsAll() && resolver.fetch(name).isEmpty()) {
                LOG.warn(
                        "system account {} is not in the resolver's folder yet: users signed by its identity key may"
                                + " connect and push its JWT",
                        name);
                var _ = directory.provisional(name);
            } else {
                directory.load(name);
            }
        } catch (ClaimsException | IOException e) {
            throw new AuthConfigException(
                    "system account " + name + ": " + e.getMessage() + "; put its JWT into resolver_preload", e);
        }
    }

    @Override
    public SystemServices services() {
        return system.services();
    }

    @Override
    public AccountReports reports() {
        return system.reports();
    }

    @Override
    public void reload(AuthConfig next) throws AuthConfigException {
        OperatorConfig operator = next.operator();
        if (operator == null
                || !operator.operatorJwts().equals(config.operatorJwts())
                || !operator.trustedKeys().equals(config.trustedKeys())
                || !operator.resolver().equals(config.resolver())) {
            throw new AuthConfigException(
                    "config reload not supported for TrustedOperators, TrustedKeys or AccountResolver; restart the server");
        }
        refuseMixture(next);
        try {
            workers.claims().submit(() -> storePreload(operator.preload())).get();
        } catch (ExecutionException e) {
            throw new AuthConfigException("resolver_preload: " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuthConfigException("interrupted while reloading resolver_preload", e);
        }
    }

    private Void storePreload(Map<String, String> preload) throws ClaimsException, IOException {
        for (String jwt : preload.values()) {
            var claims = AccountDirectory.decode(jwt);
            directory.validate(claims);
            directory.update(claims, jwt);
        }
        return null;
    }

    @Override
    public CompletionStage<Account> account(String name) {
        return directory.lookup(name).thenApply(LoadedAccount::account);
    }

    @Override
    public long pinnedAccountFailures() {
        return authenticator.pinnedFailures();
    }

    @Override
    public void close() {
        system.close();
        super.close();
        resolver.close();
    }
}
