package io.penstock.controlplane.testing;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keys are counted, not made; everything else keeps account-service's contract. */
@Alternative
@Unremovable
@ApplicationScoped
public class TestingAccountService implements AccountService {
    private final Map<String, AccountSpec> accounts = new ConcurrentHashMap<>();
    /** As the real one, an id that is gone is never used again: a reconciler that was under way must not bring it back. */
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    private final Map<String, GroupSpec> groups = new ConcurrentHashMap<>();
    private final Set<String> issuances = ConcurrentHashMap.newKeySet();
    private final Map<String, List<LedgerEntry>> ledger = new ConcurrentHashMap<>();
    private final Map<String, ConcurrentSkipListMap<String, Revocation>> revocations = new ConcurrentHashMap<>();
    private final List<String> revoked = new CopyOnWriteArrayList<>();
    private volatile boolean down;

    /** From now on nothing answers, or everything does again. */
    public void down(boolean value) {
        down = value;
    }

    public List<String> revoked() {
        return revoked;
    }

    /** What the account should be, as it was asked for last. */
    public AccountSpec account(String accountId) {
        return accounts.get(accountId);
    }

    public GroupSpec group(String groupId) {
        return groups.get(groupId);
    }

    public void connected(String accountId, LedgerEntry entry) {
        ledger.computeIfAbsent(accountId, id -> new CopyOnWriteArrayList<>()).add(entry);
    }

    @Override
    public AccountStatus putAccount(Reason why, String accountId, AccountSpec spec) {
        reachable();
        accounts.compute(accountId, (id, old) -> {
            if (gone.contains(id)) {
                throw ProblemException.of(ErrorCode.STATE_CONFLICT, "the account is deleted");
            }
            if (old != null && spec.generation() < old.generation()) {
                throw ProblemException.of(ErrorCode.OPERATION_IN_PROGRESS, "older generation");
            }
            return spec;
        });
        return getAccount(why, accountId);
    }

    @Override
    public AccountStatus getAccount(Reason why, String accountId) {
        reachable();
        AccountSpec spec = accounts.get(accountId);
        return new AccountStatus(accountId, key("A", accountId), spec.generation(), "synced", null);
    }

    @Override
    public GroupStatus putGroup(Reason why, String accountId, String groupId, GroupSpec spec) {
        reachable();
        groups.put(groupId, spec);
        return new GroupStatus(groupId, key("A", groupId), 1L, "synced");
    }

    @Override
    public void deleteGroup(Reason why, String accountId, String groupId) {
        reachable();
        groups.remove(groupId);
    }

    @Override
    public Issued issue(Reason why, String accountId, String groupId, IssueCommand command) {
        reachable();
        if (!groups.containsKey(groupId)) {
            throw ProblemException.of(ErrorCode.DEPENDENCY_FAILED, "no such group");
        }
        if (!issuances.add(command.issuanceId())) {
            throw ProblemException.of(ErrorCode.SECRET_ALREADY_DELIVERED, "delivered");
        }
        String key = command.publicKey() == null ? key("U", command.issuanceId()) : command.publicKey();
        Instant now = Instant.now();
        return new Issued(
                key,
                UUID.randomUUID().toString(),
                "jwt-of-" + command.name(),
                command.publicKey() == null ? "-----BEGIN USER NKEY SEED-----\nSUTESTING" + command.issuanceId() : null,
                Instant.now(),
                now.plusSeconds(command.ttlSeconds()));
    }

    @Override
    public Instant revoke(Reason why, String accountId, String userPublicKey, String reason, Instant before) {
        reachable();
        revoked.add(userPublicKey);
        Instant until = before == null ? Instant.now() : before;
        revocations
                .computeIfAbsent(accountId, id -> new ConcurrentSkipListMap<>())
                .put(userPublicKey, new Revocation(userPublicKey, until, reason, Instant.now()));
        return until;
    }

    @Override
    public void liftRevocation(Reason why, String accountId, String userPublicKey) {
        reachable();
        revocations.getOrDefault(accountId, new ConcurrentSkipListMap<>()).remove(userPublicKey);
    }

    @Override
    public List<Revocation> revocations(Reason why, String accountId) {
        reachable();
        return List.copyOf(revocations
                .getOrDefault(accountId, new ConcurrentSkipListMap<>())
                .values());
    }

    @Override
    public String activate(Reason why, String accountId, ActivationCommand command) {
        reachable();
        return "activation-of-" + command.importerPublicKey() + "-for-" + command.subject();
    }

    @Override
    public void deleteAccount(Reason why, String accountId) {
        reachable();
        accounts.compute(accountId, (id, old) -> {
            gone.add(id);
            return null;
        });
    }

    @Override
    public GroupStatus rotateGroup(Reason why, String accountId, String groupId, long keepPreviousSeconds) {
        reachable();
        return new GroupStatus(groupId, key("A", "B" + groupId), 2L, "synced");
    }

    @Override
    public ManagementCredential managementCredential(Reason why, String accountId, int ttlSeconds) {
        reachable();
        return new ManagementCredential("jwt", "seed", Instant.now().plusSeconds(ttlSeconds));
    }

    @Override
    public List<LedgerEntry> ledger(Reason why, String accountId) {
        reachable();
        return new ArrayList<>(ledger.getOrDefault(accountId, List.of()));
    }

    private void reachable() {
        if (down) {
            throw new UncheckedIOException(new java.net.ConnectException("account-service is down"));
        }
    }

    static String key(String prefix, String from) {
        String letters = from.toUpperCase(java.util.Locale.ROOT).replaceAll("[^A-Z2-7]", "A");
        return (prefix + letters + "A".repeat(56)).substring(0, 56);
    }
}
