package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A user of the broker: a name under which credentials are issued. */
@Entity
@Table(name = "broker_user")
public class UserEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    @Column(name = "group_id")
    public String groupId;

    public String name;

    public String state;

    public boolean disabled;

    /** Life of a JWT when an issue does not say; null for the default. */
    @Column(name = "jwt_ttl")
    public String jwtTtl;

    /** Tags with line ends between. */
    public String tags = "";

    /** A deleted user keeps its row, without a group, for the ledger. */
    @Column(name = "deleted_at")
    public Instant deletedAt;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
