package io.penstock.broker;

import io.penstock.broker.internal.AccountListener;
import java.util.Collection;

/** The accounts this server knows. All methods may be called from any thread. */
public interface AccountRegistry {
    /** Account of users that name none. */
    String GLOBAL = "$G";

    /** Default name of the system account. */
    String SYSTEM = "$SYS";

    /** The account of this name, or null. */
    Account find(String name);

    /** The account of this name, made without limits and without JetStream if it was not there. */
    Account getOrCreate(String name);

    /** Forgets an account; its connections are closed with {@link ClosedReason#MISSING_ACCOUNT}. */
    void remove(String name);

    Collection<Account> accounts();

    /** The system account. */
    Account system();

    /** Makes another account the system account; before the broker listens. */
    void setSystem(String name);

    /** Tells {@code listener} of all accounts with JetStream: those there are at once, then each change. */
    void addListener(AccountListener listener);
}
