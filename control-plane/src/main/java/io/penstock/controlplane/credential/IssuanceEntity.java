package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;

/** One JWT that was given out; never the JWT or a seed itself. */
@Entity
@Table(name = "issuance")
public class IssuanceEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    @Column(name = "user_id", updatable = false)
    public String userId;

    @Column(name = "user_name", updatable = false)
    public String userName;

    @Column(name = "group_id", updatable = false)
    public String groupId;

    @Column(name = "user_public_key")
    public String userPublicKey;

    public String jti;

    /** pending, issued, revoked or failed; what is past its end shows as expired. */
    public String state;

    public String channel;

    @Column(name = "issued_by")
    public String issuedBy;

    @Column(name = "issued_at")
    public Instant issuedAt;

    @Column(name = "expires_at")
    public Instant expiresAt;

    @Column(name = "revoked_at")
    public Instant revokedAt;

    /** When a rotation revokes it. */
    @Column(name = "revoke_at")
    public Instant revokeAt;

    /** At most one JWT is issued for a user and this key. */
    @Column(name = "issue_key")
    public String issueKey;

    @Column(name = "first_connected_at")
    public Instant firstConnectedAt;

    @Column(name = "last_connected_at")
    public Instant lastConnectedAt;

    @Column(name = "client_lang")
    public String clientLang;

    @Column(name = "client_version")
    public String clientVersion;

    @Column(name = "client_ip")
    public String clientIp;
}
