package io.penstock.accountservice.account;

import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.AccountState;
import io.penstock.accountservice.store.Accounts;

/** Takes an account for a change, within a transaction. */
public final class AccountLocks {
    private AccountLocks() {}

    /** The account, locked; a problem when it does not exist or is being deleted. */
    public static AccountEntity alive(Accounts accounts, String accountId) {
        AccountEntity account = accounts.lock(accountId)
                .orElseThrow(() -> ProblemException.notFound("there is no account " + accountId));
        requireAlive(account);
        return account;
    }

    /** The account, locked; a problem when it does not exist, is being deleted or is suspended. */
    public static AccountEntity active(Accounts accounts, String accountId) {
        AccountEntity account = alive(accounts, accountId);
        if (account.state != AccountState.ACTIVE) {
            throw ProblemException.conflict("account_suspended", "account " + accountId + " is suspended");
        }
        return account;
    }

    static void requireAlive(AccountEntity account) {
        if (account.state == AccountState.DELETING || account.state == AccountState.DELETED) {
            throw ProblemException.conflict(
                    "account_deleted", "account " + account.accountId + " is deleted and its id is not used again");
        }
    }
}
