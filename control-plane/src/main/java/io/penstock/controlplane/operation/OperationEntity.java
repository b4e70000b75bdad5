package io.penstock.controlplane.operation;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;

/** Something that goes on after its answer. */
@Entity
@Table(name = "operation")
public class OperationEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    public String kind;

    /** queued, running, waiting, succeeded or failed. */
    public String state;

    public String target;

    /** JSON list of steps. */
    public String steps;

    /** The account's generation that the broker must have reached before the last step is done. */
    public long generation;

    @Column(name = "created_by")
    public String createdBy;

    public String error;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
