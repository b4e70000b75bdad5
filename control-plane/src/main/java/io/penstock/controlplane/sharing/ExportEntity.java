package io.penstock.controlplane.sharing;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** Something an account offers to others. */
@Entity
@Table(name = "account_export")
public class ExportEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    public String name;

    public String subject;

    /** stream or service. */
    @Column(updatable = false)
    public String type;

    public String description;

    @Column(name = "response_type")
    public String responseType;

    @Column(name = "token_required")
    public boolean tokenRequired;

    @Column(name = "account_token_position")
    public int accountTokenPosition;

    /** Percent, 0 for requests that ask by header; null without reports. */
    @Column(name = "latency_sampling")
    public Integer latencySampling;

    @Column(name = "latency_subject")
    public String latencySubject;

    @Column(name = "allow_trace")
    public boolean allowTrace;

    public boolean advertise;

    /** The account's generation that has the last change. */
    public long generation;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
