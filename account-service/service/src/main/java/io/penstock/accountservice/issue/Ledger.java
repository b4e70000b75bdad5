package io.penstock.accountservice.issue;

import io.penstock.accountservice.problem.ProblemException;
import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.Groups;
import io.penstock.accountservice.store.IssuanceEntity;
import io.penstock.accountservice.store.Issuances;
import io.penstock.accountservice.store.KeyState;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.accountservice.store.RevocationEvent;
import io.penstock.accountservice.store.Revocations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the ledger of issued tokens, with what became of each. */
@ApplicationScoped
public class Ledger {
    private static final int PAGE = 100;

    private final Accounts accounts;
    private final Groups groups;
    private final Issuances issuances;
    private final Revocations revocations;
    private final Clock clock;

    Ledger(Accounts accounts, Groups groups, Issuances issuances, Revocations revocations, Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.issuances = issuances;
        this.revocations = revocations;
        this.clock = clock;
    }

    /** A ledger entry. */
    public record Entry(
            String issuanceId,
            String accountId,
            String groupId,
            int keyVersion,
            String userId,
            String name,
            String userPublicKey,
            String jti,
            Instant issuedAt,
            Instant expiresAt,
            String issuedBy,
            String channel,
            List<String> tags,
            Instant firstConnected,
            Instant lastConnected,
            Instant lastDisconnected,
            long connections,
            String clientLang,
            String clientVersion,
            String clientIp,
            IssuanceState state) {}

    /** A page of entries; the cursor leads to the next, null at the end. */
    public record Page(List<Entry> data, String nextCursor) {}

    /** An account's entries, newest first. */
    @Transactional
    public Page list(String accountId, String userId, String cursor) {
        if (accounts.findById(accountId) == null) {
            throw ProblemException.notFound("there is no account " + accountId);
        }
        Instant before = null;
        String beforeId = null;
        if (cursor != null) {
            try {
                String[] parts =
                        new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII).split("\\|", -1);
                before = Instant.parse(parts[0]);
                beforeId = parts.length == 2 ? parts[1] : "";
            } catch (IllegalArgumentException | DateTimeException e) {
                throw ProblemException.invalid("the cursor is not one of this list");
            }
        }
        List<IssuanceEntity> found = issuances.page(accountId, userId, before, beforeId, PAGE + 1);
        boolean more = found.size() > PAGE;
        List<IssuanceEntity> page = more ? found.subList(0, PAGE) : found;
        Map<String, RevocationEvent> revoked = revocations.inForce(accountId);
        Set<String> liveKeys = liveKeys(accountId);
        return new Page(
                page.stream()
                        .map(issuance -> entry(issuance, revoked, liveKeys))
                        .toList(),
                more ? cursorAfter(page.getLast()) : null);
    }

    /** One entry. */
    @Transactional
    public Entry get(String issuanceId) {
        IssuanceEntity issuance = issuances.findById(issuanceId);
        if (issuance == null) {
            throw ProblemException.notFound("there is no issuance " + issuanceId);
        }
        return entry(issuance, revocations.inForce(issuance.accountId), liveKeys(issuance.accountId));
    }

    private Set<String> liveKeys(String accountId) {
        Set<String> keys = new HashSet<>();
        for (GroupEntity group : groups.allOf(accountId)) {
            for (KeyVersionEntity version : groups.versions(group)) {
                if (version.state != KeyState.REMOVED) {
                    keys.add(version.publicKey);
                }
            }
        }
        return keys;
    }

    private Entry entry(IssuanceEntity issuance, Map<String, RevocationEvent> revoked, Set<String> liveKeys) {
        return new Entry(
                issuance.issuanceId,
                issuance.accountId,
                issuance.groupId,
                issuance.keyVersion,
                issuance.userId,
                issuance.name,
                issuance.userPublicKey,
                issuance.jti,
                Instant.ofEpochSecond(issuance.issuedAt),
                Instant.ofEpochSecond(issuance.expiresAt),
                issuance.issuedBy,
                issuance.channel,
                issuance.tags.isEmpty() ? List.of() : List.of(issuance.tags.split(",", -1)),
                issuance.firstConnected,
                issuance.lastConnected,
                issuance.lastDisconnected,
                issuance.connections,
                issuance.clientLang,
                issuance.clientVersion,
                issuance.clientIp,
                state(issuance, revoked, liveKeys));
    }

    private IssuanceState state(IssuanceEntity issuance, Map<String, RevocationEvent> revoked, Set<String> liveKeys) {
        long now = clock.instant().getEpochSecond();
        if (isRevoked(issuance, revoked.get(issuance.userPublicKey)) || isRevoked(issuance, revoked.get("*"))) {
            return IssuanceState.REVOKED;
        }
        if (now > issuance.expiresAt) {
            return IssuanceState.EXPIRED;
        }
        if (!liveKeys.contains(issuance.signingPublicKey)) {
            return IssuanceState.SIGNING_KEY_REMOVED;
        }
        if (issuances.isSuperseded(issuance)) {
            return IssuanceState.SUPERSEDED;
        }
        long whole = issuance.expiresAt - issuance.issuedAt;
        return (issuance.expiresAt - now) * 10 < whole ? IssuanceState.EXPIRING : IssuanceState.ACTIVE;
    }

    private static boolean isRevoked(IssuanceEntity issuance, RevocationEvent event) {
        return event != null && issuance.issuedAt <= event.revokedAt;
    }

    private static String cursorAfter(IssuanceEntity last) {
        String text = last.createdAt + "|" + last.issuanceId;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
