package io.penstock.controlplane.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.web.Etags;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;

/** Accounts as they are shown, and what their columns hold as JSON. */
@Singleton
public class AccountViews {
    private static final TypeReference<List<SubjectMapping>> MAPPINGS = new TypeReference<>() {};

    @Inject
    ObjectMapper json;

    AccountResource.Account account(AccountEntity row) {
        return new AccountResource.Account(
                row.id,
                row.orgId,
                row.projectId,
                row.name,
                row.publicKey,
                row.state,
                limits(row),
                row.deletionProtection,
                defaultPermissions(row),
                mappings(row),
                row.deletedAt,
                row.purgeAt,
                null,
                sync(row),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    static SyncView sync(AccountEntity row) {
        return new SyncView(row.desiredGeneration, row.observedGeneration, row.syncState, row.syncError, row.syncSince);
    }

    /** How far the broker is with a part of the account that was changed last in its generation `generation`. */
    public static SyncView sync(AccountEntity row, long generation) {
        boolean there = row.observedGeneration >= generation;
        return new SyncView(
                generation,
                Math.min(generation, row.observedGeneration),
                there ? "synced" : "failed".equals(row.syncState) ? "failed" : "syncing",
                there ? null : row.syncError,
                row.syncSince);
    }

    public AccountLimits limits(AccountEntity row) {
        try {
            return json.readValue(row.limits, AccountLimits.class);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored limits cannot be read", damaged);
        }
    }

    PermissionSet defaultPermissions(AccountEntity row) {
        try {
            return row.defaultPermissions == null ? null : json.readValue(row.defaultPermissions, PermissionSet.class);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored permissions cannot be read", damaged);
        }
    }

    List<SubjectMapping> mappings(AccountEntity row) {
        try {
            return json.readValue(row.mappings, MAPPINGS);
        } catch (JsonProcessingException damaged) {
            throw new IllegalStateException("stored mappings cannot be read", damaged);
        }
    }
}
