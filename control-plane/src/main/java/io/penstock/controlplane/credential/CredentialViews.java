package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.Accounts;
import io.penstock.controlplane.account.SyncView;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Shown;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups, users and issuances as they are shown. Runs in its caller's transaction. */
@ApplicationScoped
public class CredentialViews {
    @Inject
    Accounts accounts;

    @Inject
    UserRepository users;

    @Inject
    GroupRepository groups;

    @Inject
    IssuanceRepository issuances;

    @Inject
    Clock clock;

    /** A signing-key group. */
    public record SigningKeyGroup(
            String id,
            String accountId,
            String name,
            String description,
            ScopeTemplate template,
            String publicKey,
            Long version,
            long userCount,
            SyncView sync,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** A user. */
    public record User(
            String id,
            String accountId,
            String signingKeyGroupId,
            String signingKeyGroupName,
            String name,
            boolean disabled,
            String jwtTtl,
            List<String> tags,
            String state,
            long issuanceCount,
            Instant lastIssuedAt,
            Instant expiresAt,
            Instant lastConnectedAt,
            Instant createdAt,
            Instant updatedAt,
            String etag)
            implements Shown {}

    /** An issuance. */
    public record Issuance(
            String id,
            String accountId,
            String userId,
            String userName,
            String signingKeyGroupId,
            String userPublicKey,
            String jti,
            String state,
            String channel,
            String issuedBy,
            Instant issuedAt,
            Instant expiresAt,
            Instant revokedAt,
            Instant revokeAt,
            String issueKey,
            Instant firstConnectedAt,
            Instant lastConnectedAt) {}

    List<SigningKeyGroup> groups(List<GroupEntity> rows) {
        Map<String, Long> counts =
                users.countByGroup(rows.stream().map(row -> row.id).toList());
        return rows.stream()
                .map(row -> group(row, counts.getOrDefault(row.id, 0L)))
                .toList();
    }

    SigningKeyGroup group(GroupEntity row) {
        return groups(List.of(row)).getFirst();
    }

    private SigningKeyGroup group(GroupEntity row, long userCount) {
        return new SigningKeyGroup(
                row.id,
                row.accountId,
                row.name,
                row.description,
                accounts.template(row),
                row.publicKey,
                row.keyVersion,
                userCount,
                new SyncView(
                        row.desiredGeneration, row.observedGeneration, row.syncState, row.syncError, row.syncSince),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    User user(UserEntity row) {
        return users(List.of(row)).getFirst();
    }

    List<User> users(List<UserEntity> rows) {
        Map<String, List<IssuanceEntity>> issued = issuances
                .ofUsers(rows.stream().map(row -> row.id).toList())
                .stream()
                .collect(Collectors.groupingBy(issuance -> issuance.userId));
        Map<String, String> names =
                groups
                        .list(
                                "id in ?1",
                                rows.stream().map(row -> row.groupId).distinct().toList())
                        .stream()
                        .collect(Collectors.toMap(group -> group.id, group -> group.name));
        return rows.stream()
                .map(row -> user(row, names.get(row.groupId), issued.getOrDefault(row.id, List.of())))
                .toList();
    }

    private static User user(UserEntity row, String groupName, List<IssuanceEntity> issued) {
        List<IssuanceEntity> given =
                issued.stream().filter(issuance -> issuance.jti != null).toList();
        return new User(
                row.id,
                row.accountId,
                row.groupId,
                groupName,
                row.name,
                row.disabled,
                row.jwtTtl,
                UserTags.read(row.tags),
                row.disabled ? "disabled" : row.state,
                given.size(),
                latest(given.stream(), issuance -> issuance.issuedAt),
                latest(
                        given.stream().filter(issuance -> "issued".equals(issuance.state)),
                        issuance -> issuance.expiresAt),
                latest(given.stream(), issuance -> issuance.lastConnectedAt),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    private static Instant latest(Stream<IssuanceEntity> issued, Function<IssuanceEntity, Instant> time) {
        return issued.map(time)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    Issuance issuance(IssuanceEntity row) {
        boolean over = row.expiresAt != null && row.expiresAt.isBefore(clock.instant());
        String state = "issued".equals(row.state) ? (over ? "expired" : "active") : row.state;
        return new Issuance(
                row.id,
                row.accountId,
                row.userId,
                row.userName,
                row.groupId,
                row.userPublicKey,
                row.jti,
                state,
                row.channel,
                row.issuedBy,
                row.issuedAt,
                row.expiresAt,
                row.revokedAt,
                "issued".equals(row.state) ? row.revokeAt : null,
                row.issueKey,
                row.firstConnectedAt,
                row.lastConnectedAt);
    }
}
