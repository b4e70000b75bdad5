package io.penstock.accountservice.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A user token that was issued, without the token. */
@Entity
@Table(name = "issuance")
public class IssuanceEntity {
    @Id
    @Column(name = "issuance_id")
    public String issuanceId;

    @Column(name = "account_id")
    public String accountId;

    @Column(name = "group_id")
    public String groupId;

    @Column(name = "key_version")
    public int keyVersion;

    @Column(name = "signing_public_key")
    public String signingPublicKey;

    @Column(name = "user_id")
    public String userId;

    public String name;

    @Column(name = "user_public_key")
    public String userPublicKey;

    /** Whether the seed was made here and handed out once. */
    @Column(name = "key_generated_here")
    public boolean keyGeneratedHere;

    public String jti;

    /** Unix seconds. */
    @Column(name = "issued_at")
    public long issuedAt;

    /** Unix seconds. */
    @Column(name = "expires_at")
    public long expiresAt;

    @Column(name = "issued_by")
    public String issuedBy;

    public String channel;

    /** Joined by commas. */
    public String tags;

    @Column(name = "first_connected")
    public Instant firstConnected;

    @Column(name = "last_connected")
    public Instant lastConnected;

    @Column(name = "last_disconnected")
    public Instant lastDisconnected;

    /** Language of the client that connected last. */
    @Column(name = "client_lang")
    public String clientLang;

    /** Version of the client that connected last. */
    @Column(name = "client_version")
    public String clientVersion;

    /** Address the last connection came from. */
    @Column(name = "client_ip")
    public String clientIp;

    /** Connections seen so far. */
    public long connections;

    @Column(name = "created_at")
    public Instant createdAt;
}
