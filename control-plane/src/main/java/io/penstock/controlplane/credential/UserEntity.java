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

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
