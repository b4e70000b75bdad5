package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** An offer of a role, sent to an address. */
@Entity
@Table(name = "invitation")
public class InvitationEntity extends TenantEntity {
    @Column(updatable = false)
    public String email;

    @Column(updatable = false)
    public String role;

    @Column(name = "project_id", updatable = false)
    public String projectId;

    public String state;

    /** Of the newest link; a newer mail replaces it. */
    @Column(name = "secret_hash")
    public String secretHash;

    @Column(name = "inviter_id", updatable = false)
    public String inviterId;

    @Column(name = "inviter_name", updatable = false)
    public String inviterName;

    @Column(name = "sent_count")
    public int sentCount;

    @Column(name = "last_sent_at")
    public Instant lastSentAt;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "expires_at")
    public Instant expiresAt;

    @Column(name = "accepted_at")
    public Instant acceptedAt;

    @Column(name = "accepted_by")
    public String acceptedBy;

    @Version
    public long version;

    Role role() {
        return Role.of(role);
    }

    InvitationState state(Instant now) {
        InvitationState stored = InvitationState.valueOf(state.toUpperCase(java.util.Locale.ROOT));
        return stored == InvitationState.PENDING && !now.isBefore(expiresAt) ? InvitationState.EXPIRED : stored;
    }

    void state(InvitationState next) {
        state = next.code();
    }
}
