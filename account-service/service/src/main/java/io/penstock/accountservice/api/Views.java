package io.penstock.accountservice.api;

import io.penstock.accountservice.account.AccountService;
import io.penstock.accountservice.account.GroupService;
import io.penstock.accountservice.account.Specs;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.Revocations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;

/** What the endpoints answer, read anew after a change. */
@ApplicationScoped
class Views {
    private final AccountService accounts;
    private final GroupService groupService;
    private final Groups groups;
    private final Revocations revocations;
    private final Specs specs;

    Views(AccountService accounts, GroupService groupService, Groups groups, Revocations revocations, Specs specs) {
        this.accounts = accounts;
        this.groupService = groupService;
        this.groups = groups;
        this.revocations = revocations;
        this.specs = specs;
    }

    @Transactional
    AccountView summary(String accountId) {
        return AccountView.of(accounts.get(accountId), null, null);
    }

    @Transactional
    AccountView detail(String accountId) {
        AccountEntity account = accounts.get(accountId);
        List<GroupView> views = groups.allOf(accountId).stream()
                .filter(group -> !group.internal)
                .map(group -> view(group, account))
                .toList();
        List<AccountView.RevocationView> revoked = revocations.inForce(accountId).values().stream()
                .map(event -> new AccountView.RevocationView(
                        event.userPublicKey, event.revokedAt, event.reason, event.createdAt))
                .toList();
        return AccountView.of(account, views, revoked);
    }

    @Transactional
    GroupView group(String accountId, String groupId) {
        return view(groupService.visible(accountId, groupId), accounts.get(accountId));
    }

    private GroupView view(GroupEntity group, AccountEntity account) {
        return GroupView.of(group, specs.of(group), groups.versions(group), account.syncState());
    }
}
