package io.penstock.accountservice.api;

import io.penstock.accountservice.account.TemplateSpec;
import io.penstock.accountservice.store.GroupEntity;
import io.penstock.accountservice.store.GroupState;
import io.penstock.accountservice.store.KeyState;
import io.penstock.accountservice.store.KeyVersionEntity;
import io.penstock.accountservice.store.SyncState;
import java.time.Instant;
import java.util.List;

/**
 * A signing-key group as it is.
 *
 * @param publicKey of the version that signs, null when removed
 * @param version number of that version
 */
record GroupView(
        String groupId,
        String role,
        String description,
        TemplateSpec template,
        String publicKey,
        Integer version,
        GroupState state,
        SyncState syncState,
        List<VersionView> versions) {

    /** A version of the key. */
    record VersionView(int version, String publicKey, KeyState state, Instant createdAt, Instant retireAt) {}

    static GroupView of(
            GroupEntity group, TemplateSpec template, List<KeyVersionEntity> versions, SyncState syncState) {
        KeyVersionEntity active = versions.stream()
                .filter(version -> version.state == KeyState.ACTIVE)
                .findFirst()
                .orElse(null);
        return new GroupView(
                group.groupId,
                group.role,
                group.description,
                template,
                active == null ? null : active.publicKey,
                active == null ? null : active.version,
                group.state,
                syncState,
                versions.stream()
                        .map(version -> new VersionView(
                                version.version, version.publicKey, version.state, version.createdAt, version.retireAt))
                        .toList());
    }
}
