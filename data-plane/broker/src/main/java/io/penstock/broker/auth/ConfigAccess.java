package io.penstock.broker.auth;

import io.penstock.broker.Account;
import io.penstock.broker.AuthResult;
import io.penstock.broker.Broker;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.system.AccountReports;
import io.penstock.broker.system.SystemAccount;
import io.penstock.broker.system.SystemServices;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Accounts and users as the configuration lists them. */
final class ConfigAccess extends AccessControl {
    private final SwitchingAuthenticator authenticator;
    private final SystemAccount system;

    /** Guarded by this. */
    private AuthConfig config;

    private Set<String> names;

    ConfigAccess(Broker broker, AuthConfig config, InstantSource clock, Workers workers) throws AuthConfigException {
        super(broker, clock, workers);
        this.config = config;
        ConfiguredAccounts accounts = prepare(config);
        this.authenticator = new SwitchingAuthenticator(
                new ConfigAuthenticator(config, broker.accounts(), workers.authentication()));
        broker.accounts().setSystem(ConfiguredAccounts.systemName(config));
        accounts.apply(broker.accounts(), sharing);
        String refusal = accounts.firstRefusal(sharing);
        if (refusal != null) {
            throw new AuthConfigException(refusal);
        }
        this.names = accounts.names();
        this.system =
                SystemAccount.start(broker, sharing, null, workers.claims(), clock, !config.systemAccountDisabled());
        names.forEach(name -> system.accountAdded(broker.accounts().getOrCreate(name)));
        broker.setAuthenticator(authenticator);
    }

    private ConfiguredAccounts prepare(AuthConfig config) throws AuthConfigException {
        return ConfiguredAccounts.of(
                config, broker.identity().cluster(), broker.options().jetStream());
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
    public synchronized void reload(AuthConfig next) throws AuthConfigException {
        if (next.operator() != null) {
            throw new AuthConfigException(
                    "config reload not supported for TrustedOperators: old=none, new=operator mode;"
                            + " restart the server");
        }
        if (!ConfiguredAccounts.systemName(next).equals(ConfiguredAccounts.systemName(config))) {
            throw new AuthConfigException("config reload not supported for SystemAccount: old="
                    + ConfiguredAccounts.systemName(config) + ", new=" + ConfiguredAccounts.systemName(next)
                    + "; restart the server");
        }
        ConfiguredAccounts accounts = prepare(next);
        ConfigAuthenticator users = new ConfigAuthenticator(next, broker.accounts(), workers.authentication());
        accounts.apply(broker.accounts(), sharing);
        authenticator.switchTo(users);
        Set<String> gone = new HashSet<>(names);
        gone.removeAll(accounts.names());
        gone.remove(ConfiguredAccounts.systemName(next));
        gone.forEach(this::remove);
        accounts.names().forEach(name -> system.accountAdded(broker.accounts().getOrCreate(name)));
        names = accounts.names();
        config = next;
        system.reports().configuredAnew();
        List.copyOf(broker.connections()).forEach(this::recheck);
    }

    private void remove(String name) {
        sharing.withdraw(name);
        system.accountRemoved(name);
        broker.accounts().remove(name);
    }

    private void recheck(Connection connection) {
        if (connection.account() == null || connection.isClosed()) {
            return;
        }
        authenticator.authenticate(connection.request(), connection.info(), result -> {
            if (result instanceof AuthResult.Accepted accepted && accepted.account() == connection.account()) {
                if (!LiveUsers.same(accepted.permissions(), connection.permissions())) {
                    connection.updatePermissions(accepted.permissions());
                }
            } else {
                connection.close(ClosedReason.AUTHENTICATION_FAILURE, AuthResult.VIOLATION);
            }
        });
    }

    @Override
    public CompletionStage<Account> account(String name) {
        Account account = broker.accounts().find(name);
        return account == null
                ? CompletableFuture.failedFuture(new NoSuchElementException("account " + name + " is not configured"))
                : CompletableFuture.completedFuture(account);
    }

    @Override
    public long pinnedAccountFailures() {
        return 0;
    }

    @Override
    public void close() {
        system.close();
        super.close();
    }
}
