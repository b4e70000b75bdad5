package io.penstock.broker.engine;

import io.penstock.broker.Account;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.ConnectionKind;
import io.penstock.broker.internal.AccountListener;
import io.penstock.broker.internal.JetStreamLimits;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The accounts of one broker. */
final class LocalRegistry implements AccountRegistry {
    private final BrokerEngine engine;
    private final Map<String, LocalAccount> accounts = new ConcurrentHashMap<>();
    private final List<AccountListener> listeners = new CopyOnWriteArrayList<>();
    private volatile LocalAccount system;

    LocalRegistry(BrokerEngine engine) {
        this.engine = engine;
    }

    /** Makes the accounts every server has. */
    void begin() {
        getOrCreate(GLOBAL);
        setSystem(SYSTEM);
    }

    @Override
    public Account find(String name) {
        return accounts.get(name);
    }

    @Override
    public Account getOrCreate(String name) {
        return account(name);
    }

    private LocalAccount account(String name) {
        LocalAccount known = accounts.get(name);
        if (known != null) {
            return known;
        }
        LocalAccount made = new LocalAccount(engine, name);
        LocalAccount before = accounts.putIfAbsent(name, made);
        if (before != null) {
            return before;
        }
        if (engine.mesh() != null) {
            engine.mesh().accountCreated(made);
        }
        return made;
    }

    @Override
    public void remove(String name) {
        LocalAccount gone = accounts.remove(name);
        if (gone == null) {
            return;
        }
        gone.forgotten();
        gone.updateJetStream(null);
        for (Connection connection : gone.connections()) {
            connection.close(ClosedReason.MISSING_ACCOUNT);
        }
    }

    @Override
    public Collection<Account> accounts() {
        return Collections.unmodifiableCollection(accounts.values());
    }

    Collection<LocalAccount> locals() {
        return accounts.values();
    }

    @Override
    public Account system() {
        return system;
    }

    @Override
    public void setSystem(String name) {
        LocalAccount chosen = account(name);
        LocalAccount before = system;
        chosen.setSystem(true);
        system = chosen;
        if (before != null && before != chosen) {
            before.setSystem(false);
        }
    }

    @Override
    public void addListener(AccountListener listener) {
        listeners.add(listener);
        for (LocalAccount account : accounts.values()) {
            JetStreamLimits limits = account.jetStream();
            if (limits != null) {
                listener.accountEnabled(account.name(), account.internalClient(ConnectionKind.JETSTREAM), limits);
            }
        }
    }

    void enabled(LocalAccount account, JetStreamLimits limits) {
        for (AccountListener listener : listeners) {
            listener.accountEnabled(account.name(), account.internalClient(ConnectionKind.JETSTREAM), limits);
        }
    }

    void disabled(LocalAccount account) {
        for (AccountListener listener : listeners) {
            listener.accountDisabled(account.name());
        }
    }
}
