package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.TenantEntity;
import io.penstock.controlplane.tenancy.TokenGrant;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A token's metadata; its secrets are hashes in a table of their own. */
@Entity
@Table(name = "api_token")
public class ApiTokenEntity extends TenantEntity {
    @Column(name = "owner_kind", updatable = false)
    public String ownerKind;

    @Column(name = "owner_id", updatable = false)
    public String ownerId;

    public String name;

    public String prefix;

    public String scopes;

    @Column(name = "project_ids")
    public String projectIds;

    public String cidrs;

    /** What a rotation without another wish renews it for. */
    @Column(name = "life_seconds")
    public long lifeSeconds;

    @Column(name = "expires_at")
    public Instant expiresAt;

    public boolean disabled;

    @Column(name = "revoked_at")
    public Instant revokedAt;

    @Column(name = "last_used_at", insertable = false, updatable = false)
    public Instant lastUsedAt;

    @Column(name = "last_used_ip", insertable = false, updatable = false)
    public String lastUsedIp;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "created_by", updatable = false)
    public String createdBy;

    @Column(name = "updated_at")
    public Instant updatedAt;

    static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    static String text(List<String> list) {
        return String.join(" ", list);
    }

    boolean personal() {
        return "user".equals(ownerKind);
    }

    TokenState state(Instant now) {
        if (revokedAt != null) {
            return TokenState.REVOKED;
        }
        if (!now.isBefore(expiresAt)) {
            return TokenState.EXPIRED;
        }
        return disabled ? TokenState.DISABLED : TokenState.ACTIVE;
    }

    TokenGrant grant() {
        return new TokenGrant(id, name, orgId, list(scopes), Set.copyOf(list(projectIds)), expiresAt);
    }
}
