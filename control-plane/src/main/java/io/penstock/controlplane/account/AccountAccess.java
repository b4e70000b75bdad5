package io.penstock.controlplane.account;

import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.BiFunction;

/** The check before anything is asked of the broker for an account. */
@ApplicationScoped
public class AccountAccess {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    /** 404 for a foreign account, 403 without the right or, for changes, when the account is suspended. */
    public Scope require(String accountId, Permission permission) {
        return require(accountId, permission, (scope, account) -> scope);
    }

    /** As the other one, with something to look up in the same transaction. */
    public <T> T require(String accountId, Permission permission, BiFunction<Scope, AccountEntity, T> work) {
        return tenancy.onResource(request.principal(), accountId, scope -> {
            AccountEntity account = accounts.get(scope, accountId);
            scope.require(permission);
            if (permission.changes() && !"active".equals(account.state)) {
                throw ProblemException.of(
                        ErrorCode.ACCOUNT_SUSPENDED, "The account is suspended; reading still works.");
            }
            return work.apply(scope, account);
        });
    }
}
