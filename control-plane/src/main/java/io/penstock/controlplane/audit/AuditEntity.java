package io.penstock.controlplane.audit;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** One audited event; never changed, never removed. */
@Entity
@Immutable
@Table(name = "audit_event")
public class AuditEntity extends TenantEntity {
    public long seq;

    public Instant time;

    @Column(name = "actor_kind")
    public String actorKind;

    @Column(name = "actor_id")
    public String actorId;

    @Column(name = "actor_name")
    public String actorName;

    @Column(name = "token_id")
    public String tokenId;

    public String action;

    public String resource;

    public String result;

    public String ip;

    @Column(name = "user_agent")
    public String userAgent;

    @Column(name = "request_id")
    public String requestId;

    public String details;

    public String hash;
}
