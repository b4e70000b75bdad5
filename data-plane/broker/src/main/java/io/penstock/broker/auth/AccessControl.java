package io.penstock.broker.auth;

import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.sharing.Sharing;
import io.penstock.broker.system.AccountReports;
import io.penstock.broker.system.SystemServices;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts, users, sharing and the system account of one broker. {@link #install} it before the broker starts.
 *
 * <p>Threads: signatures and password hashes are checked on a small pool; everything about account JWTs happens on one
 * thread; questions to the system account are answered on another. None of it is done on an event loop.
 */
public abstract sealed class AccessControl implements AutoCloseable permits ConfigAccess, OperatorAccess {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
    private static final int EXPIRY_CHECK_MILLIS = 1000;

    final Broker broker;
    final InstantSource clock;
    final Workers workers;
    final Sharing sharing;

    AccessControl(Broker broker, InstantSource clock, Workers workers) {
        this.broker = broker;
        this.clock = clock;
        this.workers = workers;
        this.sharing = new Sharing(broker.accounts(), broker.identity(), clock, System::nanoTime);
        var _ = workers.claims()
                .scheduleAtFixedRate(this::expire, EXPIRY_CHECK_MILLIS, EXPIRY_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    // A failure must not end the repetition.
    private void expire() {
        try {
            sharing.expire();
        } catch (RuntimeException e) {
            LOG.error("ending expired imports failed", e);
        }
    }

    /**
     * Puts a configuration into force.
     *
     * @throws AuthConfigException when it cannot be used; nothing is left running then
     */
    public static AccessControl install(Broker broker, AuthConfig config, InstantSource clock)
            throws AuthConfigException {
        Workers workers = Workers.start();
        try {
            return config.operator() == null
                    ? new ConfigAccess(broker, config, clock, workers)
                    : OperatorAccess.create(broker, config, clock, workers);
        } catch (AuthConfigException | RuntimeException e) {
            workers.close();
            throw e;
        }
    }

    /** Where endpoints such as {@code VARZ} are plugged in. */
    public abstract SystemServices services();

    /** Account reports for monitoring. */
    public abstract AccountReports reports();

    /**
     * Puts another configuration into force. Connections that it no longer admits are closed, others get their new
     * permissions.
     *
     * @throws AuthConfigException when it cannot be used or changes what cannot change; nothing has changed then
     */
    public abstract void reload(AuthConfig config) throws AuthConfigException;

    /** An account, brought in from the resolver in operator mode; fails when there is none of that name. */
    public abstract CompletionStage<Account> account(String name);

    /** Logins refused because their account is not pinned. */
    public abstract long pinnedAccountFailures();

    @Override
    public void close() {
        workers.close();
    }
}
