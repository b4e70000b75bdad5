package io.penstock.accountservice.audit;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** One link of the audit chain. */
@Entity
@Table(name = "audit_event")
class AuditEvent {
    @Id
    long seq;

    Instant at;
    String actor;
    String action;

    @Column(name = "request_id")
    String requestId;

    @Column(name = "account_id")
    String accountId;

    String details;

    @Column(name = "previous_hash")
    String previousHash;

    String hash;

    protected AuditEvent() {}
}
